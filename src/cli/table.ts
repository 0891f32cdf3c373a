const WIDTH = 80;
const GAP = '  ';

/** A table of at most 80 columns: the last column takes what is left, and its text is wrapped. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: Math.max(0, columns - 1) }, (_, column) =>
    Math.max(...rows.map((row) => visibleLength(row[column] ?? ''))),
  );
  const before = indent.length + widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const room = Math.max(20, WIDTH - before);
  return rows
    .map((row) => {
      const lead = widths.map((width, column) => padded(row[column] ?? '', width)).join(GAP);
      const [first = '', ...others] = wrapped(row[columns - 1] ?? '', room);
      const start = columns > 1 ? `${indent}${lead}${GAP}${first}` : `${indent}${first}`;
      return [start, ...others.map((line) => ' '.repeat(before) + line)]
        .map((line) => line.trimEnd())
        .join('\n');
    })
    .join('\n');
}

/** Words are kept whole; one that is longer than the room stands alone. */
export function wrapped(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && visibleLength(line) + 1 + visibleLength(word) > room) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - visibleLength(text)));
}

/** Colours take no room. */
function visibleLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colours begin with one.
  return text.replace(/\u001b\[\d+m/g, '').length;
}
