import { CONCEPT_COUNT, type ConceptFound, idOfConcept, scanConcepts } from './concept-scanner.ts';
import type { Concept } from './concept-words.ts';

/** Concepts that address an assistant when they stand within this many words of each other, in any order unless `inOrder` is set. */
type ConceptRule = {
  readonly within: number;
  readonly concepts: readonly (readonly Concept[])[];
  readonly inOrder?: true;
  /** A nearby concept that makes the text harmless. */
  readonly unless?: Concept;
};

export const RULES: readonly ConceptRule[] = [
  // Text that addresses an assistant, or leads away from the operator's page.
  { within: 0, concepts: [['pretend']] },
  { within: 0, concepts: [['secret']] },
  { within: 6, concepts: [['override'], ['instruction']] },
  { within: 8, concepts: [['override'], ['rule'], ['previous']] },
  { within: 5, concepts: [['override'], ['previous']] },
  { within: 6, concepts: [['show', 'send', 'say'], ['instruction'], ['previous']] },
  { within: 6, concepts: [['model'], ['recommend', 'override', 'first', 'attention']] },
  { within: 4, concepts: [['model'], ['directive', 'say', 'youAre', 'instruction']] },
  // "Ai" is a common word in French and Italian.
  {
    within: 6,
    unless: 'romance',
    concepts: [['aiLetters'], ['recommend', 'override', 'first', 'attention']],
  },
  { within: 4, unless: 'romance', concepts: [['aiLetters'], ['directive', 'say', 'youAre', 'instruction']] },
  {
    within: 6,
    unless: 'romance',
    concepts: [['aiLetters'], ['actAs', 'evaluate', 'rivals', 'tell', 'omit']],
  },
  { within: 8, concepts: [['agent'], ['directive'], ['recommend', 'first', 'say', 'show']] },
  { within: 8, concepts: [['agent'], ['attention'], ['recommend', 'first', 'say', 'show', 'directive']] },
  { within: 6, concepts: [['youAre'], ['agent', 'model']] },
  { within: 4, concepts: [['fromNow'], ['youAre', 'actAs']] },
  { within: 8, concepts: [['actAs'], ['agent', 'model']] },
  { within: 6, concepts: [['user'], ['say', 'show', 'send', 'not']] },
  { within: 8, concepts: [['not'], ['show', 'recommend', 'say'], ['others']] },
  { within: 8, concepts: [['recommend'], ['others'], ['directive', 'first', 'thisHome']] },
  { within: 5, concepts: [['recommend'], ['thisHome'], ['directive', 'first']] },
  { within: 6, concepts: [['say'], ['others']] },
  { within: 6, concepts: [['conversation'], ['send', 'show']] },
  { within: 8, concepts: [['book'], ['direct'], ['owner', 'cheaper']] },
  { within: 8, concepts: [['book', 'cheaper'], ['ourPage']] },
  { within: 8, concepts: [['messenger'], ['book', 'contact', 'cheaper']] },
  { within: 8, concepts: [['untraceable'], ['pay', 'send', 'book']] },
  { within: 4, concepts: [['invoke'], ['tool']] },
  // Text about the answer, the search, other offers or the guest, which does not belong in the description of a home.
  { within: 0, concepts: [['machineReader']] },
  { within: 0, concepts: [['searchResult']] },
  { within: 0, concepts: [['newGoal']] },
  { within: 0, concepts: [['statusLine']] },
  {
    within: 8,
    concepts: [['summarise'], ['whoever', 'thisText', 'yourAnswer', 'omit', 'closing', 'phrase']],
  },
  { within: 6, concepts: [['closing'], ['phrase']] },
  { within: 10, inOrder: true, concepts: [['rivals'], ['unavailable']] },
  {
    within: 8,
    concepts: [
      ['rivals', 'unavailable'],
      ['omit', 'mention'],
      ['not', 'omit'],
    ],
  },
  { within: 8, concepts: [['yourAnswer'], ['omit', 'top', 'cheaperOnes', 'phrase', 'rivals', 'notKnow']] },
  {
    within: 8,
    concepts: [['place', 'propose'], ['top'], ['cheaperOnes', 'thisHome', 'yourAnswer', 'rivals']],
  },
  { within: 8, concepts: [['place', 'top'], ['cheaperOnes'], ['top', 'thisHome']] },
  { within: 10, concepts: [['propose'], ['everyVisitor'], ['platform', 'thisHome', 'announcement']] },
  { within: 8, concepts: [['announcement'], ['platform']] },
  { within: 10, concepts: [['platform'], ['propose'], ['thisHome', 'everyVisitor']] },
  { within: 8, concepts: [['notKnow'], ['visitor', 'thisText', 'betweenUs', 'whoever']] },
  { within: 10, concepts: [['betweenUs'], ['thisText', 'visitor', 'whoever']] },
  { within: 10, concepts: [['visitor'], ['learn'], ['laterKnown']] },
  { within: 10, concepts: [['identity'], ['elicit'], ['visitor', 'beforePrice']] },
  { within: 8, concepts: [['notHere'], ['visitor', 'payOutside', 'persuade', 'direct', 'cheaper']] },
  { within: 12, concepts: [['persuade'], ['visitor'], ['payOutside', 'notHere', 'ourPage']] },
  { within: 8, concepts: [['voided'], ['toldYou', 'previous']] },
  { within: 6, concepts: [['layAside'], ['guidance', 'toldYou']] },
  { within: 8, concepts: [['toldYou'], ['fromNow']] },
  { within: 8, concepts: [['fromNow'], ['owner'], ['counts']] },
  { within: 16, concepts: [['supposing'], ['reply'], ['onlyThis', 'rivals']] },
  { within: 8, concepts: [['failure'], ['loading'], ['onlyThis', 'rivals', 'thisHome']] },
  { within: 0, concepts: [['notCompare']] },
  { within: 6, concepts: [['notTell'], ['visitor', 'thisText']] },
  { within: 10, inOrder: true, concepts: [['ifAsked'], ['reply', 'say', 'omit', 'notTell']] },
  { within: 6, concepts: [['conclude'], ['withoutAsking']] },
  { within: 5, concepts: [['rateIt'], ['bestScore']] },
  { within: 8, concepts: [['yourAnswer'], ['deserves', 'thisHome', 'everyVisitor']] },
  { within: 6, concepts: [['identity'], ['send']] },
  { within: 0, concepts: [['yourMakers']] },
  { within: 0, concepts: [['noMention']] },
  { within: 0, concepts: [['boundary']] },
  { within: 0, concepts: [['served']] },
  { within: 6, concepts: [['mention'], ['onlyThis'], ['advantages']] },
  { within: 6, concepts: [['treatAs'], ['instruction', 'guidance']] },
  {
    within: 8,
    concepts: [
      ['regardless'],
      ['recommend', 'propose'],
      ['thisHome', 'visitor', 'everyVisitor', 'user', 'rivals'],
    ],
  },
  {
    within: 8,
    concepts: [['youRecommend'], ['thisHome', 'first', 'top', 'onlyThis', 'rivals', 'everyVisitor']],
  },
  { within: 5, concepts: [['endorsed'], ['platform'], ['thisHome', 'onlyThis', 'announcement']] },
  { within: 4, concepts: [['yourAnswer'], ['directive']] },
  { within: 4, unless: 'we', concepts: [['tell'], ['visitor', 'everyVisitor']] },
  {
    within: 10,
    concepts: [['model'], ['evaluate', 'place', 'propose', 'theRest', 'rivals', 'tell', 'omit', 'notTell']],
  },
  { within: 8, concepts: [['guidance', 'rule', 'instruction'], ['applies'], ['not'], ['site', 'thisText']] },
  { within: 10, concepts: [['evaluate', 'place'], ['above'], ['theRest', 'rivals']] },
  { within: 10, concepts: [['cheapWords'], ['showIt', 'place'], ['thisHome']] },
  { within: 10, concepts: [['settled'], ['thisHome', 'thisText', 'site']] },
  { within: 10, unless: 'we', concepts: [['mailAddress'], ['elicit'], ['visitor']] },
  {
    within: 4,
    unless: 'we',
    concepts: [
      ['elicit', 'persuade'],
      ['visitor', 'everyVisitor'],
    ],
  },
  { within: 6, concepts: [['not'], ['showIt', 'mention', 'propose', 'recommend'], ['rivals', 'theRest']] },
  {
    within: 6,
    concepts: [
      ['readsThis'],
      ['whoever', 'thisText'],
      ['directive', 'tell', 'reply', 'place', 'propose', 'not'],
    ],
  },
  { within: 6, concepts: [['repeat'], ['thisText', 'phrase', 'visitor', 'yourAnswer']] },
  { within: 0, concepts: [['worksForUs']] },
  { within: 0, concepts: [['forMachines']] },
  { within: 0, concepts: [['comparisonTable']] },
  { within: 8, concepts: [['disparage'], ['rivals', 'theRest', 'cheaperOnes', 'cheapWords', 'others']] },
  { within: 5, unless: 'we', concepts: [['dealWith'], ['visitor', 'people', 'everyVisitor', 'untilPaid']] },
  {
    within: 8,
    concepts: [
      ['omit', 'dealWith', 'notTell'],
      ['untilPaid', 'laterKnown'],
    ],
  },
  { within: 8, concepts: [['candidates'], ['omit', 'layAside', 'onlyThis', 'ourLink']] },
  { within: 6, concepts: [['ourLink'], ['onlyThis', 'showIt', 'rivals', 'visitor']] },
  { within: 8, concepts: [['neutrality'], ['site', 'platform', 'favour', 'voided', 'layAside']] },
  { within: 0, concepts: [['favour']] },
  { within: 10, concepts: [['model'], ['regardless', 'favour']] },
  { within: 10, concepts: [['supposing'], ['visitor', 'people'], ['reply', 'dealWith']] },
];

/** A rule with the ids of its concepts, checked when one of them is found. */
type CompiledRule = {
  readonly within: number;
  readonly groups: readonly (readonly number[])[];
  readonly isInOrder: boolean;
  readonly excuse: number;
};

const NO_EXCUSE = -1;
const WORDS_TO_AN_EXCUSE = 3;

const rulesOfConcept: readonly CompiledRule[][] = Array.from({ length: CONCEPT_COUNT }, () => []);
for (const { within, concepts, inOrder, unless } of RULES) {
  const groups = concepts.map((names) => names.map(idOfConcept));
  const excuse = unless === undefined ? NO_EXCUSE : idOfConcept(unless);
  const rule = { within, groups, isInOrder: inOrder === true, excuse };
  // A rule in order is complete only when its last concept is found.
  const completing = rule.isInOrder ? (groups.at(-1) ?? []) : groups.flat();
  for (const concept of new Set(completing)) rulesOfConcept[concept]?.push(rule);
}

// Scans do not interleave, so one array serves all of them.
const lastAt = new Float64Array(CONCEPT_COUNT).fill(Number.NEGATIVE_INFINITY);
let isUsed = false;

/** Whether a folded text names the concepts of a rule close enough to each other. */
export function meetsRule(text: string): boolean {
  // Most labels name no concept, so the array rarely needs clearing.
  if (isUsed) lastAt.fill(Number.NEGATIVE_INFINITY);
  isUsed = false;
  return scanConcepts(text, completesRule);
}

/** Whether a folded text names any concept at all. */
export function namesConcept(text: string): boolean {
  return scanConcepts(text, () => true);
}

const completesRule: ConceptFound = (concept, position) => {
  lastAt[concept] = position;
  isUsed = true;
  for (const rule of rulesOfConcept[concept] ?? []) if (isMet(rule, position)) return true;
  return false;
};

function isMet({ within, groups, isInOrder, excuse }: CompiledRule, position: number): boolean {
  let earliest = position - within;
  if (excuse !== NO_EXCUSE && (lastAt[excuse] ?? 0) >= earliest - WORDS_TO_AN_EXCUSE) return false;
  for (const group of groups) {
    const nearest = latestOf(group);
    if (nearest < earliest) return false;
    if (isInOrder) earliest = nearest;
  }
  return true;
}

function latestOf(group: readonly number[]): number {
  let latest = Number.NEGATIVE_INFINITY;
  for (const concept of group) latest = Math.max(latest, lastAt[concept] ?? latest);
  return latest;
}
