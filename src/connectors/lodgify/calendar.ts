import { emptyCalendar } from '../../catalogue/calendar.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import {
  CALENDAR_MISSING,
  type CalendarFault,
  type CalendarReading,
  type Horizon,
} from '../../quotes/booking-system.ts';
import { type Day, formatDay, parseDay } from '../../stay/day.ts';
import { decimalsOf } from '../../stay/money.ts';
import { maximumStayColumn, minimumStayColumn, priceColumn } from '../shared/calendars/night-periods.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import {
  cutText,
  isLooseRecord,
  looseList,
  looseNumber,
  memberOf,
  recordNumber,
} from '../shared/vendors/loose-values.ts';
import { errorCodeOf, type LodgifyAnswerEnd, NO_ERROR } from './catalogue.ts';

const MAX_FAULTS = 20;

/** Nights that are not listed, have no price, or have an invalid price, are not available. */
export function lodgifyCalendar(
  availability: LodgifyAvailability | undefined,
  rates: LodgifyRates | undefined,
  horizon: Horizon,
  currency: string,
): CalendarReading {
  if (!availability) return invalid(CALENDAR_MISSING);
  if (!rates) return invalid({ ...CALENDAR_MISSING, reason: 'has no rates in the answer' });
  const faults = [...availability.faults, ...rates.faults, ...overlapsIn(availability.periods)];
  if (faults.length > 0) return invalid(...faults);
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  for (const { from, to, isFree } of availability.periods) {
    const [first, end] = [Math.max(0, from - horizon.from), Math.max(0, to + 1 - horizon.from)];
    calendar.available.fill(isFree ? 1 : 0, first, end);
  }
  const closedNights: CalendarFault[] = [];
  // The horizon begins yesterday, so that it contains today in every time zone.
  const lastArrival = rates.windowDays === 0 ? horizon.nights : rates.windowDays + 1;
  for (let night = 0; night < horizon.nights; night += 1) {
    const fault = rates.faultyDays.get(horizon.from + night);
    if (fault) {
      if (calendar.available[night] === 1) closedNights.push(fault);
      calendar.available[night] = 0;
      continue;
    }
    const rate = rates.byDay.get(horizon.from + night) ?? rates.standard;
    if (!rate) {
      calendar.available[night] = 0;
      continue;
    }
    calendar.minimumStay[night] = minimumStayColumn(rate.minimumStay);
    calendar.maximumStay[night] = maximumStayColumn(rate.maximumStay === 0 ? undefined : rate.maximumStay);
    // The price only orders candidates, so it may be rounded.
    calendar.price[night] = priceColumn(Math.round(rate.price * 10 ** decimalsOf(currency)));
    if (night > lastArrival) calendar.closedToArrival[night] = 1;
  }
  if (closedNights.length === 0) return valid(calendar);
  // A fault on every free night is a fault of the calendar.
  if (!calendar.available.includes(1)) return invalid(...closedNights.slice(0, MAX_FAULTS));
  return { ...valid(calendar), closedNights: closedNights.slice(0, MAX_FAULTS) };
}

function overlapsIn(periods: readonly LodgifyPeriod[]): readonly CalendarFault[] {
  const faults: CalendarFault[] = [];
  let latest: LodgifyPeriod | undefined;
  for (const period of periods.toSorted((one, other) => one.from - other.from)) {
    if (latest && period.from <= latest.to && period.isFree !== latest.isFree) {
      const [from, to] = [formatDay(period.from), formatDay(latest.to)];
      const reason = `the period from ${from} overlaps the one until ${to}, which says otherwise`;
      faults.push({ rule: 'calendar_overlap', field: 'periods', reason });
    }
    if (!latest || period.to > latest.to) latest = period;
  }
  return faults.slice(0, MAX_FAULTS);
}

/** Both nights are inclusive. */
export type LodgifyPeriod = { readonly from: Day; readonly to: Day; readonly isFree: boolean };
export type LodgifyAvailability = {
  readonly periods: readonly LodgifyPeriod[];
  readonly faults: readonly CalendarFault[];
};

const MAX_PERIODS = 3000;
/**
 * Intake task: reads one room from the answer of `GET /v2/availability/{property}`. Yields nothing when the answer does not mention that
 * room.
 */
export function* readLodgifyAvailability(
  document: Uint8Array,
  { room }: { readonly room: string },
): Generator<LodgifyAvailability, LodgifyAnswerEnd> {
  const answer = parseDocument(document);
  const errorCode = errorCodeOf(answer);
  if (errorCode !== null) return { errorCode };
  const rooms = Array.isArray(answer) ? answer : [answer];
  if (!rooms.every((entry) => Array.isArray(memberOf(entry, 'periods')))) {
    throw new BookingSystemFailure('garbled', 'the answer holds no periods');
  }
  const own = rooms.filter((entry) => recordNumber(memberOf(entry, 'room_type_id')) === room);
  if (own.length > 0) yield availabilityOf(own.flatMap((entry) => looseList(memberOf(entry, 'periods'))));
  return NO_ERROR;
}

/** A closed period has a record; an open one has null. */
function isClosed(published: unknown): boolean {
  return published === true || isLooseRecord(published);
}

function availabilityOf(published: readonly unknown[]): LodgifyAvailability {
  const periods: LodgifyPeriod[] = [];
  const faults: CalendarFault[] = [];
  if (published.length > MAX_PERIODS) {
    const reason = `periods has ${published.length} entries, may have at most ${MAX_PERIODS}`;
    return { periods, faults: [{ rule: 'too_many_entries', field: 'periods', reason }] };
  }
  for (const [index, period] of published.entries()) {
    const [start = '', end = ''] = ['start', 'end'].map((name) => cutText(memberOf(period, name), 10));
    const [from, to] = [parseDay(start), parseDay(end)];
    const units = looseNumber(memberOf(period, 'available'));
    const fault = (rule: CalendarFault['rule'], reason: string) =>
      faults.push({ rule, field: `periods/${index}`, reason: `periods[${index}]${reason}` });
    if (from === undefined || to === undefined)
      fault('no_such_day', ': start and end must be days, YYYY-MM-DD');
    else if (from > to) fault('period_backwards', `: starts on ${start}, after its end on ${end}`);
    else if (units === undefined) fault('wrong_type', ` (${start} to ${end}): available must be a number`);
    else periods.push({ from, to, isFree: units > 0 && !isClosed(memberOf(period, 'closed_period')) });
    if (faults.length >= MAX_FAULTS) break;
  }
  return { periods, faults };
}

/** The rate and the stay limits of an arrival day. */
type LodgifyRate = {
  readonly minimumStay: number;
  /** 0 when there is no maximum. */
  readonly maximumStay: number;
  /** Per night of the shortest stay; a decimal. */
  readonly price: number;
};
export type LodgifyRates = {
  readonly byDay: ReadonlyMap<Day, LodgifyRate>;
  /** For days that are not listed; null when those have no price. */
  readonly standard: LodgifyRate | null;
  /** How many days ahead a stay may begin; 0 for no limit. */
  readonly windowDays: number;
  /** Faults of the whole answer. */
  readonly faults: readonly CalendarFault[];
  /** Days with invalid prices, which matter only while the night is for sale. */
  readonly faultyDays: ReadonlyMap<Day, CalendarFault>;
};

/** Intake task: reads the answer of `GET /v2/rates/calendar`. Yields one item. */
export function* readLodgifyRates(
  document: Uint8Array,
  { horizon }: { readonly horizon: Horizon },
): Generator<LodgifyRates, LodgifyAnswerEnd> {
  const answer = parseDocument(document);
  const errorCode = errorCodeOf(answer);
  if (errorCode !== null) return { errorCode };
  const items = memberOf(answer, 'calendar_items');
  if (!Array.isArray(items)) throw new BookingSystemFailure('garbled', 'the answer holds no calendar items');
  const byDay = new Map<Day, LodgifyRate>();
  const faultyDays = new Map<Day, CalendarFault>();
  const faults: CalendarFault[] = [];
  let standard: LodgifyRate | null = null;
  for (const [index, item] of items.entries()) {
    if (faults.length >= MAX_FAULTS) break;
    const date = memberOf(item, 'date') ?? null;
    const day = date === null ? null : parseDay(cutText(date, 40).slice(0, 10));
    if (day === undefined) {
      const reason = `calendar_items[${index}]: date must be a day, YYYY-MM-DD, or null`;
      faults.push({ rule: 'no_such_day', field: `calendar_items/${index}/date`, reason });
      continue;
    }
    if (day !== null && (day < horizon.from || day >= horizon.from + horizon.nights)) continue;
    // Formatted only for a fault: formatting a day takes longer than reading its rate.
    const label = () => `calendar_items[${index}]${day === null ? '' : ` (${formatDay(day)})`}`;
    const reading = rateOf(looseList(memberOf(item, 'prices')), label);
    if (reading.kind === 'invalid') {
      if (day === null) faults.push(...reading.faults);
      else for (const fault of reading.faults) faultyDays.set(day, fault);
    } else if (reading.value) {
      if (day === null) standard = reading.value;
      else byDay.set(day, reading.value);
    }
  }
  const settings = memberOf(answer, 'rate_settings');
  const windowDays = Math.max(0, Math.floor(looseNumber(memberOf(settings, 'booking_window_days')) ?? 0));
  yield { byDay, standard, windowDays, faults, faultyDays };
  return NO_ERROR;
}

/** The vendor has a price for each range of stay lengths. Undefined when there is none. */
function rateOf(
  prices: readonly unknown[],
  label: () => string,
): Reading<LodgifyRate | undefined, CalendarFault> {
  const ranges: { readonly from: number; readonly to: number; readonly price: number }[] = [];
  for (const published of prices) {
    const number = (name: string) => looseNumber(memberOf(published, name));
    const [from = 1, to = 0, price] = [number('min_stay'), number('max_stay'), number('price_per_day')];
    if (price === undefined || price < 0) {
      return invalid({
        rule: 'wrong_type',
        reason: `${label()}: price_per_day must be a number, at least 0`,
      });
    }
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < 0 || (to > 0 && to < from)) {
      const reason = `${label()}: stays from ${from} to ${to} nights, must be whole numbers in order`;
      return invalid({ rule: 'contradicts_itself', reason });
    }
    ranges.push({ from: Math.max(1, from), to, price });
  }
  const [shortest] = ranges.toSorted((one, other) => one.from - other.from);
  if (!shortest) return valid(undefined);
  return valid({
    minimumStay: shortest.from,
    maximumStay: ranges.some(({ to }) => to === 0) ? 0 : Math.max(...ranges.map(({ to }) => to)),
    price: shortest.price,
  });
}
