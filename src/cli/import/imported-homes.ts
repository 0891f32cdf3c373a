import {
  type NightPeriod,
  type NightPeriods,
  unpackPeriods,
} from '../../connectors/shared/calendars/night-periods.ts';
import type { PlacedFault } from '../../connectors/shared/listings/first-fault.ts';
import type { Listing } from '../../connectors/shared/listings/listing.ts';
import { readListing } from '../../connectors/shared/listings/listing-reader.ts';
import type { CalendarLine } from '../../connectors/shared/plain/plain-line.ts';
import {
  MAX_CALENDAR_LINE_PERIODS,
  PLAIN_FORMAT,
  PLAIN_VERSION,
} from '../../connectors/shared/plain/plain-line.ts';
import { formatDay } from '../../stay/day.ts';
import { formatAmount } from '../../stay/money.ts';
import { createFoundCities, createFoundHosts, type FoundCity, type FoundHost } from '../discover-listings.ts';
import { ImportFailure } from './import-job.ts';

/** What the network file has to know of the homes of a file. */
export type FoundInFile = {
  readonly cities: ReadonlyMap<string, FoundCity>;
  /** Of their pages and pictures. */
  readonly hosts: readonly FoundHost[];
};

type SeenHome = { readonly reference: string; readonly currency: string; readonly line: number };

/** The homes that were taken, with no more of each than the rest of an import needs. */
type SeenHomes = {
  add(listing: Listing, line: number): void;
  /** Its calendar is not missed then. So many are remembered, and no more. */
  refuse(reference: string): void;
  has(reference: string): boolean;
  isRefused(reference: string): boolean;
  all(): Iterable<SeenHome>;
  count(): number;
  found(): FoundInFile;
};

/** As many as the budget of a brand can allow. */
export const MAX_HOMES = 1_000_000;
/** A file of nothing else must not fill the memory with them; the calendars of those after them are reported as well. */
const MAX_REFUSED = 100_000;

export function createSeenHomes(): SeenHomes {
  const homes = new Map<string, SeenHome>();
  const refused = new Set<string>();
  const cities = createFoundCities();
  const hosts = createFoundHosts();
  return {
    add({ reference, currency, place, url, images }, line) {
      if (homes.size >= MAX_HOMES) throw new ImportFailure(`the file has more than ${MAX_HOMES} homes`);
      homes.set(reference, { reference, currency, line });
      cities.add(place, currency);
      hosts.add(
        url,
        images.map((image) => image.url),
      );
    },
    refuse(reference) {
      if (refused.size < MAX_REFUSED) refused.add(reference);
    },
    has: (reference) => homes.has(reference),
    isRefused: (reference) => refused.has(reference),
    all: () => homes.values(),
    count: () => homes.size,
    found: () => ({ cities: cities.all(), hosts: hosts.all() }),
  };
}

/** Any: it is in no fault. */
const BRAND = 'import';

/**
 * Why no sync would offer the home, as the reading of its listing says. Which places and hosts the network has is decided after
 * the file was read, so those that the listing names count as known.
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

/** The lines that an import writes. */
export function headerLineOf(source: string): string {
  return JSON.stringify({ type: 'header', format: PLAIN_FORMAT, version: PLAIN_VERSION, source });
}

export function propertyLineOf(listing: Listing): string {
  return JSON.stringify({ type: 'property', ...listing });
}

/** Several when there are more periods than fit on a line. Prices are in minor units. */
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
