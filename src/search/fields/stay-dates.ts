import type { PayloadField } from '../../contract/payload-fields.ts';
import type { RefusalReason } from '../../contract/refusal-reasons.ts';
import {
  calendarDay,
  type Day,
  firstDayOf,
  formatDay,
  formatMonth,
  MS_PER_DAY,
  monthOf,
  parseDay,
  parseMonth,
} from '../../stay/day.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { type DateOrder, readWrittenDay, readWrittenMonth } from '../../stay/written-dates.ts';
import { conflictsWith } from '../conflicting-fields.ts';
import { liesWithin } from '../names/find-place.ts';
import { criteriaOf } from '../payload.ts';
import {
  type FieldRules,
  nearestNumbers,
  type Situation,
  unreadable,
  type ValueReading,
} from './field-rules.ts';

export const checkInMonth: FieldRules<'check_in_month'> = {
  read: (raw) => {
    if (typeof raw !== 'string') return unreadable({ code: 'wrong_type' });
    const reading = readWrittenMonth(raw);
    if (reading.kind === 'month') return { kind: 'read', value: formatMonth(reading.month) };
    if (reading.kind === 'no_such_date') return unreadable({ code: 'no_such_date' });
    return unreadable({ code: 'not_a_date', format: 'YYYY-MM' }, reading.guesses.map(formatMonth));
  },
  inComingYear: writtenMonthInComingYear,
  offer: ({ session, payload, facts: { index, now } }) => {
    const values = index.checkInMonths(criteriaOf(session, payload), now).map(formatMonth);
    return { values, total: values.length };
  },
  explain: (month, situation) => explainDates('check_in_month', month, situation),
  nearest: (meant, situation) =>
    nearestNumbers(meant, checkInMonth.offer(situation).values, (text) => {
      const month = parseMonth(text);
      return month === undefined ? undefined : firstDayOf(month);
    }),
};

export const checkInDay: FieldRules<'check_in_day'> = {
  read: readDay,
  implied: (text) => {
    const day = parseDay(text);
    return day === undefined ? {} : { check_in_month: formatMonth(monthOf(day)) };
  },
  inComingYear: writtenDayInComingYear,
  offer: ({ session, payload, facts: { index, now } }) => {
    const values = index.checkInDays(criteriaOf(session, payload), now).map(formatDay);
    return { values, total: values.length };
  },
  explain: (day, situation) => explainDates('check_in_day', day, situation),
  nearest: (meant, situation) => nearestNumbers(meant, checkInDay.offer(situation).values, parseDay),
};

export const checkOut: FieldRules<'check_out'> = {
  read: readDay,
  inComingYear: writtenDayInComingYear,
  offer: ({ session, payload, facts: { index, now } }) => {
    const values = index.checkOutDays(criteriaOf(session, payload), now).map(formatDay);
    return { values, total: values.length };
  },
  explain: (day, situation) => explainDates('check_out', day, situation),
  nearest: (meant, situation) => nearestNumbers(meant, checkOut.offer(situation).values, parseDay),
};

function readDay(raw: unknown, order?: DateOrder): ValueReading<string> {
  if (typeof raw !== 'string') return unreadable({ code: 'wrong_type' });
  const reading = readWrittenDay(raw, order);
  if (reading.kind === 'day') return { kind: 'read', value: formatDay(reading.day) };
  if (reading.kind === 'no_such_date') return unreadable({ code: 'no_such_date' }, lastDayOfThatMonth(raw));
  return unreadable({ code: 'not_a_date', format: 'YYYY-MM-DD' }, reading.guesses.map(formatDay));
}

/** 30 February probably means the end of February. */
function lastDayOfThatMonth(written: string): string[] {
  const [year, month = ''] = written.trim().split('-');
  const named = parseMonth(`${year}-${month.padStart(2, '0')}`);
  return named === undefined ? [] : [formatDay(firstDayOf(named + 1) - 1)];
}

const MONTHS_PER_YEAR = 12;
/** A day or month that passed so recently is taken for a stay that should begin soon, not for one in a year. */
const JUST_PASSED_DAYS = 31;
const JUST_PASSED_MONTHS = 1;

/** The same day in the next year in which it lies ahead. Undefined for a day that has not passed, or has just passed. */
export function writtenDayInComingYear(text: string, now: number): string | undefined {
  const [day, today] = [parseDay(text), todayAt(now)];
  if (day === undefined || day >= today - JUST_PASSED_DAYS) return undefined;
  const thisYear = yearOf(today);
  const ahead = [thisYear, thisYear + 1]
    .map((year) => sameDayIn(year, day))
    .find((one) => one !== undefined && one >= today);
  return ahead === undefined ? undefined : formatDay(ahead);
}

export function writtenMonthInComingYear(text: string, now: number): string | undefined {
  const [month, thisMonth] = [parseMonth(text), monthOf(todayAt(now))];
  if (month === undefined || month >= thisMonth - JUST_PASSED_MONTHS) return undefined;
  return formatMonth(month + Math.ceil((thisMonth - month) / MONTHS_PER_YEAR) * MONTHS_PER_YEAR);
}

/** UTC is near enough: the suggestions come from the index, which knows the time zones. */
function todayAt(now: number): Day {
  return Math.floor(now / MS_PER_DAY);
}

function yearOf(day: Day): number {
  return Math.floor(monthOf(day) / MONTHS_PER_YEAR);
}

/** For 29 February the day before, in a year without one. */
function sameDayIn(year: number, day: Day): Day | undefined {
  const month = monthOf(day);
  const [ordinal, date] = [(month % MONTHS_PER_YEAR) + 1, day - firstDayOf(month) + 1];
  return calendarDay(year, ordinal, date) ?? calendarDay(year, ordinal, date - 1);
}

type DateField = Extract<PayloadField, 'check_in_month' | 'check_in_day' | 'check_out'>;

/** Translates the index's obstacle, a rule of the homes, into a reason in terms of the fields. */
export function explainDates(field: DateField, value: string, situation: Situation): RefusalReason {
  const { session, payload, facts } = situation;
  const { index, now } = facts;
  const obstacle = index.obstacle(criteriaOf(session, { ...payload, [field]: value }), now);
  if (obstacle === null) return { code: 'nothing_free' };
  switch (obstacle.code) {
    case 'no_nights': {
      // Impossible with the other dates: a departure must follow the arrival, and a day lies in its month. Some dates are impossible alone.
      const { check_in_month: _month, check_in_day: _day, check_out: _departure, ...others } = payload;
      return (
        conflictsWith(field, value, situation) ??
        explainDates(field, value, { ...situation, payload: others })
      );
    }
    case 'party_too_large': {
      const { guests: _guests, ...others } = payload;
      // Homes for fewer guests may have another rule against that day: then it fits no party.
      return index.hasMatch(criteriaOf(session, { ...others, [field]: value }), now)
        ? { code: 'conflicts_with', fields: ['guests'] }
        : explainDates(field, value, { ...situation, payload: others });
    }
    case 'beyond_horizon':
      return { code: 'beyond_horizon', last_day: formatDay(obstacle.lastDay) };
    case 'no_properties':
      return { code: 'nothing_free' };
    case 'minimum_stay':
      return field === 'check_out' && isOffered((nights) => nights < obstacle.nights, situation)
        ? { code: 'minimum_stay' }
        : obstacle;
    case 'maximum_stay':
      return field === 'check_out' && isOffered((nights) => nights > obstacle.nights, situation)
        ? { code: 'maximum_stay' }
        : obstacle;
    case 'lead_time':
      // The arrival was accepted, so some homes can be booked so soon: they are just not free for so long.
      if (field === 'check_out') return { code: 'nothing_free' };
      return isOfferedSooner(obstacle.days, situation) ? { code: 'lead_time' } : obstacle;
    default:
      return obstacle;
  }
}

/**
 * Whether a stay of such a length is on offer from the same arrival: then the limit is that of some homes, not of all, and its number is
 * not stated. Without an arrival the limit applies to stays from any day.
 */
function isOffered(isSuch: (nights: number) => boolean, { session, payload, facts }: Situation): boolean {
  const arrival = parseDay(payload.check_in_day ?? '');
  if (arrival === undefined) return true;
  const departures = facts.index.checkOutDays(criteriaOf(session, payload), facts.now);
  return departures.some((day) => isSuch(day - arrival));
}

/** Whether an arrival fewer days ahead is on offer. The date differs between the places of a search: the latest counts. */
function isOfferedSooner(days: number, { session, payload, facts }: Situation): boolean {
  const { index, network, now } = facts;
  const { check_in_month: _month, check_in_day: _day, check_out: _departure, ...others } = payload;
  const criteria = criteriaOf(session, others);
  const [first = Number.POSITIVE_INFINITY] = index.checkInDays(criteria, now);
  const places = [...network.places.values()].filter(
    ({ id }) => criteria.place === null || id === criteria.place || liesWithin(id, criteria.place, network),
  );
  const zones = new Set(places.map(({ timeZone }) => timeZone));
  return [...zones].some((zone) => first < todayIn(zone, now) + days);
}
