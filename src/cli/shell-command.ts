import { shownText } from '../catalogue/rejections/rejected-value.ts';

const WIDTH = 80;
const CONTINUED = ' \\\n    ';

/** A `staywire` command line to paste: quoted where a shell needs it, and broken before options where it is long. */
export function shellCommand(words: readonly string[]): string {
  const parts: string[][] = [['staywire']];
  for (const word of words) {
    const last = parts.at(-1);
    if (word.startsWith('--') || !last) parts.push([shellWord(word)]);
    else last.push(shellWord(word));
  }
  const lines: string[] = [];
  for (const part of parts.map((each) => each.join(' '))) {
    const line = lines.at(-1);
    const isFull = line === undefined || line.length + part.length + CONTINUED.length > WIDTH;
    if (isFull) lines.push(part);
    else lines[lines.length - 1] = `${line} ${part}`;
  }
  return lines.join(CONTINUED);
}

/** An option to paste whose text an operator wrote: quoted, so that a shell runs nothing in it, and shown as in reports. */
export function shellOption(option: string, text: string, after = ''): string {
  return optionWords(option, shownText(text) + after)
    .map(shellWord)
    .join(' ');
}

/** A value that begins with a hyphen needs `=`: it would be read as another option. */
export function optionWords(option: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`${option}=${value}`] : [option, value];
}

export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** How to read the homes of a new brand. A running service reads the network file only at its start, and locks its store against `staywire sync`. */
export function nextStepFor(brand: string, isServing: boolean): string {
  return isServing ? 'restart the service' : shellCommand(['sync', brand]);
}
