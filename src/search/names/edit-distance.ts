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
  if (Math.abs(one.length - other.length) > atMost) return undefined;
  const far = atMost + 1;
  const emptyRow = () => new Array<number>(other.length + 2).fill(far);
  let beforeLast = emptyRow();
  let last = emptyRow();
  let current = emptyRow();
  for (let column = 0; column <= Math.min(atMost, other.length); column += 1) last[column] = column;
  for (let row = 1; row <= one.length; row += 1) {
    // Cells further from the diagonal than the bound cost more than the bound.
    const start = Math.max(1, row - atMost);
    const end = Math.min(other.length, row + atMost);
    current[start - 1] = row;
    let nearest = row;
    for (let column = start; column <= end; column += 1) {
      const isSame = one.charCodeAt(row - 1) === other.charCodeAt(column - 1);
      let cost = Math.min(
        (last[column - 1] ?? far) + (isSame ? 0 : 1),
        (last[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1,
      );
      if (
        row > 1 &&
        column > 1 &&
        one.charCodeAt(row - 1) === other.charCodeAt(column - 2) &&
        one.charCodeAt(row - 2) === other.charCodeAt(column - 1)
      ) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? far) + 1);
      }
      current[column] = cost;
      nearest = Math.min(nearest, cost);
    }
    if (nearest > atMost) return undefined;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  const distance = last[other.length] ?? far;
  return distance <= atMost ? distance : undefined;
}
