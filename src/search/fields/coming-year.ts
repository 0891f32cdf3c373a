import {
  calendarDay,
  type Day,
  firstDayOf,
  formatDay,
  formatMonth,
  monthOf,
  parseDay,
  parseMonth,
} from '../../stay/day.ts';

const MS_PER_DAY = 86_400_000;
const MONTHS_PER_YEAR = 12;
/** A day or month that passed so recently is taken for a stay that should begin soon, not for one in a year. */
const JUST_PASSED_DAYS = 31;
const JUST_PASSED_MONTHS = 1;

/** The same day in the first year in which it lies ahead. Undefined for a day that has not passed, or has just passed. */
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

/** Near enough: the suggestions come from the index, which knows the time zones. */
function todayAt(now: number): Day {
  return Math.floor(now / MS_PER_DAY);
}

function yearOf(day: Day): number {
  return Math.floor(monthOf(day) / MONTHS_PER_YEAR);
}

/** For 29 February the day before, where that year has none. */
function sameDayIn(year: number, day: Day): Day | undefined {
  const month = monthOf(day);
  const [ordinal, date] = [(month % MONTHS_PER_YEAR) + 1, day - firstDayOf(month) + 1];
  return calendarDay(year, ordinal, date) ?? calendarDay(year, ordinal, date - 1);
}
