import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Calendar, emptyCalendar } from '../../catalogue/calendar.ts';
import type { RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import {
  CALENDAR_MISSING,
  type CalendarFault,
  type CalendarReading,
  type Horizon,
  NOT_IN_CATALOGUE,
} from '../../quotes/booking-system.ts';
import { type Day, parseDay } from '../../stay/day.ts';
import { type MinorUnits, parseAmount } from '../../stay/money.ts';
import { fillNights } from '../shared/calendars/night-periods.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { type EntryPlace, faultAt, firstFault, found, foundValue } from '../shared/listings/first-fault.ts';
import { Reference } from '../shared/listings/listing.ts';
import { isLooseRecord, memberOf } from '../shared/vendors/loose-values.ts';

export const DayText = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' });

/** `POST /calendars` */
export const CalendarsRequest = Type.Object({
  properties: Type.Array(Reference, { minItems: 1, maxItems: 100 }),
  from: DayText,
  nights: Type.Integer({ minimum: 1, maximum: 730 }),
});
export type CalendarsRequest = Static<typeof CalendarsRequest>;

export const CalendarPeriod = Type.Object(
  {
    from: DayText,
    to: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'The day after the last night of the period.',
    }),
    available: Type.Boolean(),
    minimum_stay: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'For stays that arrive in the period. Beyond the horizon: no stay can arrive.',
      }),
    ),
    maximum_stay: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'For stays that arrive in the period. Beyond the horizon: no maximum.',
      }),
    ),
    closed_to_arrival: Type.Optional(Type.Boolean()),
    closed_to_departure: Type.Optional(Type.Boolean()),
    price: Type.Optional(
      Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$', description: 'Indicative price of a night.' }),
    ),
  },
  { description: 'Nights that share all their rules. Nights in no period are not available.' },
);
export type CalendarPeriod = Static<typeof CalendarPeriod>;

export const MAX_PERIODS = 1000;

const CalendarEntry = Type.Object({
  property: Reference,
  periods: Type.Array(CalendarPeriod, { maxItems: MAX_PERIODS }),
});

export const CalendarsAnswer = Type.Object({ calendars: Type.Array(CalendarEntry, { maxItems: 200 }) });
export type CalendarsAnswer = Static<typeof CalendarsAnswer>;

const answerShape = Compile(Type.Object({ calendars: Type.Array(Type.Unknown(), { maxItems: 200 }) }));
const named = Compile(Type.Object({ property: Reference }));
const calendarPeriod = Compile(CalendarPeriod);

/** A calendar can have a thousand periods with several faults each; a few are enough to mend it. */
const MAX_FAULTS = 20;

type CalendarsParameters = {
  readonly asked: readonly string[];
  readonly horizon: Horizon;
  /** By reference; a property outside the catalogue has no currency. */
  readonly currencies: ReadonlyMap<string, string>;
};

/**
 * Intake task: yields a reading for each requested property. An unreadable calendar does not affect the others.
 */
export function* readCalendars(
  document: Uint8Array,
  { asked, horizon, currencies }: CalendarsParameters,
): Generator<readonly [reference: string, CalendarReading], null> {
  const answer = parseDocument(document);
  if (!answerShape.Check(answer))
    throw new BookingSystemFailure('garbled', 'the answer holds no list of calendars');
  const entries = Map.groupBy(
    answer.calendars.filter((entry) => named.Check(entry)),
    ({ property }) => property,
  );
  for (const reference of asked) {
    const [entry, ...others] = entries.get(reference) ?? [];
    const currency = currencies.get(reference);
    if (currency === undefined) yield [reference, invalid(NOT_IN_CATALOGUE)];
    else if (!entry) yield [reference, invalid(CALENDAR_MISSING)];
    else if (others.length > 0) {
      const reason = `is in the answer ${others.length + 1} times`;
      yield [reference, invalid({ rule: 'calendar_twice', reason, value: String(others.length + 1) })];
    } else yield [reference, readPeriods(Reflect.get(entry, 'periods'), horizon, currency)];
  }
  return null;
}

type DatedPeriod = {
  readonly period: CalendarPeriod;
  readonly index: number;
  readonly from: Day;
  readonly to: Day;
  readonly price: MinorUnits;
};

/** Converts periods to columns, cut to the horizon. Contradictory periods are faults; nothing is guessed. */
function readPeriods(periods: unknown, horizon: Horizon, currency: string): CalendarReading {
  if (!Array.isArray(periods)) {
    const rule = periods === undefined ? 'missing_member' : 'wrong_type';
    const reason = `periods is ${foundValue(periods)}, must be a list`;
    return invalid({ field: 'periods', rule, reason, ...found(periods) });
  }
  if (periods.length > MAX_PERIODS) {
    const reason = `periods has ${periods.length} entries, may have at most ${MAX_PERIODS}`;
    return invalid({ field: 'periods', rule: 'too_many_entries', reason, value: String(periods.length) });
  }
  const dated: DatedPeriod[] = [];
  const faults: CalendarFault[] = [];
  for (const [index, period] of periods.entries()) {
    const reading = readPeriod(period, index, currency);
    if (reading.kind === 'valid') dated.push(reading.value);
    else faults.push(...reading.faults);
  }
  dated.sort((one, other) => one.from - other.from);
  for (const [at, { period, index, from }] of dated.entries()) {
    const before = dated[at - 1];
    if (!before || from >= before.to) continue;
    const reason = `overlaps ${placeOf(before.period, before.index).label}`;
    faults.push(faultIn(period, index, 'calendar_overlap', reason));
  }
  return faults.length > 0 ? invalid(...faults.slice(0, MAX_FAULTS)) : valid(columnsOf(dated, horizon));
}

function readPeriod(period: unknown, index: number, currency: string): Reading<DatedPeriod, CalendarFault> {
  if (!calendarPeriod.Check(period)) {
    const { field, rule, reason } = firstFault(calendarPeriod, period);
    return invalid(faultIn(period, index, rule, `${field} ${reason}`.trimStart(), field));
  }
  const [from, to] = [parseDay(period.from), parseDay(period.to)];
  if (from === undefined || to === undefined) {
    const member = from === undefined ? 'from' : 'to';
    const reason = `${member} is ${period[member]}, which is not a day`;
    return invalid(faultIn(period, index, 'no_such_day', reason, member));
  }
  if (from >= to) return invalid(faultIn(period, index, 'period_backwards', 'ends before its first night'));
  const price = period.price === undefined ? 0 : parseAmount(period.price, currency);
  if (price !== undefined) return valid({ period, index, from, to, price });
  const reason = `price is ${period.price}, finer than ${currency} or too large`;
  return invalid(faultIn(period, index, 'price_too_fine', reason, 'price'));
}

function faultIn(
  period: unknown,
  index: number,
  rule: RejectionRule,
  reason: string,
  member = '',
): CalendarFault {
  const place = placeOf(period, index);
  if (member !== '')
    return faultAt('periods', place, rule, reason, { member, value: memberOf(period, member) });
  const value = isLooseRecord(period) ? `${period.from} to ${period.to}` : period;
  return faultAt('periods', place, rule, reason, { value });
}

function placeOf(period: unknown, index: number): EntryPlace {
  const [from, to] = [memberOf(period, 'from'), memberOf(period, 'to')];
  const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return { index, label: `periods[${index}]${isDay(from) && isDay(to) ? ` (${from} to ${to})` : ''}` };
}

function columnsOf(periods: readonly DatedPeriod[], horizon: Horizon): Calendar {
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  for (const { period, from, to, price } of periods) {
    fillNights(calendar, {
      from,
      to,
      available: period.available,
      minimumStay: period.minimum_stay ?? 1,
      maximumStay: period.maximum_stay ?? 0,
      closedToArrival: period.closed_to_arrival ?? false,
      closedToDeparture: period.closed_to_departure ?? false,
      price,
    });
  }
  return calendar;
}
