// Latin letters that Unicode does not take apart into a base letter and a mark, and the sigma at the end of a word.
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  ['ßss', 'æae', 'œoe', 'øo', 'łl', 'đd', 'ðd', 'þth', 'ħh', 'ŧt', 'ŋng', 'ıi', 'ςσ'].map((letter) => [
    letter.slice(0, 1),
    letter.slice(1),
  ]),
);
const SPECIAL_LETTER = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'g');

// Accents, Hebrew points, Arabic vowel signs and invisible characters. The marks of Indic scripts, Thai and kana are part of
// their letters and stay.
const ACCENT =
  /[[\p{Script=Inherited}--[\u3099\u309a]][\p{M}&&\p{Script=Hebrew}]\p{Default_Ignorable_Code_Point}]/gv;
// Modifier letters such as the okina are written as apostrophes elsewhere.
const NO_LETTER = /[[^\p{L}\p{N}\p{M}][\u02b9-\u02ff]]+/gv;

/** Text for comparison: words in lower case without accents and punctuation, with one space between them. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENT, '')
    .replace(SPECIAL_LETTER, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .replace(NO_LETTER, ' ')
    .normalize('NFC')
    .trim();
}

/** The same without spaces, so that "N.Y.C." equals "NYC", and "King’s Cross" equals "Kings Cross". */
export function foldIntoOneWord(text: string): string {
  return foldText(text).replaceAll(' ', '');
}

const CHARACTERS_PER_TYPO = 4;
const MAX_TYPOS = 3;

/** How many typos two words may differ by and still count as the same: none for very short words. */
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
    // Skip cells further from the diagonal than the bound: they cost more than it.
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

const MAX_WORD_LENGTH = 64;

/** The word that a misspelt one most likely means; the first of several that are equally near. */
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
