import { basename } from 'node:path';
import type { PlacedFault } from '../../../connectors/shared/listings/first-fault.ts';
import { CsvFailure, type CsvRow, type CsvTable, createCsvTable } from '../../../parsing/csv.ts';
import { ImportFailure } from '../import-failure.ts';

/** A row of a published table; layouts differ from year to year. */
export type TableRow = CsvRow<PlacedFault>;

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

/** Throws an `ImportFailure` that names the file. */
export function createTableReader(file: string, required: readonly string[]): CsvTable<PlacedFault> {
  const table = createCsvTable({ file, required, faultOf: brokenRow });
  return {
    push: (text) => rowsOrFailure(() => table.push(text)),
    end: () => rowsOrFailure(() => table.end()),
  };
}

function rowsOrFailure(read: () => readonly TableRow[]): readonly TableRow[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CsvFailure)) throw error;
    throw new ImportFailure(error.message, { cause: error });
  }
}

function brokenRow(reason: string): PlacedFault {
  return { field: '', rule: 'broken_row', reason };
}
