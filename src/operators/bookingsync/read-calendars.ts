import { HORIZON_NIGHTS } from '../../inventory/calendar.ts';
import {
  BookingSystemFailure,
  type CalendarReading,
  type Horizon,
  type StillReading,
} from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import type { ReadBookingsyncList } from './bookingsync-pages.ts';
import { bookingsyncCalendar } from './build-calendar.ts';
import type { BookingsyncCalendarPart, BookingsyncCalendarResource } from './calendar-parts.ts';
import type { KnownRental } from './read-catalogue.ts';
import { BOOKINGSYNC_IDS_AT_ONCE } from './read-related.ts';

const MS_PER_DAY = 86_400_000;

type RateSource = 'rates' | 'nightly_rate_maps';
type RentalCalendars = ReadonlyMap<string, CalendarReading>;

export type BookingsyncCalendarReader = {
  read(
    rentals: ReadonlyMap<string, KnownRental>,
    horizon: Horizon,
    signal: AbortSignal,
    stillReading?: StillReading,
  ): Promise<RentalCalendars>;
  /** Rentals of which something in the calendar has changed; null when the vendor does not tell. */
  changedSince(instant: number, signal: AbortSignal): Promise<readonly string[] | null>;
};

/** Three calls for fifty rentals: their nights, the days on which guests may come and go, and their rates. */
export function createBookingsyncCalendarReader({
  readList,
  rateSources,
}: {
  readonly readList: ReadBookingsyncList;
  /** Where minimum stays and rates are, the best first: not every token may read every one of them. */
  readonly rateSources: readonly RateSource[];
}): BookingsyncCalendarReader {
  let usableSources = rateSources;
  const canReadByIds = new Map<BookingsyncCalendarResource, false>();

  async function readParts(
    resource: BookingsyncCalendarResource,
    path: string,
    horizon: Horizon,
    { signal, stillReading, wanted }: Pass & { readonly wanted?: ReadonlySet<string> },
  ): Promise<BookingsyncCalendarPart[]> {
    const parts: BookingsyncCalendarPart[] = [];
    const left = new Set(wanted);
    await readList({
      path,
      task: 'bookingsync_calendar_parts',
      parameters: { resource, horizon },
      signal,
      stillReading,
      onPage(items) {
        for (const part of items) {
          if (wanted && !wanted.has(part.rental)) continue;
          parts.push(part);
          left.delete(part.rental);
        }
        return !wanted || left.size > 0;
      },
    });
    return parts;
  }

  /** By identifiers, as the vendor's links lead to them; where that is refused, out of the whole list. */
  async function readMaps(
    resource: Exclude<BookingsyncCalendarResource, 'rates'>,
    ids: readonly string[],
    query: string,
    horizon: Horizon,
    pass: Pass & { readonly wanted: ReadonlySet<string> },
  ): Promise<BookingsyncCalendarPart[]> {
    if (ids.length === 0) return [];
    if (!canReadByIds.has(resource)) {
      try {
        const { wanted: _, ...rest } = pass;
        return await readParts(resource, `/${resource}/${ids.join()}${query}`, horizon, rest);
      } catch (failure) {
        if (!isRefusal(failure)) throw failure;
      }
    }
    const parts = await readParts(resource, `/${resource}${query}`, horizon, pass);
    canReadByIds.set(resource, false);
    return parts;
  }

  async function readRates(
    rentals: ReadonlyMap<string, KnownRental>,
    horizon: Horizon,
    pass: Pass & { readonly wanted: ReadonlySet<string> },
  ): Promise<BookingsyncCalendarPart[]> {
    for (const source of usableSources) {
      try {
        if (source === 'rates') {
          const { wanted: _, ...rest } = pass;
          return await readParts('rates', `/rates?rental_id=${[...rentals.keys()].join()}`, horizon, rest);
        }
        const ids = [...rentals.values()].flatMap(({ nightlyRateMap }) => nightlyRateMap ?? []);
        return await readMaps('nightly_rate_maps', ids, '', horizon, pass);
      } catch (failure) {
        if (!isRefusal(failure)) throw failure;
        usableSources = usableSources.filter((other) => other !== source);
      }
    }
    return [];
  }

  async function readBatch(
    rentals: ReadonlyMap<string, KnownRental>,
    horizon: Horizon,
    pass: Pass,
  ): Promise<RentalCalendars> {
    const all = [...rentals.values()];
    const wanted = new Set(rentals.keys());
    const own = { ...pass, wanted };
    const from = formatDay(horizon.from).replaceAll('-', '');
    const parts = [
      ...(await readMaps(
        'availabilities',
        all.flatMap(({ availability }) => availability ?? []),
        `?from=${from}&priced_only=true`,
        horizon,
        own,
      )),
      ...(await readMaps(
        'change_overs',
        all.flatMap(({ changeOver }) => changeOver ?? []),
        '',
        horizon,
        own,
      )),
      ...(await readRates(rentals, horizon, own)),
    ];
    const byRental = Map.groupBy(parts, ({ rental }) => rental);
    return new Map(
      Array.from(rentals, ([reference, rental]) => [
        reference,
        bookingsyncCalendar(byRental.get(reference) ?? [], horizon, rental),
      ]),
    );
  }

  return {
    async read(rentals, horizon, signal, stillReading) {
      const entries = [...rentals];
      const readings = new Map<string, CalendarReading>();
      for (let from = 0; from < entries.length; from += BOOKINGSYNC_IDS_AT_ONCE) {
        const batch = new Map(entries.slice(from, from + BOOKINGSYNC_IDS_AT_ONCE));
        for (const [reference, reading] of await readBatch(batch, horizon, { signal, stillReading })) {
          readings.set(reference, reading);
        }
      }
      return readings;
    },
    async changedSince(instant, signal) {
      const since = `updated_since=${encodeURIComponent(new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z'))}`;
      const horizon = { from: Math.floor(instant / MS_PER_DAY), nights: HORIZON_NIGHTS };
      const changed = new Set<string>();
      try {
        for (const resource of ['availabilities', 'change_overs', ...usableSources.slice(0, 1)] as const) {
          const parts = await readParts(resource, `/${resource}?${since}`, horizon, { signal });
          for (const { rental } of parts) changed.add(rental);
        }
      } catch (failure) {
        if (isRefusal(failure)) return null;
        throw failure;
      }
      return [...changed];
    },
  };
}

type Pass = { readonly signal: AbortSignal; readonly stillReading?: StillReading | undefined };

/** The token may not read this, or there is no such address. */
function isRefusal(failure: unknown): boolean {
  return failure instanceof BookingSystemFailure && failure.kind === 'rejected';
}
