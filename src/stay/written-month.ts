import { guessMonths } from './guess-months.ts';
import { type Month, monthOf, parseMonth } from './month.ts';
import { MAX_WRITTEN_DATE_LENGTH, readWrittenDay } from './written-day.ts';

/** What a caller wrote where a month was asked for. Guesses are months that may have been meant; they are never acted on. */
export type WrittenMonth =
  | { readonly kind: 'month'; readonly month: Month }
  | { readonly kind: 'no_such_date' }
  | { readonly kind: 'not_a_date'; readonly guesses: readonly Month[] };

const YEAR_MONTH = /^(\d{4})-(\d{1,2})$/;

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
