/** One record of a CSV file. `line` is its first line: quoted cells can contain line breaks. */
export type CsvRecord = {
  readonly line: number;
  readonly cells: readonly string[];
  /** Text follows the closing quote of a cell, so the ends of its cells are unknown. */
  readonly isBroken: boolean;
};

type CsvParser = {
  /** The records completed by this piece. */
  push(text: string): readonly CsvRecord[];
  /** The last record, which needs no line break. */
  end(): readonly CsvRecord[];
};

/** The records of the file cannot be separated. The message names the line. */
export class CsvFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CsvFailure';
  }
}

/** In UTF-16 units. Otherwise an unclosed quote would load the rest of the file into memory. */
const MAX_RECORD_LENGTH = 1024 * 1024;

/** A quoted cell and what follows it, or a bare one, and what ends it. Matches nothing while a quote is not closed. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"(?!")([^,\n]*)|(?!")([^,\n]*))(,|\n|$)/y;

/** RFC 4180, with line breaks of either kind. Empty lines are skipped. */
export function createCsvParser(): CsvParser {
  let rest = '';
  let line = 1;

  function parse(text: string, isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let at = 0;
    while (at < text.length) {
      const record = recordAt(text, at, isLast);
      if (!record) break;
      const { cells, isBroken, end } = record;
      if (cells.length > 1 || cells[0] !== '' || text[at] === '"') records.push({ line, cells, isBroken });
      line += text.slice(at, end).split('\n').length - 1;
      at = end;
    }
    rest = text.slice(at);
    if (rest.length > MAX_RECORD_LENGTH) {
      throw new CsvFailure(
        `the record at line ${line} is longer than ${MAX_RECORD_LENGTH} characters: a quote is not closed`,
      );
    }
    return records;
  }

  return {
    push: (text) => parse(rest + text, false),
    end() {
      const records = parse(rest, true);
      if (rest !== '') throw new CsvFailure(`the quote in line ${line} is not closed`);
      return records;
    },
  };
}

/** Undefined when the text ends before the record does. */
function recordAt(text: string, start: number, isLast: boolean) {
  const cells: string[] = [];
  let isBroken = false;
  CELL.lastIndex = start;
  for (;;) {
    const [, quoted, tail = '', bare = '', end] = CELL.exec(text) ?? [];
    // At the end of a piece, the cell may go on in the next.
    if (end === undefined || (end === '' && !isLast)) return undefined;
    cells.push(quoted?.replaceAll('""', '"') ?? (end === ',' ? bare : withoutReturn(bare)));
    isBroken ||= (end === ',' ? tail : withoutReturn(tail)) !== '';
    if (end !== ',') return { cells, isBroken, end: CELL.lastIndex };
  }
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** Spreadsheets read these as formulas, also after blanks and in full width. */
const FORMULA = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;
/** Another separator than the comma would start a cell with a formula here: many locales separate cells by semicolons, and then quotes do not protect. */
const FORMULA_AFTER_SEPARATOR = /([;,|\t\r\n][\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Writes a text as a CSV cell (RFC 4180). Puts an apostrophe before text that a spreadsheet would read as a formula. */
export function csvCell(text: string): string {
  const parted = text.replace(FORMULA_AFTER_SEPARATOR, "$1'");
  const harmless = FORMULA.test(parted) ? `'${parted}` : parted;
  return /[",;\r\n]/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}

/** A row of a table whose columns are found by the names in the header, in any order. */
export type CsvRow<Fault> = {
  /** The line where it begins. */
  readonly line: number;
  /** Trimmed; empty when there is no such column. */
  cell(column: string): string;
  /** Null when its cells could be separated. */
  readonly fault: Fault | null;
};

export type CsvTable<Fault> = {
  /** The rows completed by this piece. */
  push(text: string): readonly CsvRow<Fault>[];
  end(): readonly CsvRow<Fault>[];
};

type Columns = ReadonlyMap<string, number>;

/** Throws a `CsvFailure` that names the file when the table is damaged, empty, or lacks a required column. */
export function createCsvTable<Fault>({
  file,
  required,
  faultOf,
}: {
  readonly file: string;
  readonly required: readonly string[];
  /** The reason completes the sentence "the row …". */
  readonly faultOf: (reason: string) => Fault;
}): CsvTable<Fault> {
  const parser = createCsvParser();
  let columns: Columns | undefined;

  function rowsIn(read: () => readonly CsvRecord[]): readonly CsvRow<Fault>[] {
    const records = recordsOrFailure(file, read);
    const [first] = records;
    if (columns || !first) return columns ? rowsWith(records, columns) : [];
    columns = columnsOf(first, file, required);
    return rowsWith(records.slice(1), columns);
  }

  function rowsWith(records: readonly CsvRecord[], named: Columns): readonly CsvRow<Fault>[] {
    return records.map((record) => {
      const reason = rowFault(record, named);
      return {
        line: record.line,
        cell(column) {
          const index = named.get(column);
          return index === undefined ? '' : (record.cells[index] ?? '').trim();
        },
        fault: reason === null ? null : faultOf(reason),
      };
    });
  }

  return {
    push: (text) => rowsIn(() => parser.push(text)),
    end() {
      const rows = rowsIn(() => parser.end());
      if (!columns) throw new CsvFailure(`${file} is empty`);
      return rows;
    },
  };
}

function recordsOrFailure(file: string, read: () => readonly CsvRecord[]): readonly CsvRecord[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CsvFailure)) throw error;
    throw new CsvFailure(`${file}: ${error.message}`, { cause: error });
  }
}

function columnsOf({ cells }: CsvRecord, file: string, required: readonly string[]): Columns {
  // Spreadsheets use this separator in locales with a decimal comma.
  if (required.length > 1 && cells.length === 1 && cells[0]?.includes(';')) {
    throw new CsvFailure(`${file}:1: its columns are separated by semicolons; separate them by commas`);
  }
  const columns = new Map(cells.map((name, index) => [name.trim().toLowerCase(), index]));
  const missing = required.filter((name) => !columns.has(name));
  if (missing.length > 0) throw new CsvFailure(`${file}:1: there is no column ${missing.join(', ')}`);
  return columns;
}

function rowFault({ cells, isBroken }: CsvRecord, columns: Columns): string | null {
  if (isBroken) return 'has text behind the closing quote of a cell';
  return cells.length === columns.size
    ? null
    : `has ${cells.length} cells where the header has ${columns.size}`;
}
