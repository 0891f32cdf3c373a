import { editDistance, typosAllowed } from './edit-distance.ts';
import type { FoldedName } from './place-names.ts';

// Shorter names and beginnings are in too many texts to mean anything: "it" is a word before it is Italy.
const MIN_TELLING_LENGTH = 3;
const MIN_TELLING_LENGTH_OF_DENSE_SCRIPT = 2;
const MIN_WORD_IN_NAME_LENGTH = 4;
// Scripts in which two characters make a name, and what stands around it ("near", "station") is often written without a space.
const DENSE_SCRIPT =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/u;

/** The smaller, the nearer. The number of typos is added to the last. */
export const NAME_DISTANCE = { same: 0, beginsAlike: 1, sharesWords: 2, hasTypos: 3 } as const;

/** How near a name is to a text; `undefined` when they are not alike. */
export function nameDistance(text: FoldedName, name: FoldedName): number | undefined {
  if (text.joined === name.joined) return NAME_DISTANCE.same;
  if (name.joined.startsWith(text.joined) && isTelling(text.joined)) return NAME_DISTANCE.beginsAlike;
  if (text.joined.includes(name.joined) && DENSE_SCRIPT.test(name.joined) && isTelling(name.joined)) {
    // The longer one is meant: 東京都 has 京都 in it.
    return NAME_DISTANCE.sharesWords - name.joined.length / text.joined.length;
  }
  if (holdsWords(text.words, name.words) && isTelling(name.joined)) return NAME_DISTANCE.sharesWords;
  if (holdsWords(name.words, text.words) && text.joined.length >= MIN_WORD_IN_NAME_LENGTH) {
    return NAME_DISTANCE.sharesWords;
  }
  const typos = editDistance(text.joined, name.joined, typosAllowed(text.joined, name.joined));
  return typos === undefined ? undefined : NAME_DISTANCE.hasTypos + typos;
}

/** Whether a folded text is long enough to tell a place by it. */
export function isTelling(folded: string): boolean {
  const isDense = DENSE_SCRIPT.test(folded);
  return folded.length >= (isDense ? MIN_TELLING_LENGTH_OF_DENSE_SCRIPT : MIN_TELLING_LENGTH);
}

function holdsWords(text: string, words: string): boolean {
  return text.includes(words) && ` ${text} `.includes(` ${words} `);
}
