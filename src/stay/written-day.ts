import { calendarDay, type Day } from './day.ts';
import { type DateOrder, guessDays } from './guess-days.ts';

/** What a caller wrote where a day was asked for. Guesses are days that may have been meant; they are never acted on. */
export type WrittenDay =
  | { readonly kind: 'day'; readonly day: Day }
  | { readonly kind: 'no_such_date' }
  | { readonly kind: 'not_a_date'; readonly guesses: readonly Day[] };

export const MAX_WRITTEN_DATE_LENGTH = 40;

const YEAR_MONTH_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

/** `2027-05-08` and `2027-5-8`. Any other order or separator leaves doubt about which number is the month. */
export function readWrittenDay(text: string, order?: DateOrder): WrittenDay {
  if (text.length > MAX_WRITTEN_DATE_LENGTH) return { kind: 'not_a_date', guesses: [] };
  const match = YEAR_MONTH_DATE.exec(text.trim());
  if (!match) return { kind: 'not_a_date', guesses: guessDays(text, order) };
  const day = calendarDay(Number(match[1]), Number(match[2]), Number(match[3]));
  return day === undefined ? { kind: 'no_such_date' } : { kind: 'day', day };
}
