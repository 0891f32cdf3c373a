import { calendarDay, type Day } from './day.ts';
import { plainDateText, readNamedDate } from './named-date.ts';

const YEAR_FIRST = /^(\d{4}) ?[-/.年 ] ?(\d{1,2}) ?[-/.月 ] ?(\d{1,2}) ?日?$/;
const WITH_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})[t ]\d{1,2}:\d{2}[\d:.,z+ -]*$/;
const DIGITS_ONLY = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2}) ?([-/. ]) ?(\d{1,2}) ?\2 ?(\d{4})$/;
const SHORT_YEAR_LAST = /^(\d{1,2})([/.])(\d{1,2})\2(\d{2})$/;

/** The days that a person may have meant by a date in another form. For a short text: the caller bounds its length. */
export function guessDays(text: string): readonly Day[] {
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
    const monthFirst = calendarDay(year, first, second);
    // Dots are written where the day comes first; with a slash or a hyphen both orders are common.
    if (yearLast[2] === '.' && dayFirst !== undefined) return [dayFirst];
    return existing(monthFirst, dayFirst);
  }
  const named = readNamedDate(plain);
  return named?.date === undefined ? [] : existing(calendarDay(named.year, named.month, named.date));
}

function existing(...days: readonly (Day | undefined)[]): readonly Day[] {
  return [...new Set(days.filter((day) => day !== undefined))];
}
