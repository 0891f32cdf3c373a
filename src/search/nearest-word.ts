/** The listed word that `word` most likely stands for, when one is close enough. */
export function nearestWord(word: string, among: readonly string[]): string | undefined {
  const folded = word.toLowerCase();
  const maxDistance = Math.floor(folded.length / 3);
  let nearest: string | undefined;
  let least = maxDistance + 1;
  for (const candidate of among) {
    // A longer word is further away than this, whatever its letters are.
    if (Math.abs(candidate.length - folded.length) > maxDistance) continue;
    const distance = editDistance(folded, candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
