import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { UnmappedAmenity } from '../../catalogue/rejections/rejection.ts';
import type { RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import {
  type NightPeriod,
  type NightPeriods,
  unpackPeriods,
} from '../../connectors/shared/calendars/night-periods.ts';
import type { PlacedFault } from '../../connectors/shared/listings/first-fault.ts';
import type { Listing } from '../../connectors/shared/listings/listing.ts';
import { readListing } from '../../connectors/shared/listings/listing-reader.ts';
import { FileTooLarge, fileBytes } from '../../connectors/shared/plain/plain-file.ts';
import {
  type CalendarLine,
  MAX_CALENDAR_LINE_PERIODS,
  PLAIN_FORMAT,
  PLAIN_VERSION,
} from '../../connectors/shared/plain/plain-line.ts';
import { CsvFailure } from '../../parsing/csv.ts';
import { ownText } from '../../parsing/owned-memory.ts';
import { formatDay } from '../../stay/day.ts';
import { formatAmount } from '../../stay/money.ts';
import { createFoundCities, createFoundHosts, type FoundCity, type FoundHost } from '../discover-listings.ts';
import { UsageFault } from '../faults.ts';

type ImportProgress = { readonly bytesRead: number; readonly totalBytes: number };

/** The options of every import besides its files. */
export type ImportOptions = {
  /** The file that gets the homes, in the plain format. It is written completely or not at all. */
  readonly output: string;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import; nothing is written. */
  readonly signal?: AbortSignal;
};

export type ImportSummary = {
  readonly properties: number;
  /** Homes with a calendar. */
  readonly calendars: number;
  /** Rows or periods that were taken. */
  readonly calendarRows: number;
  /** The first thousand; `rejectionCounts` counts all. */
  readonly rejections: readonly ImportFault[];
  readonly rejectionCounts: Readonly<Partial<Record<RejectionRule, number>>>;
  readonly unmappedAmenities: readonly UnmappedAmenity[];
  readonly milliseconds: number;
};

/** A rejected row, or a part of one. */
export type ImportFault = PlacedFault & {
  readonly file: string;
  readonly line: number;
  /** The home; null when the row does not name one. */
  readonly reference: string | null;
};

/** Enough to see the faults; more are only counted. */
const MAX_LISTED = 1000;

/** Lists the first thousand faults in the order in which they were found, and counts all of them. */
export function createImportReport() {
  const listed: ImportFault[] = [];
  const counts: Partial<Record<RejectionRule, number>> = {};
  return {
    add(fault: ImportFault): void {
      counts[fault.rule] = (counts[fault.rule] ?? 0) + 1;
      if (listed.length < MAX_LISTED) listed.push(withOwnTexts(fault));
    },
    listed: (): readonly ImportFault[] => listed,
    counts: (): ImportSummary['rejectionCounts'] => counts,
  };
}

/** Copies the texts of a fault, which would otherwise hold the chunk of the file in memory. */
export function withOwnTexts<Fault extends PlacedFault & Partial<Pick<ImportFault, 'reference'>>>(
  fault: Fault,
): Fault {
  const { reason, value, reference } = fault;
  return {
    ...fault,
    reason: ownText(reason),
    ...(value === undefined ? {} : { value: ownText(value) }),
    ...(typeof reference === 'string' ? { reference: ownText(reference) } : {}),
  };
}

/** `listings.csv.gz:12: date must be a day, YYYY-MM-DD: tomorrow` */
export function describeImportFault({ file, line, field, reason, value }: ImportFault): string {
  const place = `${file}:${line}: ${field === '' ? '' : `${field} `}${reason}`;
  // The reason names a short and harmless value already.
  return value === undefined || reason.startsWith(`is ${value},`)
    ? place
    : `${place}: ${value === '' ? '(empty)' : value}`;
}

/** A file that cannot be imported at all. Its message is for the person at the terminal; nothing was written. */
export class ImportFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ImportFailure';
  }
}

/** After unpacking. The largest published city has some hundred megabytes. */
const MAX_FILE_BYTES = 8 * 1024 ** 3;

/** Opens files to be read once each, one after the other, with the progress over all. Every error names its file. */
export async function openImportFiles(
  paths: readonly string[],
  { onProgress, signal = new AbortController().signal }: Pick<ImportOptions, 'onProgress' | 'signal'>,
) {
  let totalBytes = 0;
  for (const path of paths) totalBytes += await sizeOf(path);
  let bytesBefore = 0;
  return {
    async *chunksOf(path: string): AsyncGenerator<Uint8Array> {
      const file = fileBytes(path, { maxBytes: MAX_FILE_BYTES, signal });
      try {
        for await (const chunk of file.chunks) {
          onProgress?.({ bytesRead: bytesBefore + file.bytesRead(), totalBytes });
          yield chunk;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw asFailure(path, error);
      }
      bytesBefore += file.bytesRead();
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new ImportFailure(`${path} is not a file`);
    return found.size;
  } catch (error) {
    throw asFailure(path, error);
  }
}

function asFailure(path: string, error: unknown): unknown {
  if (error instanceof ImportFailure) return error;
  if (error instanceof FileTooLarge) return new ImportFailure(`${basename(path)}: ${error.message}`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new ImportFailure(`there is no file ${path}`, { cause: error });
  if (code === 'Z_BUF_ERROR')
    return new ImportFailure(`${path} ends in the middle of its gzip data`, { cause: error });
  if (code.startsWith('Z_'))
    return new ImportFailure(`${path} is damaged: its gzip data cannot be unpacked`, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new ImportFailure(`${path} cannot be read: ${message}`, { cause: error });
}

/** Turns the failure of a file into a fault with a remedy. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof ImportFailure || failure instanceof CsvFailure)
      throw new UsageFault([failure.message], 'nothing was written; mend the file, or name another');
    throw failure;
  }
}

/** The cities and hosts of an imported file, for the network file. */
export type FoundInFile = {
  readonly cities: ReadonlyMap<string, FoundCity>;
  /** Of the pages and pictures. */
  readonly hosts: readonly FoundHost[];
};

type SeenHome = { readonly reference: string; readonly currency: string; readonly line: number };

/** The largest budget of a brand. */
export const MAX_HOMES = 1_000_000;
/** Bounds the memory; the calendars of further refused homes are reported as unknown. */
const MAX_REFUSED = 100_000;

/** The accepted homes, with the few members that the rest of an import needs, and the refused ones, whose calendars are not reported as unknown. */
export function createSeenHomes() {
  const homes = new Map<string, SeenHome>();
  const refused = new Set<string>();
  const cities = createFoundCities();
  const hosts = createFoundHosts();
  return {
    add({ reference, currency, place, url, images }: Listing, line: number): void {
      if (homes.size >= MAX_HOMES) throw new ImportFailure(`the file has more than ${MAX_HOMES} homes`);
      homes.set(reference, { reference, currency, line });
      cities.add(place, currency);
      hosts.add(
        url,
        images.map((image) => image.url),
      );
    },
    refuse(reference: string): void {
      if (refused.size < MAX_REFUSED) refused.add(reference);
    },
    has: (reference: string) => homes.has(reference),
    isRefused: (reference: string) => refused.has(reference),
    all: (): Iterable<SeenHome> => homes.values(),
    count: () => homes.size,
    found: (): FoundInFile => ({ cities: cities.all(), hosts: hosts.all() }),
  };
}

/** A placeholder: no fault names it. */
const BRAND = 'import';

/**
 * Why a synchronisation would reject the home. The places and hosts of the network are decided after the file was read, so those that
 * the listing names count as known here.
 */
export function offeringFault(listing: Listing): PlacedFault | undefined {
  const { place, currency, url, images } = listing;
  const addresses = [url, ...images.map((image) => image.url)];
  const city = { id: place, name: place, aliases: [], parent: null, timeZone: 'UTC', currency };
  const { property, rejections } = readListing(listing, {
    brand: BRAND,
    hosts: addresses.flatMap((address) => URL.parse(address)?.host ?? []),
    placeAliases: new Map(),
    places: new Map([[place, { ...city, kind: 'city' }]]),
  });
  const [refused] = property ? [] : rejections;
  if (!refused) return undefined;
  const { reference: _, repaired: __, ...fault } = refused;
  return fault;
}

export function headerLineOf(source: string): string {
  return JSON.stringify({ type: 'header', format: PLAIN_FORMAT, version: PLAIN_VERSION, source });
}

export function propertyLineOf(listing: Listing): string {
  return JSON.stringify({ type: 'property', ...listing });
}

/** Several lines when there are more periods than fit on one. Prices of the periods are in minor units. */
export function* calendarLinesOf(
  reference: string,
  periods: NightPeriods,
  currency: string,
): Generator<string> {
  const entries = unpackPeriods(periods).map((period) => entryOf(period, currency));
  for (let from = 0; from < entries.length; from += MAX_CALENDAR_LINE_PERIODS) {
    const line: CalendarLine = {
      type: 'calendar',
      property: reference,
      periods: entries.slice(from, from + MAX_CALENDAR_LINE_PERIODS),
    };
    yield JSON.stringify(line);
  }
}

function entryOf(period: NightPeriod, currency: string): CalendarLine['periods'][number] {
  return {
    from: formatDay(period.from),
    to: formatDay(period.to),
    available: period.available,
    ...(period.minimumStay > 1 ? { minimum_stay: period.minimumStay } : {}),
    ...(period.maximumStay > 0 ? { maximum_stay: period.maximumStay } : {}),
    ...(period.closedToArrival ? { closed_to_arrival: true } : {}),
    ...(period.closedToDeparture ? { closed_to_departure: true } : {}),
    ...(Number.isNaN(period.price) ? {} : { price: formatAmount(period.price, currency) }),
  };
}
