const WIDTH = 80;
const GAP = '  ';
/** The last column is left at least this much room, or goes on lines of its own. */
const MIN_ROOM = 30;

/** Text of at most 80 columns; lines after the first are indented as told. */
export function paragraph(text: string, indent = ''): string {
  return wrapped(text, WIDTH - indent.length)
    .map((line, index) => (index === 0 ? line : indent + line).trimEnd())
    .join('\n');
}

/** A table of at most 80 columns: the last column takes what is left, and its text is wrapped. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: Math.max(0, columns - 1) }, (_, column) =>
    Math.max(...rows.map((row) => visibleLength(row[column] ?? ''))),
  );
  const before = indent.length + widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const room = WIDTH - before;
  if (room < MIN_ROOM) return stacked(rows, indent);
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

/** For columns that leave too little room: the last one below the others. */
function stacked(rows: readonly (readonly string[])[], indent: string): string {
  const below = `${indent}  `;
  return rows
    .flatMap((row) => [
      ...wrapped(row.slice(0, -1).join(GAP), WIDTH - indent.length).map((line) => indent + line),
      ...wrapped(row.at(-1) ?? '', WIDTH - below.length).map((line) => below + line),
    ])
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Words are kept whole; one that is longer than the room stands alone. */
function wrapped(text: string, room: number): readonly string[] {
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
