import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import {
  CALENDAR_MISSING,
  type CalendarFault,
  type CalendarReading,
  type Horizon,
} from '../../quotes/booking-system.ts';
import { type Day, formatDay, parseDay } from '../../stay/day.ts';
import { decimalsOf } from '../../stay/money.ts';
import { minimumStayColumn, priceColumn } from '../shared/calendars/night-periods.ts';
import { cutText, looseNumber, memberOf } from '../shared/vendors/loose-values.ts';
import { type KnownRental, linkedId, recordsOfPage } from './catalogue.ts';

export type BookingsyncCalendarResource = 'availabilities' | 'change_overs' | 'rates';

/** The part of one rental's calendar on a page, cut to the horizon. */
export type BookingsyncCalendarPart = { readonly rental: string } & (
  | { readonly kind: 'availabilities' | 'change_overs'; readonly signs: string }
  | { readonly kind: 'rates'; readonly periods: readonly RatePeriod[] }
  | { readonly kind: 'fault'; readonly fault: CalendarFault }
);

type RatePeriod = {
  readonly from: Day;
  /** Inclusive. */
  readonly to: Day;
  readonly minimumStay: number;
  /** Indicative, in minor units; 0 for no price. */
  readonly price: number;
};

type CalendarsParameters = {
  readonly resource: BookingsyncCalendarResource;
  readonly horizon: Horizon;
  /** By requested rental. */
  readonly currencies: ReadonlyMap<string, string>;
};

/** Longer than any map: the vendor's have 1096 days. */
const MAX_MAP_DAYS = 3000;
const SIGNS = {
  availabilities: { wrong: /[^0-3 ]/, must: 'be 0, 1, 2 or 3' },
  change_overs: { wrong: /[^XCIO ]/, must: 'be X, C, I or O' },
} as const;

/** Intake task: reads one page of the maps or rates of several rentals. */
export function* readBookingsyncCalendars(
  document: Uint8Array,
  { resource, horizon, currencies }: CalendarsParameters,
): Generator<BookingsyncCalendarPart, null> {
  const records = recordsOfPage(document, resource);
  const byRental = Map.groupBy(records, (record) => linkedId(record, 'rental') ?? '');
  for (const [rental, ofRental] of byRental) {
    const currency = currencies.get(rental);
    if (currency === undefined) continue;
    if (resource === 'rates') yield ratesOf(ofRental, { rental, currency, horizon });
    else for (const record of ofRental) yield mapOf(record, { resource, rental, horizon });
  }
  return null;
}

function faultOf(
  rental: string,
  rule: RejectionRule,
  field: BookingsyncCalendarResource,
  reason: string,
): BookingsyncCalendarPart {
  return { kind: 'fault', rental, fault: { rule, field, reason: `${field}: ${reason}` } };
}

/** One sign for each night of the horizon; a blank for a night outside the vendor's map. */
function mapOf(
  record: unknown,
  {
    resource,
    rental,
    horizon,
  }: {
    readonly resource: keyof typeof SIGNS;
    readonly rental: string;
    readonly horizon: Horizon;
  },
): BookingsyncCalendarPart {
  const first = parseDay(cutText(memberOf(record, 'start_date'), 10));
  if (first === undefined) {
    return faultOf(rental, 'no_such_day', resource, 'start_date must be a day, YYYY-MM-DD');
  }
  const map = cutText(memberOf(record, 'map'), MAX_MAP_DAYS);
  if (map === '') {
    return faultOf(rental, 'missing_member', resource, 'map is missing, must have a sign for each day');
  }
  const offset = horizon.from - first;
  const before = ' '.repeat(Math.min(horizon.nights, Math.max(0, -offset)));
  const inside = map.slice(Math.max(0, offset), Math.max(0, offset + horizon.nights));
  const signs = (before + inside).slice(0, horizon.nights).padEnd(horizon.nights);
  const { wrong, must } = SIGNS[resource];
  const at = signs.search(wrong);
  if (at < 0) return { kind: resource, rental, signs };
  const reason = `map on ${formatDay(horizon.from + at)} is another sign, must ${must}`;
  return faultOf(rental, 'unknown_choice', resource, reason);
}

function ratesOf(
  records: readonly unknown[],
  {
    rental,
    currency,
    horizon,
  }: { readonly rental: string; readonly currency: string; readonly horizon: Horizon },
): BookingsyncCalendarPart {
  const periods: RatePeriod[] = [];
  for (const record of records) {
    const [start, end] = ['start_date', 'end_date'].map((name) => cutText(memberOf(record, name), 10));
    const [from, to] = [parseDay(start ?? ''), parseDay(end ?? '')];
    const minimumStay = looseNumber(memberOf(record, 'minimum_stay')) ?? 1;
    if (from === undefined || to === undefined || from > to) {
      const reason = 'start_date and end_date must be days, YYYY-MM-DD, one after the other';
      return faultOf(rental, 'no_such_day', 'rates', reason);
    }
    if (!Number.isInteger(minimumStay) || minimumStay < 0) {
      const reason = `minimum_stay from ${start} to ${end} is ${minimumStay}, must be a whole number`;
      return faultOf(rental, 'out_of_range', 'rates', reason);
    }
    if (to < horizon.from || from >= horizon.from + horizon.nights) continue;
    const isOwnCurrency = (cutText(memberOf(record, 'currency'), 3) || currency) === currency;
    const rate = (isOwnCurrency && looseNumber(memberOf(record, 'final_nightly_rate'))) || 0;
    const price = Math.round(Math.max(0, rate) * 10 ** decimalsOf(currency));
    periods.push({ from, to, minimumStay: Math.max(1, minimumStay), price });
  }
  return { kind: 'rates', rental, periods };
}

const FREE = '0';

/** Builds the calendar of a rental from its parts. Without a map of changes, guests may arrive and depart on any day. */
export function bookingsyncCalendar(
  parts: readonly BookingsyncCalendarPart[],
  horizon: Horizon,
  { minimumStay }: Pick<KnownRental, 'minimumStay'>,
): CalendarReading {
  const faults = parts.flatMap((part) => (part.kind === 'fault' ? [part.fault] : []));
  if (faults.length > 0) return invalid(...faults);
  const mapsOf = (kind: keyof typeof SIGNS) =>
    parts.flatMap((part) => (part.kind === kind ? [part.signs] : []));
  const [[free, ...others], [changes = '', ...otherChanges]] = [
    mapsOf('availabilities'),
    mapsOf('change_overs'),
  ];
  if (free === undefined) return invalid(CALENDAR_MISSING);
  if (others.length + otherChanges.length > 0) {
    return invalid({ rule: 'calendar_twice', reason: 'is in the answer more than once' });
  }
  const periods = parts.flatMap((part) => (part.kind === 'rates' ? part.periods : []));
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  calendar.minimumStay.fill(minimumStayColumn(minimumStay ?? 1));
  for (let night = 0; night < horizon.nights; night += 1) {
    calendar.available[night] = free[night] === FREE ? 1 : 0;
    const sign = changes[night];
    calendar.closedToArrival[night] = sign === 'X' || sign === 'O' ? 1 : 0;
    calendar.closedToDeparture[night] = sign === 'X' || sign === 'I' ? 1 : 0;
  }
  // Where periods overlap, the one that begins later wins: the next period may begin on the last day of another.
  for (const period of periods.sort((one, other) => one.from - other.from)) {
    const [from, end] = [Math.max(0, period.from - horizon.from), period.to + 1 - horizon.from];
    calendar.minimumStay.fill(minimumStayColumn(period.minimumStay), from, end);
    calendar.price.fill(priceColumn(period.price), from, end);
  }
  return valid(calendar);
}
