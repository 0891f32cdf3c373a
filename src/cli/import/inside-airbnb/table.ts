import { basename } from 'node:path';
import type { PlacedFault } from '../../../connectors/shared/listings/first-fault.ts';
import { CsvFailure, type CsvRow, type CsvTable, createCsvTable } from '../../../parsing/csv.ts';
import { ownText } from '../../../parsing/owned-memory.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { isCurrency, type MinorUnits, parseAmount } from '../../../stay/money.ts';
import { isTimeZone } from '../../../stay/time-zone.ts';
import type { CliTools } from '../../command.ts';
import { shellOption, UsageFault } from '../../faults.ts';
import type { PlaceInFile } from '../../network-file.ts';
import { explained, ImportFailure, openImportFiles } from '../import-job.ts';

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

const MAX_ID_LENGTH = 64;

/** The city in the name of a file: `new-york-city-listings.csv.gz` gives New York City. */
export function cityOfFile(path: string): string {
  const words = basename(path)
    .replace(/\.(?:csv|gz)\b.*$/i, '')
    .replace(/[-_. ]*listings?[-_. ]*/i, ' ')
    .split(/[-_. ]+/)
    .filter((word) => /^\p{L}/u.test(word));
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || 'Imported city';
}

export function placeIdOf(city: string): string {
  const id = city
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_ID_LENGTH);
  return id || 'imported-city';
}

export function assertCurrency(code: string | undefined): void {
  if (code === undefined || isCurrency(code)) return;
  throw new UsageFault(
    [`${shellOption('--currency', code)} is not a currency code.`],
    'use an ISO 4217 code such as EUR',
  );
}

/** The value of an option or of the network file. An existing place is not changed, so the two have to agree. */
export function agreed(
  option: string,
  given: string | undefined,
  place: PlaceInFile | undefined,
  member: 'currency' | 'time_zone',
): string | undefined {
  const known = place?.[member];
  if (typeof known !== 'string' || known === given) return given;
  if (place === undefined || given === undefined) return known;
  throw new UsageFault(
    [`${option} is ${given}, and ${place.id} has ${known} in the network file.`],
    `mend it there, or leave out ${option}`,
  );
}

/** The time zone from the option, from the network file, from the owner's answer, or guessed by the longitude of the homes. */
export async function timeZoneFor(
  listings: string,
  place: PlaceInFile | undefined,
  timeZone: string | undefined,
  { terminal, signal }: Pick<CliTools, 'terminal' | 'signal'>,
): Promise<{ readonly name: string; readonly isGuess: boolean }> {
  const known = agreed('--time-zone', timeZone, place, 'time_zone');
  if (known !== undefined && isTimeZone(known)) return { name: known, isGuess: false };
  const guess = terminal.canAsk ? undefined : await explained(() => findTimeZone(listings, signal));
  if (guess !== undefined) return { name: guess, isGuess: true };
  const name = await terminal.ask({
    message: 'Time zone of the city, such as America/New_York',
    option: '--time-zone',
    faultOf: (text) => (isTimeZone(text) ? undefined : 'That is not a time zone such as America/New_York.'),
  });
  return { name, isGuess: false };
}

const DEGREES_OF_AN_HOUR = 15;
const LONGITUDE = /^-?\d{1,3}(?:\.\d+)?$/;

/**
 * The nautical time zone of the first home with a longitude, without summer time; undefined when no home has one. Legal time follows
 * borders, so the guess can be some hours off.
 */
async function findTimeZone(listings: string, signal: AbortSignal): Promise<string | undefined> {
  const files = await openImportFiles([listings], { signal });
  for await (const rows of tableRows(files.chunksOf(listings), listings, [])) {
    for (const row of rows) {
      const longitude = row.fault ? '' : row.cell('longitude');
      if (LONGITUDE.test(longitude) && Math.abs(Number(longitude)) <= 180) return zoneAt(Number(longitude));
    }
  }
  return undefined;
}

/** The sign of these names is inverted: `Etc/GMT+5` is five hours behind UTC. */
function zoneAt(longitude: number): string {
  const hours = Math.round(longitude / DEGREES_OF_AN_HOUR);
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
