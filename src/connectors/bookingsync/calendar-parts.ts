import type { CalendarFault, Horizon } from '../../quotes/booking-system.ts';
import { type Day, formatDay, parseDay } from '../../stay/day.ts';
import { decimalsOf } from '../../stay/money.ts';
import { minimumStayColumn, priceColumn } from '../shared/calendars/night-periods.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { cutText, looseNumber, memberOf } from '../shared/vendors/loose-values.ts';
import { type BookingsyncPage, bookingsyncPageCount, linkedIds, listOnPage } from './payloads.ts';

/** The part of one rental's calendar on a page, cut to the horizon. */
export type BookingsyncCalendarPart =
  /** One sign per night of the horizon; a blank for a night outside the vendor's map. */
  | { readonly kind: 'nights'; readonly rental: string; readonly signs: string }
  | { readonly kind: 'changes'; readonly rental: string; readonly signs: string }
  | { readonly kind: 'rates'; readonly rental: string; readonly nights: RatedNights }
  | { readonly kind: 'fault'; readonly rental: string; readonly fault: CalendarFault }
  /** Yielded when only the names of the rentals were requested. */
  | { readonly kind: 'mentioned'; readonly rental: string };

export type BookingsyncCalendarResource = 'availabilities' | 'change_overs' | 'nightly_rate_maps' | 'rates';

/** Minimum stays and prices by night of the horizon. Its size does not depend on how many periods the vendor sends. */
export type RatedNights = {
  /** The first day of the period that rates the night; `UNRATED` for a night outside all periods. */
  readonly ratedFrom: Int32Array;
  readonly minimumStay: Uint16Array;
  /** In minor units; 0 for no price. */
  readonly price: Uint32Array;
};

type CalendarPartsParameters = {
  readonly resource: BookingsyncCalendarResource;
  readonly horizon: Horizon;
  /** By requested rental; null to list only the rentals that the page names. */
  readonly currencies: ReadonlyMap<string, string> | null;
};

export const MAX_CALENDAR_FAULTS = 20;

/**
 * Intake task: reads one page of the maps or rates of several rentals. Yields one part, or a few faults, for each requested rental,
 * however large the page is.
 */
export function* readBookingsyncCalendarParts(
  document: Uint8Array,
  { resource, horizon, currencies }: CalendarPartsParameters,
): Generator<BookingsyncCalendarPart, BookingsyncPage> {
  const page = parseDocument(document);
  const byRental = Map.groupBy(listOnPage(page, resource), (record) => linkedIds(record, 'rental')[0]);
  for (const [rental, records] of byRental) {
    if (rental === undefined) continue;
    const currency = currencies?.get(rental);
    if (!currencies) yield { kind: 'mentioned', rental };
    else if (currency === undefined) continue;
    else if (resource === 'rates') yield* ratesOf(records, { rental, currency, horizon });
    else if (records.length > 1) yield inTheAnswer(rental, records.length);
    else yield bookingsyncMap(records[0], { resource, rental, currency, horizon });
  }
  return { pages: bookingsyncPageCount(page) };
}

function inTheAnswer(rental: string, times: number): BookingsyncCalendarPart {
  return {
    kind: 'fault',
    rental,
    fault: { rule: 'calendar_twice', reason: `is in the answer ${times} times` },
  };
}

/** Longer than any map: the vendor's have 1096 days. */
const MAX_MAP_DAYS = 3000;
const MAX_RATE_LENGTH = 20;

type MapOfRental = {
  readonly resource: Exclude<BookingsyncCalendarResource, 'rates'>;
  readonly rental: string;
  readonly currency: string;
  readonly horizon: Horizon;
};

/** A rental has one map of each kind. */
function bookingsyncMap(
  record: unknown,
  { resource, rental, currency, horizon }: MapOfRental,
): BookingsyncCalendarPart {
  const first = parseDay(cutText(memberOf(record, 'start_date'), 10));
  if (first === undefined) {
    const reason = `${resource}: start_date must be a day, YYYY-MM-DD`;
    return faulty(rental, 'no_such_day', reason, resource);
  }
  if (resource === 'nightly_rate_maps') return nightlyRates(record, { rental, first, currency, horizon });
  const map = cutText(memberOf(record, 'map'), MAX_MAP_DAYS);
  return signsOf(map, { resource, rental, first, horizon });
}

const SIGNS = {
  availabilities: { kind: 'nights', wrong: /[^0-3 ]/, rule: 'must be 0, 1, 2 or 3' },
  change_overs: { kind: 'changes', wrong: /[^XCIO ]/, rule: 'must be X, C, I or O' },
} as const;

function signsOf(
  map: string,
  {
    resource,
    rental,
    first,
    horizon,
  }: {
    readonly resource: keyof typeof SIGNS;
    readonly rental: string;
    readonly first: Day;
    readonly horizon: Horizon;
  },
): BookingsyncCalendarPart {
  if (map === '') {
    const reason = `${resource}: map is missing, must have a sign for each day`;
    return faulty(rental, 'missing_member', reason, resource);
  }
  const { kind, wrong, rule } = SIGNS[resource];
  const offset = horizon.from - first;
  const before = ' '.repeat(Math.min(horizon.nights, Math.max(0, -offset)));
  const inside = map.slice(Math.max(0, offset), Math.max(0, offset + horizon.nights));
  const signs = (before + inside).slice(0, horizon.nights).padEnd(horizon.nights);
  const at = signs.search(wrong);
  if (at >= 0) {
    const sign = /^[\w]$/.test(signs[at] ?? '') ? signs[at] : 'another sign';
    const reason = `${resource}: map on ${formatDay(horizon.from + at)} is ${sign}, ${rule}`;
    return faulty(rental, 'unknown_choice', reason, resource);
  }
  return { kind, rental, signs };
}

function nightlyRates(
  record: unknown,
  {
    rental,
    first,
    currency,
    horizon,
  }: {
    readonly rental: string;
    readonly first: Day;
    readonly currency: string;
    readonly horizon: Horizon;
  },
): BookingsyncCalendarPart {
  const listOf = (name: string) =>
    cutText(memberOf(record, name), MAX_MAP_DAYS * MAX_RATE_LENGTH).split(',', MAX_MAP_DAYS);
  const [minimums, rates] = [listOf('minimum_stays_map'), listOf('rates_map')];
  const nights = unratedNights(horizon);
  const end = Math.min(horizon.from + horizon.nights, first + rates.length);
  for (let day = Math.max(horizon.from, first); day < end; day += 1) {
    const minimumStay = looseNumber(minimums[day - first]) ?? 1;
    if (!Number.isInteger(minimumStay) || minimumStay < 0) {
      const reason = `nightly_rate_maps: minimum stay on ${formatDay(day)} is ${minimumStay}, must be a whole number`;
      return faulty(rental, 'out_of_range', reason, 'nightly_rate_maps');
    }
    const price = indicativePrice(looseNumber(rates[day - first]), currency);
    rateNights(nights, horizon, { from: day, to: day, minimumStay, price });
  }
  return { kind: 'rates', rental, nights };
}

function* ratesOf(
  records: readonly unknown[],
  {
    rental,
    currency,
    horizon,
  }: { readonly rental: string; readonly currency: string; readonly horizon: Horizon },
): Generator<BookingsyncCalendarPart> {
  const nights = unratedNights(horizon);
  const faults: CalendarFault[] = [];
  for (const record of records) {
    const fault = enterRatePeriod(nights, record, { currency, horizon });
    if (fault) faults.push(fault);
    if (faults.length === MAX_CALENDAR_FAULTS) break;
  }
  if (faults.length === 0) yield { kind: 'rates', rental, nights };
  for (const fault of faults) yield { kind: 'fault', rental, fault };
}

/** Applies a period of `GET /rates` to the nights of its rental; returns a fault when the period is invalid. */
function enterRatePeriod(
  nights: RatedNights,
  record: unknown,
  { currency, horizon }: { readonly currency: string; readonly horizon: Horizon },
): CalendarFault | undefined {
  const [start, end] = ['start_date', 'end_date'].map((name) => cutText(memberOf(record, name), 10));
  const [from, to] = [parseDay(start ?? ''), parseDay(end ?? '')];
  const fault = (rule: CalendarFault['rule'], reason: string) => ({ rule, field: 'rates', reason });
  if (from === undefined || to === undefined) {
    return fault('no_such_day', 'rates: start_date and end_date must be days, YYYY-MM-DD');
  }
  if (from > to) {
    return fault('period_backwards', `rates: the period from ${start} ends before it, on ${end}`);
  }
  if (to < horizon.from || from >= horizon.from + horizon.nights) return undefined;
  const minimumStay = looseNumber(memberOf(record, 'minimum_stay')) ?? 1;
  if (!Number.isInteger(minimumStay) || minimumStay < 0) {
    const reason = `rates: minimum_stay from ${start} to ${end} is ${minimumStay}, must be a whole number`;
    return fault('out_of_range', reason);
  }
  const isOwnCurrency = (cutText(memberOf(record, 'currency'), 3) || currency) === currency;
  const rate = isOwnCurrency ? looseNumber(memberOf(record, 'final_nightly_rate')) : undefined;
  rateNights(nights, horizon, { from, to, minimumStay, price: indicativePrice(rate, currency) });
  return undefined;
}

/** Rounded, because it only orders candidates; 0 when there is no rate. */
function indicativePrice(rate: number | undefined, currency: string): number {
  return rate !== undefined && rate > 0 ? Math.round(rate * 10 ** decimalsOf(currency)) : 0;
}

function faulty(
  rental: string,
  rule: CalendarFault['rule'],
  reason: string,
  field: BookingsyncCalendarResource,
): BookingsyncCalendarPart {
  return { kind: 'fault', rental, fault: { rule, field, reason } };
}

type RatePeriod = {
  readonly from: Day;
  /** Inclusive. */
  readonly to: Day;
  readonly minimumStay: number;
  readonly price: number;
};

export const UNRATED = -(2 ** 31);

function unratedNights({ nights }: Horizon): RatedNights {
  return {
    ratedFrom: new Int32Array(nights).fill(UNRATED),
    minimumStay: new Uint16Array(nights),
    price: new Uint32Array(nights),
  };
}

/** Where periods overlap, the one that begins later wins: the vendor's next period may begin on the last day of another. */
function rateNights(
  { ratedFrom, minimumStay, price }: RatedNights,
  horizon: Horizon,
  period: RatePeriod,
): void {
  const end = Math.min(horizon.nights, period.to + 1 - horizon.from);
  for (let night = Math.max(0, period.from - horizon.from); night < end; night += 1) {
    if ((ratedFrom[night] ?? UNRATED) > period.from) continue;
    ratedFrom[night] = period.from;
    minimumStay[night] = minimumStayColumn(Math.max(period.minimumStay, 1));
    price[night] = priceColumn(period.price);
  }
}

/** Merges the nights of a later page into those of earlier pages. */
export function joinRatedNights(known: RatedNights, later: RatedNights): void {
  for (const [night, from] of later.ratedFrom.entries()) {
    if (from === UNRATED || (known.ratedFrom[night] ?? UNRATED) > from) continue;
    known.ratedFrom[night] = from;
    known.minimumStay[night] = later.minimumStay[night] ?? 1;
    known.price[night] = later.price[night] ?? 0;
  }
}
