import { emptyCalendar, HORIZON_NIGHTS } from '../../catalogue/calendar.ts';
import type { BrandBudget } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import { CALENDAR_MISSING, type CalendarReading, type Horizon } from '../../quotes/booking-system.ts';
import { formatDay, MS_PER_DAY } from '../../stay/day.ts';
import { createBudgetMeter } from '../shared/budget-meter.ts';
import { minimumStayColumn } from '../shared/calendars/night-periods.ts';
import type { CallPass } from '../shared/vendors/vendor-calls.ts';
import type { BookingsyncCalendarPart, BookingsyncCalendarResource } from './calendar-parts.ts';
import { joinRatedNights, MAX_CALENDAR_FAULTS, type RatedNights, UNRATED } from './calendar-parts.ts';
import type { KnownRental } from './catalogue.ts';
import { BOOKINGSYNC_IDS_AT_ONCE } from './catalogue.ts';
import type { ReadBookingsyncList } from './pages.ts';

type RateSource = 'rates' | 'nightly_rate_maps';
type RentalCalendars = ReadonlyMap<string, CalendarReading>;

type BookingsyncCalendarReader = {
  read(rentals: ReadonlyMap<string, KnownRental>, horizon: Horizon, pass: CallPass): Promise<RentalCalendars>;
  /** Rentals whose calendar has changed; null when the vendor cannot list them. */
  changedSince(instant: number, signal: AbortSignal): Promise<readonly string[] | null>;
};

type AskedBatch = {
  readonly rentals: ReadonlyMap<string, KnownRental>;
  readonly horizon: Horizon;
  readonly collected: CollectedParts;
  readonly sent: (bytes: number) => void;
  readonly pass: CallPass;
};

/** One rate per night of the vendor's maps, which have 1096 days. */
const MAX_RATES_PER_RENTAL = 1096;
/** The smallest page size seen from the vendor. */
const MIN_PAGE_RECORDS = 50;
/** More than a thousand rates, or one map of rates, take. */
const MAX_BYTES_PER_RENTAL = 768 * 1024;
const MAX_PAGES_OF_CHANGES = 200;

/** Makes three calls per fifty rentals: availability, arrival and departure days, and rates. */
export function createBookingsyncCalendarReader({
  readList,
  budget,
  rateSources,
}: {
  readonly readList: ReadBookingsyncList;
  readonly budget: BrandBudget;
  /** The sources of minimum stays and rates, the best first: a token may be refused some of them. */
  readonly rateSources: readonly RateSource[];
}): BookingsyncCalendarReader {
  let usableSources = rateSources;
  const canReadByIds = new Map<BookingsyncCalendarResource, false>();

  async function readParts(
    resource: BookingsyncCalendarResource,
    path: string,
    { rentals, horizon, collected, sent, pass }: AskedBatch,
    limits: { readonly maxBytes?: number; readonly maxPages?: number } = {},
  ): Promise<void> {
    const left = new Set(rentals.keys());
    await readList({
      path,
      task: 'bookingsync_calendar_parts',
      parameters: {
        resource,
        horizon,
        currencies: new Map(Array.from(rentals, ([reference, { currency }]) => [reference, currency])),
      },
      ...pass,
      ...limits,
      onPage(parts, bytes) {
        sent(bytes);
        for (const part of parts) {
          collected.add(part);
          left.delete(part.rental);
        }
        // A rental has one map, but may have many rates.
        return resource === 'rates' || left.size > 0;
      },
    });
  }

  /** Reads the maps by identifier; where the vendor refuses that, reads the whole list. */
  async function readMaps(
    resource: Exclude<BookingsyncCalendarResource, 'rates'>,
    ids: readonly string[],
    query: string,
    batch: AskedBatch,
  ): Promise<void> {
    if (ids.length === 0) return;
    if (!canReadByIds.has(resource)) {
      try {
        await readParts(resource, `/${resource}/${ids.join()}${query}`, batch, {
          maxBytes: MAX_BYTES_PER_RENTAL * ids.length,
          maxPages: ids.length,
        });
        return;
      } catch (failure) {
        if (!isRefusal(failure)) throw failure;
      }
    }
    await readParts(resource, `/${resource}${query}`, batch);
    canReadByIds.set(resource, false);
  }

  async function readRates(batch: AskedBatch): Promise<void> {
    const { rentals } = batch;
    for (const source of usableSources) {
      try {
        if (source === 'rates') {
          await readParts('rates', `/rates?rental_id=${[...rentals.keys()].join()}`, batch, {
            maxBytes: MAX_BYTES_PER_RENTAL * rentals.size,
            maxPages: Math.ceil((MAX_RATES_PER_RENTAL * rentals.size) / MIN_PAGE_RECORDS),
          });
        } else {
          const ids = [...rentals.values()].flatMap(({ nightlyRateMap }) => nightlyRateMap ?? []);
          await readMaps('nightly_rate_maps', ids, '', batch);
        }
        return;
      } catch (failure) {
        if (!isRefusal(failure)) throw failure;
        usableSources = usableSources.filter((other) => other !== source);
      }
    }
  }

  async function readBatch(batch: AskedBatch): Promise<RentalCalendars> {
    const { rentals, horizon, collected } = batch;
    const all = [...rentals.values()];
    const from = formatDay(horizon.from).replaceAll('-', '');
    await readMaps(
      'availabilities',
      all.flatMap(({ availability }) => availability ?? []),
      `?from=${from}&priced_only=true`,
      batch,
    );
    await readMaps(
      'change_overs',
      all.flatMap(({ changeOver }) => changeOver ?? []),
      '',
      batch,
    );
    await readRates(batch);
    return new Map(
      Array.from(rentals, ([reference, rental]) => [
        reference,
        bookingsyncCalendar(collected.of(reference), horizon, rental),
      ]),
    );
  }

  return {
    async read(rentals, horizon, pass) {
      const { sent } = createBudgetMeter(budget);
      const entries = [...rentals];
      const readings = new Map<string, CalendarReading>();
      for (let from = 0; from < entries.length; from += BOOKINGSYNC_IDS_AT_ONCE) {
        const batch = {
          rentals: new Map(entries.slice(from, from + BOOKINGSYNC_IDS_AT_ONCE)),
          horizon,
          collected: createCollectedParts(),
          sent,
          pass,
        };
        for (const [reference, reading] of await readBatch(batch)) readings.set(reference, reading);
      }
      return readings;
    },
    async changedSince(instant, signal) {
      const since = `updated_since=${encodeURIComponent(new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z'))}`;
      const horizon = { from: Math.floor(instant / MS_PER_DAY), nights: HORIZON_NIGHTS };
      const { sent } = createBudgetMeter(budget);
      const changed = new Set<string>();
      try {
        for (const resource of ['availabilities', 'change_overs', ...usableSources.slice(0, 1)] as const) {
          await readList({
            path: `/${resource}?${since}`,
            task: 'bookingsync_calendar_parts',
            parameters: { resource, horizon, currencies: null },
            signal,
            maxPages: MAX_PAGES_OF_CHANGES,
            onPage(parts, bytes) {
              sent(bytes);
              for (const { rental } of parts) changed.add(rental);
              return true;
            },
          });
        }
      } catch (failure) {
        // Reading so long a list of changes saves nothing over reading every calendar.
        if (isRefusal(failure) || isTooLarge(failure)) return null;
        throw failure;
      }
      return [...changed];
    },
  };
}

function isTooLarge(failure: unknown): boolean {
  return failure instanceof BookingSystemFailure && failure.kind === 'too_large';
}

/** The token may not read the resource, or the address does not exist. */
function isRefusal(failure: unknown): boolean {
  return failure instanceof BookingSystemFailure && failure.kind === 'rejected';
}

const FREE = '0';
const ARRIVALS = new Set(['C', 'I', ' ']);
const DEPARTURES = new Set(['C', 'O', ' ']);

/** Builds the calendar of a rental from its parts. Without a map of changes, guests may arrive and depart on any day. */
export function bookingsyncCalendar(
  parts: readonly BookingsyncCalendarPart[],
  horizon: Horizon,
  { minimumStay }: { readonly minimumStay: number },
): CalendarReading {
  const faults = parts.flatMap((part) => (part.kind === 'fault' ? [part.fault] : []));
  if (faults.length > 0) return invalid(...faults.slice(0, MAX_CALENDAR_FAULTS));
  const [nights, ...otherNights] = parts.filter((part) => part.kind === 'nights');
  const [changes, ...otherChanges] = parts.filter((part) => part.kind === 'changes');
  if (!nights) return invalid(CALENDAR_MISSING);
  if (otherNights.length > 0 || otherChanges.length > 0) {
    const reason = `is in the answer ${Math.max(otherNights.length, otherChanges.length) + 1} times`;
    return invalid({ rule: 'calendar_twice', reason });
  }
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  calendar.minimumStay.fill(minimumStayColumn(minimumStay));
  for (let night = 0; night < horizon.nights; night += 1) {
    calendar.available[night] = nights.signs[night] === FREE ? 1 : 0;
    const sign = changes?.signs[night] ?? ' ';
    calendar.closedToArrival[night] = ARRIVALS.has(sign) ? 0 : 1;
    calendar.closedToDeparture[night] = DEPARTURES.has(sign) ? 0 : 1;
  }
  for (const part of parts) {
    if (part.kind !== 'rates') continue;
    for (const [night, from] of part.nights.ratedFrom.entries()) {
      if (from === UNRATED) continue;
      calendar.minimumStay[night] = part.nights.minimumStay[night] ?? 1;
      calendar.price[night] = part.nights.price[night] ?? 0;
    }
  }
  return valid(calendar);
}

/** The parts of each rental, from the pages of several lists. */
type CollectedParts = {
  add(part: BookingsyncCalendarPart): void;
  of(rental: string): readonly BookingsyncCalendarPart[];
};

/** More parts than a valid rental has, so that a repeated part is noticed. */
const MAX_PARTS = MAX_CALENDAR_FAULTS + 5;

export function createCollectedParts(): CollectedParts {
  const parts = new Map<string, BookingsyncCalendarPart[]>();
  const rated = new Map<string, RatedNights>();

  return {
    add(part) {
      if (part.kind === 'rates') {
        const known = rated.get(part.rental);
        // A rental's rates may span many pages; joined, they take the memory of one.
        if (known) return joinRatedNights(known, part.nights);
        rated.set(part.rental, part.nights);
      }
      const known = parts.get(part.rental) ?? [];
      if (known.length < MAX_PARTS) known.push(part);
      parts.set(part.rental, known);
    },
    of: (rental) => parts.get(rental) ?? [],
  };
}
