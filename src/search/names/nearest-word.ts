import { editDistance, typosAllowed } from './edit-distance.ts';
import { foldIntoOneWord } from './fold-text.ts';

const MAX_WORD_LENGTH = 64;

/** The word that was most likely meant by a misspelt one; the first of several that are equally near. */
export function nearestWord(word: string, among: readonly string[]): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined;
  const wanted = foldIntoOneWord(word);
  if (wanted === '') return undefined;
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of among) {
    const folded = foldIntoOneWord(candidate);
    const typos = editDistance(wanted, folded, Math.min(typosAllowed(wanted, folded), fewest - 1));
    if (typos === undefined) continue;
    nearest = candidate;
    fewest = typos;
  }
  return nearest;
}
