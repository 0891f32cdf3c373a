import { basename } from 'node:path';
import type { PlacedFault } from '../../operators/first-fault.ts';
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
  const parser = createCsvParser();
  let columns: Columns | undefined;
  const rowsOf = (records: readonly CsvRecord[]): readonly TableRow[] => {
    const [first] = records;
    if (columns || !first) return columns ? rowsWith(records, columns) : [];
    columns = columnsOf(first, path, required);
    return rowsWith(records.slice(1), columns);
  };
  try {
    for await (const chunk of chunks) yield rowsOf(parser.push(decoder.decode(chunk, { stream: true })));
    yield rowsOf([...parser.push(decoder.decode()), ...parser.end()]);
  } catch (error) {
    if (error instanceof ImportFailure && !error.message.startsWith(basename(path))) {
      throw new ImportFailure(`${basename(path)}: ${error.message}`, { cause: error });
    }
    throw error;
  }
  if (!columns) throw new ImportFailure(`${basename(path)} is empty`);
}

function columnsOf({ cells }: CsvRecord, path: string, required: readonly string[]): Columns {
  const columns = new Map(cells.map((name, index) => [name.trim().toLowerCase(), index]));
  const missing = required.filter((name) => !columns.has(name));
  if (missing.length > 0) {
    throw new ImportFailure(`${basename(path)}:1: there is no column ${missing.join(', ')}`);
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
