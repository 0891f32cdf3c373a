import { basename } from 'node:path';
import type { PlacedFault } from '../../../connectors/shared/listings/first-fault.ts';
import { CsvFailure, type CsvRow, type CsvTable, createCsvTable } from '../../../parsing/csv.ts';
import { ownText } from '../../../parsing/owned-memory.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { type MinorUnits, parseAmount } from '../../../stay/money.ts';
import { ImportFailure } from '../import-job.ts';

/** A row of a published table; its columns differ from year to year. */
export type TableRow = CsvRow<PlacedFault>;

/** Yields the rows of a CSV file chunk by chunk. Refuses a file without a required column. */
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

const PRICE = /^([^\d\s.,+-]{0,3})\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{1,6})?$/;
/** Longer than any accepted amount with its sign and commas. */
export const MAX_PRICE_LENGTH = 40;
/** The nights of a city share some hundred prices, so readings are cached. */
const MAX_REMEMBERED = 10_000;

/** The published files may write $ for every currency, so a sign only suggests one. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
]);

type PriceFault = Pick<PlacedFault, 'rule' | 'reason'>;
export type PriceReader = (text: string) => Reading<MinorUnits, PriceFault>;

/** The currency of a price by its sign; undefined for a text that is no price and for an unknown or missing sign. */
export function currencyOfPrice(text: string): string | undefined {
  return CURRENCIES.get(PRICE.exec(text)?.[1] ?? '');
}

/** Reads `$1,234.00`. All prices need the sign of the first one. */
export function createPriceReader(currency: string): PriceReader {
  const known = new Map<string, Reading<MinorUnits, PriceFault>>();
  let expectedSign = '';

  function read(text: string): Reading<MinorUnits, PriceFault> {
    const match = text.length > MAX_PRICE_LENGTH ? null : PRICE.exec(text);
    if (!match) return invalid({ rule: 'wrong_format', reason: 'must be a price such as $1,234.00' });
    const [, sign = '', whole = '', fraction = ''] = match;
    expectedSign ||= sign;
    if (sign !== '' && sign !== expectedSign) {
      return invalid({
        rule: 'other_currency',
        reason: `has another sign than ${expectedSign}, which came first`,
      });
    }
    const amount = parseAmount(whole.replaceAll(',', '') + fraction, currency);
    if (amount !== undefined) return valid(amount);
    return invalid({ rule: 'price_too_fine', reason: `is finer than ${currency} or too large` });
  }

  return (text) => {
    const remembered = known.get(text);
    if (remembered) return remembered;
    const reading = read(text);
    if (known.size < MAX_REMEMBERED && text.length <= MAX_PRICE_LENGTH) known.set(ownText(text), reading);
    return reading;
  };
}
