import type { Concept } from './concept-words.ts';

/** Concepts that mean something to an assistant when they stand within so many words of each other, in any order or in theirs. */
export type ConceptRule = {
  readonly within: number;
  readonly concepts: readonly (readonly Concept[])[];
  readonly inOrder?: true;
};

export const RULES: readonly ConceptRule[] = [
  { within: 0, concepts: [['pretend']] },
  { within: 0, concepts: [['secret']] },
  { within: 6, concepts: [['override'], ['instruction']] },
  { within: 8, concepts: [['override'], ['rule'], ['previous']] },
  { within: 5, concepts: [['override'], ['previous']] },
  { within: 6, concepts: [['show', 'send', 'say'], ['instruction'], ['previous']] },
  { within: 6, concepts: [['model'], ['recommend', 'override', 'first', 'attention']] },
  { within: 4, concepts: [['model'], ['directive', 'say', 'youAre', 'instruction']] },
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
  { within: 8, concepts: [['place'], ['cheaperOnes'], ['top', 'thisHome']] },
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
];
