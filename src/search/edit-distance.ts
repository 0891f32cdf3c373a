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
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = new Array<number>(other.length + 1).fill(far);
    current[0] = row;
    let nearest = row;
    // Cells further from the diagonal than the bound cost more than the bound.
    const end = Math.min(other.length, row + atMost);
    for (let column = Math.max(1, row - atMost); column <= end; column += 1) {
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
    // A swap reaches back two rows, but costs one more than what it starts from.
    if (nearest > atMost && Math.min(...last) >= atMost) return undefined;
    [beforeLast, last] = [last, current];
  }
  const distance = last[other.length] ?? far;
  return distance <= atMost ? distance : undefined;
}
