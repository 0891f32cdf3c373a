import { stripVTControlCharacters } from 'node:util';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Scripts and signs that take two columns of a terminal: East Asian wide and fullwidth forms, and pictures. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** How many columns of a terminal a text takes; colours take none. */
export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of plain ASCII begins with them.
  if (/^[\x00-\x7f]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemes.segment(plain)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Without colours: as much of the text as fits, with an ellipsis where something is missing. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let [cut, width] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    width += displayWidth(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

export function padToWidth(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const room = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return side === 'left' ? text + room : room + text;
}
