import { type Month, monthOf, parseMonth } from './month.ts';
import { plainDateText, readNamedDate } from './named-date.ts';
import { MAX_WRITTEN_DATE_LENGTH, readWrittenDay } from './written-day.ts';

/** What a caller wrote where a month was asked for. Guesses are months that may have been meant; they are never acted on. */
export type WrittenMonth =
  | { readonly kind: 'month'; readonly month: Month }
  | { readonly kind: 'no_such_date' }
  | { readonly kind: 'not_a_date'; readonly guesses: readonly Month[] };

const YEAR_MONTH = /^(\d{4})-(\d{1,2})$/;
const YEAR_FIRST = /^(\d{4}) ?[-/.年 ] ?(\d{1,2}) ?月?$/;
const DIGITS_ONLY = /^(\d{4})(\d{2})$/;
const YEAR_LAST = /^(\d{1,2}) ?[-/. ] ?(\d{4})$/;

/** `2027-05` and `2027-5`. A whole date is no month, but suggests its own. */
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

/** The month that a person may have meant by a month in another form. For a short text: the caller bounds its length. */
function guessMonths(text: string): readonly Month[] {
  const plain = plainDateText(text);
  const yearFirst = YEAR_FIRST.exec(plain) ?? DIGITS_ONLY.exec(plain);
  if (yearFirst) return existing(Number(yearFirst[1]), Number(yearFirst[2]));
  const yearLast = YEAR_LAST.exec(plain);
  if (yearLast) return existing(Number(yearLast[2]), Number(yearLast[1]));
  const named = readNamedDate(plain);
  return named && named.date === undefined ? existing(named.year, named.month) : [];
}

function existing(year: number, month: number): readonly Month[] {
  const found = parseMonth(`${year}-${String(month).padStart(2, '0')}`);
  return found === undefined ? [] : [found];
}
