const WIDTH = 80;
const CONTINUED = ' \\\n    ';

/** A command line that can be pasted: quoted where a shell needs it, and broken before options where it is long. */
export function shellCommand(words: readonly string[]): string {
  const parts: string[][] = [['staywire']];
  for (const word of words) {
    const last = parts.at(-1);
    if (word.startsWith('--') || !last) parts.push([quoted(word)]);
    else last.push(quoted(word));
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

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
