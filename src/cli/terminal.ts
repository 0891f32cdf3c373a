import { stripVTControlCharacters } from 'node:util';

/** How commands print and ask. They never write to the process's streams themselves. */
export type Terminal = {
  /** Whether a person is there to answer. */
  readonly canAsk: boolean;
  /** Whether a person sees the output: it may go to a file or to another program instead. */
  readonly isSeen: boolean;
  /** The result of a command. */
  print(text: string): void;
  /** Progress notes, on the error stream, so that a result can be piped. */
  note(text: string): void;
  /** Rejects with `Interrupted` when the person gives up, and with a `UsageFault` when no person is there to ask. */
  ask(question: Question): Promise<string>;
  /** A note for every tenth part of the work. */
  progress(title: string): Progress;
  styled(style: TextStyle, text: string): string;
};

export type TextStyle = 'good' | 'bad' | 'warning' | 'faint' | 'strong';

export type Question = {
  readonly message: string;
  /** The option that answers it where no person can be asked. */
  readonly option: string;
  readonly isSecret?: boolean;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly initial?: string;
  /** Returns the fault of an answer; undefined for a valid one. */
  readonly faultOf?: (answer: string) => string | undefined;
};

export type Progress = {
  update(done: number, total: number): void;
  end(text: string): void;
};

const WIDTH = 80;
const GAP = '  ';
/** With fewer columns left, the last cell goes on separate lines. */
const MIN_LAST_COLUMN = 30;

/** Wraps a text at 80 columns and indents the lines after the first. */
export function paragraph(text: string, indent = ''): string {
  return wrapped(text, WIDTH - indent.length)
    .map((line, index) => (index === 0 ? line : indent + line).trimEnd())
    .join('\n');
}

/** A table of at most 80 columns: the last column takes the rest of the width and is wrapped. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: Math.max(0, columns - 1) }, (_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  const before = indent.length + widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const rest = WIDTH - before;
  if (rest < MIN_LAST_COLUMN) return stacked(rows, indent);
  return rows
    .map((row) => {
      const lead = widths.map((width, column) => padToWidth(row[column] ?? '', width)).join(GAP);
      const [first = '', ...others] = wrapped(row[columns - 1] ?? '', rest);
      const start = columns > 1 ? `${indent}${lead}${GAP}${first}` : `${indent}${first}`;
      return [start, ...others.map((line) => ' '.repeat(before) + line)]
        .map((line) => line.trimEnd())
        .join('\n');
    })
    .join('\n');
}

/** For wide columns: the last one goes below the others. */
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

/** Never breaks a word; one that is too long gets a separate line. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Scripts and signs that take two columns of a terminal: East Asian wide and fullwidth forms, and pictures. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** How many columns of a terminal a text takes, with wide scripts and pictures as two; colours take none. */
export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of plain ASCII begins with them.
  if (/^[\x00-\x7f]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemes.segment(plain)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

export function padToWidth(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const padding = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return side === 'left' ? text + padding : padding + text;
}

/** `1 listing`, `2 listings`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** An operator can name any number of hosts and cities. */
const MAX_SHOWN = 20;

/** One paragraph for each warning. The lines after its first are commands to paste, and are not wrapped. */
export function warningLines(
  warnings: readonly string[],
  { styled }: Pick<Terminal, 'styled'>,
): readonly string[] {
  const shown = warnings.slice(0, MAX_SHOWN).map((warning) => {
    const [text = '', ...options] = warning.split('\n');
    return [paragraph(`${styled('warning', '!')} ${text}`, '  '), ...options].join('\n    ');
  });
  const more = warnings.length - shown.length;
  return more > 0 ? [...shown, `  … and ${more} more`] : shown;
}
