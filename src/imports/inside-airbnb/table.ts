import { basename } from 'node:path';
import type { PlacedFault } from '../../operators/listings/first-fault.ts';
import { type CsvRecord, createCsvParser } from '../csv-records.ts';
import { ImportFailure } from '../import-failure.ts';

/** A row of a table, whose columns are found by their names: layouts differ from year to year. */
export type TableRow = {
  readonly line: number;
  /** Trimmed; empty when there is no such column. */
  cell(column: string): string;
  /** Null when the row can be read. */
  readonly fault: PlacedFault | null;
};

type Columns = ReadonlyMap<string, number>;

/** The rows of a CSV file, as many at a time as a piece of the file holds. A file without a required column is refused. */
export async function* tableRows(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  required: readonly string[],
): AsyncGenerator<readonly TableRow[]> {
  const decoder = new TextDecoder('utf-8');
  const table = createTableReader(basename(path), required);
  for await (const chunk of chunks) yield table.push(decoder.decode(chunk, { stream: true }));
  yield table.push(decoder.decode());
  yield table.end();
}

export type TableReader = {
  /** The rows that end in what was pushed so far. */
  push(text: string): readonly TableRow[];
  end(): readonly TableRow[];
};

/** Throws an `ImportFailure` that names the file. */
export function createTableReader(file: string, required: readonly string[]): TableReader {
  const parser = createCsvParser();
  let columns: Columns | undefined;

  function rowsIn(read: () => readonly CsvRecord[]): readonly TableRow[] {
    const records = recordsOrFailure(file, read);
    const [first] = records;
    if (columns || !first) return columns ? rowsWith(records, columns) : [];
    columns = columnsOf(first, file, required);
    return rowsWith(records.slice(1), columns);
  }

  return {
    push: (text) => rowsIn(() => parser.push(text)),
    end() {
      const rows = rowsIn(() => parser.end());
      if (!columns) throw new ImportFailure(`${file} is empty`);
      return rows;
    },
  };
}

function recordsOrFailure(file: string, read: () => readonly CsvRecord[]): readonly CsvRecord[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new ImportFailure(`${file}: ${error.message}`, { cause: error });
  }
}

function columnsOf({ cells }: CsvRecord, file: string, required: readonly string[]): Columns {
  const columns = new Map(cells.map((name, index) => [name.trim().toLowerCase(), index]));
  const missing = required.filter((name) => !columns.has(name));
  if (missing.length > 0) {
    throw new ImportFailure(`${file}:1: there is no column ${missing.join(', ')}`);
  }
  return columns;
}

function rowsWith(records: readonly CsvRecord[], columns: Columns): readonly TableRow[] {
  return records.map(({ line, cells, isBroken }) => ({
    line,
    cell(column) {
      const index = columns.get(column);
      return index === undefined ? '' : (cells[index] ?? '').trim();
    },
    fault: isBroken ? AFTER_A_QUOTE : cells.length === columns.size ? null : otherWidth(cells, columns),
  }));
}

const AFTER_A_QUOTE: PlacedFault = {
  field: '',
  rule: 'broken_row',
  reason: 'has text behind the closing quote of a cell',
};

function otherWidth(cells: readonly string[], columns: Columns): PlacedFault {
  const reason = `has ${cells.length} cells where the header has ${columns.size}`;
  return { field: '', rule: 'broken_row', reason };
}
