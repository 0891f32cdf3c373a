import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Calendar, emptyCalendar } from '../../catalogue/calendar.ts';
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
import {
  type EntryPlace,
  expectedBy,
  faultAt,
  firstFault,
  found,
  foundValue,
} from '../shared/listings/first-fault.ts';
import { Reference } from '../shared/listings/listing.ts';
import { CalendarPeriod, MAX_PERIODS } from './protocol.ts';

const answerShape = Compile(Type.Object({ calendars: Type.Array(Type.Unknown(), { maxItems: 200 }) }));
const named = Compile(Type.Object({ property: Reference }));
const calendarPeriod = Compile(CalendarPeriod);

const MEMBERS = Object.entries<TSchema>(CalendarPeriod.properties).map(([name, schema]) => ({
  name,
  isOptional: Type.IsOptional(schema),
  schema: Compile(schema),
}));

/** A calendar can have a thousand periods with several faults each; a few are enough to mend it. */
const MAX_FAULTS = 20;

export type CalendarsParameters = {
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
  readonly place: EntryPlace;
  readonly from: Day;
  readonly to: Day;
  readonly price: MinorUnits;
};

/** Builds the description of a fault, only for the few faults that are listed. */
type DescribeFault = () => CalendarFault;

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
  const faults: DescribeFault[] = [];
  for (const [index, period] of periods.entries()) {
    const reading = readPeriod(period, { index, label: labelOf(period, index) }, currency);
    if (reading.kind === 'valid') dated.push(reading.value);
    else faults.push(...reading.faults);
  }
  faults.push(...overlapsIn(dated));
  return faults.length > 0 ? invalid(...firstOf(faults)) : valid(columnsOf(dated, horizon));
}

function firstOf(faults: readonly DescribeFault[]): readonly CalendarFault[] {
  const described = faults.slice(0, MAX_FAULTS).map((describe) => describe());
  const left = faults.length - described.length;
  return left > 0 ? [...described, { rule: 'too_many_faults', reason: `${left} other faults` }] : described;
}

function readPeriod(
  period: unknown,
  place: EntryPlace,
  currency: string,
): Reading<DatedPeriod, DescribeFault> {
  if (!calendarPeriod.Check(period)) return invalid(...memberFaults(period, place));
  const [from, to] = [parseDay(period.from), parseDay(period.to)];
  const price = period.price === undefined ? 0 : parseAmount(period.price, currency);
  if (from === undefined) return invalid(() => noSuchDay(place, 'from', period.from));
  if (to === undefined) return invalid(() => noSuchDay(place, 'to', period.to));
  if (from >= to) {
    const value = `${period.from} to ${period.to}`;
    return invalid(() =>
      faultAt('periods', place, 'period_backwards', 'ends before its first night', { value }),
    );
  }
  if (price === undefined) {
    const reason = `price is ${period.price}, finer than ${currency} or too large`;
    return invalid(() =>
      faultAt('periods', place, 'price_too_fine', reason, { member: 'price', value: period.price }),
    );
  }
  return valid({ period, place, from, to, price });
}

function noSuchDay(place: EntryPlace, member: 'from' | 'to', day: string): CalendarFault {
  const reason = `${member} is ${day}, which is not a day`;
  return faultAt('periods', place, 'no_such_day', reason, { member, value: day });
}

function memberFaults(period: unknown, place: EntryPlace): DescribeFault[] {
  if (typeof period !== 'object' || period === null || Array.isArray(period)) {
    const what = typeof period === 'string' ? 'a text' : foundValue(period);
    return [
      () => faultAt('periods', place, 'wrong_type', `is ${what}, must be an object`, { value: period }),
    ];
  }
  return MEMBERS.flatMap(({ name, isOptional, schema }) => {
    const value: unknown = Reflect.get(period, name);
    const isFine = value === undefined ? isOptional : schema.Check(value);
    return isFine ? [] : [() => memberFault(place, name, value, schema)];
  });
}

function memberFault(
  place: EntryPlace,
  member: string,
  value: unknown,
  schema: (typeof MEMBERS)[number]['schema'],
): CalendarFault {
  if (value === undefined) {
    const reason = `${member} is missing, must be ${expectedBy(schema.Type())}`;
    return faultAt('periods', place, 'missing_member', reason, { member });
  }
  const { rule, reason } = firstFault(schema, value);
  return faultAt('periods', place, rule, `${member} ${reason}`, { member, value });
}

function overlapsIn(periods: readonly DatedPeriod[]): DescribeFault[] {
  const faults: DescribeFault[] = [];
  let latest: DatedPeriod | undefined;
  for (const { period, place, from, to, price } of periods.toSorted((a, b) => a.from - b.from)) {
    if (latest && from < latest.to) {
      const reason = `overlaps ${latest.place.label}`;
      const value = `${period.from} to ${period.to}`;
      faults.push(() => faultAt('periods', place, 'calendar_overlap', reason, { value }));
    }
    if (!latest || to > latest.to) latest = { period, place, from, to, price };
  }
  return faults;
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

function labelOf(period: unknown, index: number): string {
  const label = `periods[${index}]`;
  if (typeof period !== 'object' || period === null) return label;
  const [from, to]: unknown[] = [Reflect.get(period, 'from'), Reflect.get(period, 'to')];
  const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay(from) && isDay(to) ? `${label} (${from} to ${to})` : label;
}
