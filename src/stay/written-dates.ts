import { calendarDay, type Day, MONTH_NAMES, type Month, monthOf, parseMonth, WEEKDAY_NAMES } from './day.ts';

/** A caller's text for a day. `guesses` are the days it may have meant, for suggestions only. */
type WrittenDay =
  | { readonly kind: 'day'; readonly day: Day }
  | { readonly kind: 'no_such_date' }
  | { readonly kind: 'not_a_date'; readonly guesses: readonly Day[] };

/** A caller's text for a month. `guesses` are the months it may have meant, for suggestions only. */
type WrittenMonth =
  | { readonly kind: 'month'; readonly month: Month }
  | { readonly kind: 'no_such_date' }
  | { readonly kind: 'not_a_date'; readonly guesses: readonly Month[] };

/** Which of two numbers before a year is the month. */
export type DateOrder = 'month_first' | 'day_first';

export const DATE_ORDERS: readonly DateOrder[] = ['month_first', 'day_first'];
const MAX_WRITTEN_DATE_LENGTH = 40;
const YEAR_MONTH_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/** Takes `2027-05-08` and `2027-5-8`. Any other order or separator leaves doubt about which number is the month. */
export function readWrittenDay(text: string, order?: DateOrder): WrittenDay {
  if (text.length > MAX_WRITTEN_DATE_LENGTH) return { kind: 'not_a_date', guesses: [] };
  const match = YEAR_MONTH_DATE.exec(text.trim());
  if (!match) return { kind: 'not_a_date', guesses: guessDays(text, order) };
  const day = calendarDay(Number(match[1]), Number(match[2]), Number(match[3]));
  return day === undefined ? { kind: 'no_such_date' } : { kind: 'day', day };
}

const YEAR_MONTH = /^(\d{4})-(\d{1,2})$/;

/** Takes `2027-05` and `2027-5`. A whole date is refused, with its month as the guess. */
export function readWrittenMonth(text: string): WrittenMonth {
  if (text.length > MAX_WRITTEN_DATE_LENGTH) return { kind: 'not_a_date', guesses: [] };
  const match = YEAR_MONTH.exec(text.trim());
  if (!match) return { kind: 'not_a_date', guesses: [...guessMonths(text), ...monthsOfDate(text)] };
  const month = parseMonth(`${match[1]}-${match[2]?.padStart(2, '0')}`);
  return month === undefined ? { kind: 'no_such_date' } : { kind: 'month', month };
}

function monthsOfDate(text: string): readonly Month[] {
  const written = readWrittenDay(text);
  if (written.kind === 'no_such_date') return [];
  const days = written.kind === 'day' ? [written.day] : written.guesses;
  return [...new Set(days.map(monthOf))];
}

const YEAR_FIRST = /^(\d{4}) ?[-/.年 ] ?(\d{1,2}) ?[-/.月 ] ?(\d{1,2}) ?日?$/;
const WITH_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})[t ]\d{1,2}:\d{2}[\d:.,z+ -]*$/;
const DIGITS_ONLY = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2}) ?([-/. ]) ?(\d{1,2}) ?\2 ?(\d{4})$/;
const SHORT_YEAR_LAST = /^(\d{1,2})([/.])(\d{1,2})\2(\d{2})$/;

/** The days that a date in another form may mean; with `order`, only those of that order. The caller bounds the length of the text. */
function guessDays(text: string, order?: DateOrder): readonly Day[] {
  const plain = plainDateText(text);
  const yearFirst = YEAR_FIRST.exec(plain) ?? WITH_TIME.exec(plain) ?? DIGITS_ONLY.exec(plain);
  if (yearFirst) {
    return existingDays(calendarDay(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3])));
  }
  const yearLast = YEAR_LAST.exec(plain) ?? SHORT_YEAR_LAST.exec(plain);
  if (yearLast) {
    const [first, second] = [Number(yearLast[1]), Number(yearLast[3])];
    const year = yearLast[4]?.length === 2 ? 2000 + Number(yearLast[4]) : Number(yearLast[4]);
    const dayFirst = calendarDay(year, second, first);
    // Countries that write dots put the day first; with a slash or a hyphen both orders are common.
    const isDayFirst = yearLast[2] === '.' && dayFirst !== undefined;
    const monthFirst = isDayFirst ? undefined : calendarDay(year, first, second);
    return existingDays(
      order === 'day_first' ? undefined : monthFirst,
      order === 'month_first' ? undefined : dayFirst,
    );
  }
  const named = readNamedDate(plain);
  return named?.date === undefined ? [] : existingDays(calendarDay(named.year, named.month, named.date));
}

function existingDays(...days: readonly (Day | undefined)[]): readonly Day[] {
  return [...new Set(days.filter((day) => day !== undefined))];
}

const MONTH_YEAR_FIRST = /^(\d{4}) ?[-/.年 ] ?(\d{1,2}) ?月?$/;
const MONTH_DIGITS_ONLY = /^(\d{4})(\d{2})$/;
const MONTH_YEAR_LAST = /^(\d{1,2}) ?[-/. ] ?(\d{4})$/;

/** The month that a month in another form may mean. The caller bounds the length of the text. */
function guessMonths(text: string): readonly Month[] {
  const plain = plainDateText(text);
  const yearFirst = MONTH_YEAR_FIRST.exec(plain) ?? MONTH_DIGITS_ONLY.exec(plain);
  if (yearFirst) return existingMonth(Number(yearFirst[1]), Number(yearFirst[2]));
  const yearLast = MONTH_YEAR_LAST.exec(plain);
  if (yearLast) return existingMonth(Number(yearLast[2]), Number(yearLast[1]));
  const named = readNamedDate(plain);
  return named && named.date === undefined ? existingMonth(named.year, named.month) : [];
}

function existingMonth(year: number, month: number): readonly Month[] {
  const found = parseMonth(`${year}-${String(month).padStart(2, '0')}`);
  return found === undefined ? [] : [found];
}

/** A date with its month as a word. */
type NamedDate = { readonly year: number; readonly month: number; readonly date?: number };

const MONTHS = MONTH_NAMES.map((name) => name.toLowerCase());
const WEEKDAYS = WEEKDAY_NAMES.map((name) => name.toLowerCase());
const FILLERS: ReadonlySet<string> = new Set(['st', 'nd', 'rd', 'th', 'of', 'the', 'on', 'in']);
const MIN_ABBREVIATION_LENGTH = 3;

/** Lower case, with ASCII digits, hyphens and single spaces in place of their lookalikes. */
function plainDateText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Takes `8 may 2027`, `sat, may 8th 2027` and `may 2027`: English words in any order. Any other word refuses the text. */
function readNamedDate(plain: string): NamedDate | undefined {
  let year: number | undefined;
  let month: number | undefined;
  let date: number | undefined;
  for (const token of plain.match(/\p{L}+|\d+/gu) ?? []) {
    if (/^\d{4}$/.test(token) && year === undefined) year = Number(token);
    else if (/^\d{1,2}$/.test(token) && date === undefined) date = Number(token);
    else if (positionIn(MONTHS, token) >= 0 && month === undefined) month = positionIn(MONTHS, token) + 1;
    else if (positionIn(WEEKDAYS, token) < 0 && !FILLERS.has(token)) return undefined;
  }
  if (year === undefined || month === undefined) return undefined;
  return { year, month, ...(date !== undefined && { date }) };
}

function positionIn(names: readonly string[], token: string): number {
  return token.length < MIN_ABBREVIATION_LENGTH ? -1 : names.findIndex((name) => name.startsWith(token));
}
