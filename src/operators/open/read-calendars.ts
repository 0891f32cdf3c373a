import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Calendar, emptyCalendar } from '../../inventory/calendar.ts';
import { BookingSystemFailure, type Horizon } from '../../quotes/booking-system.ts';
import { invalid, type Reading, valid } from '../../reading/reading.ts';
import { type Day, parseDay } from '../../stay/day.ts';
import { type MinorUnits, parseAmount } from '../../stay/money.ts';
import { maximumStayColumn, minimumStayColumn, priceColumn } from '../calendar-columns.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { Reference } from '../listing.ts';
import { CalendarPeriod, MAX_PERIODS } from './protocol.ts';

const answerShape = Compile(Type.Object({ calendars: Type.Array(Type.Unknown(), { maxItems: 200 }) }));
const named = Compile(Type.Object({ property: Reference }));
const calendarPeriod = Compile(CalendarPeriod);

const RULES = {
  from: 'must be a day, YYYY-MM-DD',
  to: 'must be a day, YYYY-MM-DD',
  available: 'must be true or false',
  minimum_stay: 'must be a whole number, at least 1',
  maximum_stay: 'must be a whole number, at least 1',
  closed_to_arrival: 'must be true or false',
  closed_to_departure: 'must be true or false',
  price: 'must be a decimal string, at least 0',
} as const satisfies Record<keyof CalendarPeriod, string>;
const MEMBERS = Object.entries<TSchema>(CalendarPeriod.properties).map(([name, schema]) => ({
  name,
  rule: Reflect.get(RULES, name),
  isOptional: Type.IsOptional(schema),
  schema: Compile(schema),
}));

/** Each period can have several faults, and a calendar a thousand periods; a few show what is wrong. */
const MAX_FAULTS = 20;

export type CalendarsParameters = {
  readonly asked: readonly string[];
  readonly horizon: Horizon;
  /** By reference; a property that is not in the catalogue has none. */
  readonly currencies: ReadonlyMap<string, string>;
};

/**
 * A task of the intake: a reading for each property that was asked for. An unreadable calendar does not affect the
 * others.
 */
export function* readCalendars(
  document: Uint8Array,
  { asked, horizon, currencies }: CalendarsParameters,
): Generator<readonly [reference: string, Reading<Calendar>], null> {
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
    if (currency === undefined) yield [reference, invalid('it is not in the catalogue')];
    else if (!entry) yield [reference, invalid('the answer has no calendar for it')];
    else if (others.length > 0) {
      yield [reference, invalid(`the answer has ${others.length + 1} calendars for it`)];
    } else yield [reference, readPeriods(Reflect.get(entry, 'periods'), horizon, currency)];
  }
  return null;
}

type DatedPeriod = {
  readonly period: CalendarPeriod;
  readonly label: string;
  readonly from: Day;
  readonly to: Day;
  readonly price: MinorUnits;
};

/** Periods as columns, cut to the horizon. Periods that contradict themselves or each other are not repaired by guessing. */
function readPeriods(periods: unknown, horizon: Horizon, currency: string): Reading<Calendar> {
  if (!Array.isArray(periods)) return invalid(`periods is ${quoted(periods)}, must be a list`);
  if (periods.length > MAX_PERIODS) {
    return invalid(`periods has ${periods.length} entries, must have at most ${MAX_PERIODS}`);
  }
  const dated: DatedPeriod[] = [];
  const faults: string[] = [];
  for (const [index, period] of periods.entries()) {
    const reading = readPeriod(period, labelOf(period, index), currency);
    if (reading.kind === 'valid') dated.push(reading.value);
    else faults.push(...reading.faults);
  }
  faults.push(...overlapsIn(dated));
  return faults.length > 0 ? invalid(...firstOf(faults)) : valid(columnsOf(dated, horizon));
}

function firstOf(faults: readonly string[]): readonly string[] {
  const left = faults.length - MAX_FAULTS;
  return left > 0 ? [...faults.slice(0, MAX_FAULTS), `${left} other faults`] : faults;
}

function readPeriod(period: unknown, label: string, currency: string): Reading<DatedPeriod> {
  if (!calendarPeriod.Check(period)) {
    return invalid(...memberFaults(period).map((fault) => `${label}: ${fault}`));
  }
  const [from, to] = [parseDay(period.from), parseDay(period.to)];
  const price = period.price === undefined ? 0 : parseAmount(period.price, currency);
  if (from === undefined) return invalid(`${label}: from is ${quoted(period.from)}, which is not a day`);
  if (to === undefined) return invalid(`${label}: to is ${quoted(period.to)}, which is not a day`);
  if (from >= to) return invalid(`${label}: ends before its first night`);
  if (price === undefined) {
    return invalid(`${label}: price is ${quoted(period.price)}, finer than ${currency} or too large`);
  }
  return valid({ period, label, from, to, price });
}

function memberFaults(period: unknown): string[] {
  if (typeof period !== 'object' || period === null || Array.isArray(period)) {
    return [`is ${quoted(period)}, must be an object`];
  }
  return MEMBERS.flatMap(({ name, rule, isOptional, schema }) => {
    const value: unknown = Reflect.get(period, name);
    const isFine = value === undefined ? isOptional : schema.Check(value);
    return isFine ? [] : [`${name} is ${quoted(value)}, ${rule}`];
  });
}

function overlapsIn(periods: readonly DatedPeriod[]): string[] {
  const faults: string[] = [];
  let latest: DatedPeriod | undefined;
  for (const period of periods.toSorted((a, b) => a.from - b.from)) {
    if (latest && period.from < latest.to) faults.push(`${period.label}: overlaps ${latest.label}`);
    if (!latest || period.to > latest.to) latest = period;
  }
  return faults;
}

function columnsOf(periods: readonly DatedPeriod[], horizon: Horizon): Calendar {
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  for (const { period, from, to, price } of periods) {
    // Clamped at both ends: a negative index would count from the end of the column.
    const first = Math.max(0, from - horizon.from);
    const end = Math.max(0, to - horizon.from);
    calendar.available.fill(period.available ? 1 : 0, first, end);
    calendar.minimumStay.fill(minimumStayColumn(period.minimum_stay ?? 1), first, end);
    calendar.maximumStay.fill(maximumStayColumn(period.maximum_stay), first, end);
    calendar.closedToArrival.fill(period.closed_to_arrival ? 1 : 0, first, end);
    calendar.closedToDeparture.fill(period.closed_to_departure ? 1 : 0, first, end);
    calendar.price.fill(priceColumn(price), first, end);
  }
  return calendar;
}

function labelOf(period: unknown, index: number): string {
  const label = `periods[${index}]`;
  if (typeof period !== 'object' || period === null) return label;
  const [from, to]: unknown[] = [Reflect.get(period, 'from'), Reflect.get(period, 'to')];
  const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay(from) && isDay(to) ? `${label} (${from} to ${to})` : label;
}

/** Faults are logged, so only numbers, dates and amounts are repeated; anything else is described. */
function quoted(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return /^[\d.-]{1,20}$/.test(value) ? value : 'another text';
  return Array.isArray(value) ? 'a list' : 'an object';
}
