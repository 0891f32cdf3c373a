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

/** The cities and hosts of an imported file, for the network file. */
export type FoundInFile = {
  readonly cities: ReadonlyMap<string, FoundCity>;
  /** Of the pages and pictures. */
  readonly hosts: readonly FoundHost[];
};

type SeenHome = { readonly reference: string; readonly currency: string; readonly line: number };

/** The accepted homes, with the few members that the rest of an import needs, and the refused ones. */
type SeenHomes = {
  add(listing: Listing, line: number): void;
  /** Remembers a refused home, so that its calendar is not reported as unknown; up to `MAX_REFUSED`. */
  refuse(reference: string): void;
  has(reference: string): boolean;
  isRefused(reference: string): boolean;
  all(): Iterable<SeenHome>;
  count(): number;
  found(): FoundInFile;
};

/** The largest budget of a brand. */
export const MAX_HOMES = 1_000_000;
/** Bounds the memory; the calendars of further refused homes are reported as unknown. */
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
