import { CsvFailure, type CsvRecord, createCsvParser } from './csv-records.ts';

/** A row of a table, whose columns are found by the names in its first line, in whatever order they are. */
export type CsvRow<Fault> = {
  /** Where it begins. */
  readonly line: number;
  /** Trimmed; empty when there is no such column. */
  cell(column: string): string;
  /** Null when its cells can be told apart. */
  readonly fault: Fault | null;
};

export type CsvTable<Fault> = {
  /** The rows that end in what was pushed so far. */
  push(text: string): readonly CsvRow<Fault>[];
  end(): readonly CsvRow<Fault>[];
};

type Columns = ReadonlyMap<string, number>;

/** Throws a `CsvFailure` that names the file when it is no such table: damaged, empty, or without a required column. */
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
  // As spreadsheets write them where the comma is in numbers.
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
