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
