import { RULES } from './concept-rules.ts';
import { CONCEPT_COUNT, type ConceptFound, idOfConcept, scanConcepts } from './concept-scanner.ts';

/** A rule with the ids of its concepts, as it is checked when one of them is found. */
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
  // What is said in order is complete only when its last concept is found.
  const completing = rule.isInOrder ? (groups.at(-1) ?? []) : groups.flat();
  for (const concept of new Set(completing)) rulesOfConcept[concept]?.push(rule);
}

// Scans do not interleave, so one array serves all of them.
const lastAt = new Float64Array(CONCEPT_COUNT).fill(Number.NEGATIVE_INFINITY);
let isUsed = false;

/** Whether a folded text names the concepts of a rule close enough to each other. */
export function meetsRule(text: string): boolean {
  // Most labels name no concept at all.
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
