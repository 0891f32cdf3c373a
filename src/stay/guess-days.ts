import { calendarDay, type Day } from './day.ts';
import { plainDateText, readNamedDate } from './named-date.ts';

const YEAR_FIRST = /^(\d{4}) ?[-/.年 ] ?(\d{1,2}) ?[-/.月 ] ?(\d{1,2}) ?日?$/;
const WITH_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})[t ]\d{1,2}:\d{2}[\d:.,z+ -]*$/;
const DIGITS_ONLY = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2}) ?([-/. ]) ?(\d{1,2}) ?\2 ?(\d{4})$/;
const SHORT_YEAR_LAST = /^(\d{1,2})([/.])(\d{1,2})\2(\d{2})$/;

/** Which of two numbers that are written before a year is the month. */
export type DateOrder = 'month_first' | 'day_first';
export const DATE_ORDERS: readonly DateOrder[] = ['month_first', 'day_first'];

/**
 * The days that a person may have meant by a date in another form, or those of one order of its numbers. For a short text:
 * the caller bounds its length.
 */
export function guessDays(text: string, order?: DateOrder): readonly Day[] {
  const plain = plainDateText(text);
  const yearFirst = YEAR_FIRST.exec(plain) ?? WITH_TIME.exec(plain) ?? DIGITS_ONLY.exec(plain);
  if (yearFirst) {
    return existing(calendarDay(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3])));
  }
  const yearLast = YEAR_LAST.exec(plain) ?? SHORT_YEAR_LAST.exec(plain);
  if (yearLast) {
    const [first, second] = [Number(yearLast[1]), Number(yearLast[3])];
    const year = yearLast[4]?.length === 2 ? 2000 + Number(yearLast[4]) : Number(yearLast[4]);
    const dayFirst = calendarDay(year, second, first);
    // Dots are written where the day comes first; with a slash or a hyphen both orders are common.
    const isDayFirst = yearLast[2] === '.' && dayFirst !== undefined;
    const monthFirst = isDayFirst ? undefined : calendarDay(year, first, second);
    return existing(
      order === 'day_first' ? undefined : monthFirst,
      order === 'month_first' ? undefined : dayFirst,
    );
  }
  const named = readNamedDate(plain);
  return named?.date === undefined ? [] : existing(calendarDay(named.year, named.month, named.date));
}

function existing(...days: readonly (Day | undefined)[]): readonly Day[] {
  return [...new Set(days.filter((day) => day !== undefined))];
}
