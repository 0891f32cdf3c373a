const CHARACTERS_PER_TYPO = 4;
const MAX_TYPOS = 3;

/** How many typos may lie between two words that are taken for the same one: none in very short words. */
export function typosAllowed(one: string, other: string): number {
  return Math.min(MAX_TYPOS, Math.floor(Math.max(one.length, other.length) / CHARACTERS_PER_TYPO));
}

/**
 * The number of typos between two words: a letter too many, missing, wrong, or swapped with its neighbour. `undefined` when
 * there are more than `atMost`. No part of a word is edited twice ("optimal string alignment").
 */
export function editDistance(one: string, other: string, atMost: number): number | undefined {
  const [from, to] = [Array.from(one), Array.from(other)];
  if (Math.abs(from.length - to.length) > atMost) return undefined;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    let smallest = row + 1;
    for (const [column, target] of to.entries()) {
      const replaced = (last[column] ?? 0) + (letter === target ? 0 : 1);
      const swapped =
        letter === to[column - 1] && from[row - 1] === target
          ? (beforeLast[column - 1] ?? Number.POSITIVE_INFINITY) + 1
          : Number.POSITIVE_INFINITY;
      const cost = Math.min(replaced, swapped, (last[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1);
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    // A swap reaches back two rows, so both must be beyond the bound before it is hopeless.
    if (smallest > atMost && Math.min(...last) > atMost) return undefined;
    [beforeLast, last] = [last, current];
  }
  const distance = last[to.length] ?? 0;
  return distance <= atMost ? distance : undefined;
}
