import { firstDayOf, formatDay, parseMonth } from '../../stay/day.ts';
import type { DateOrder } from '../../stay/written-dates.ts';
import { readWrittenDay } from '../../stay/written-dates.ts';
import { read, unsearchable, type ValueReading } from './field-rules.ts';

export function readDay(raw: unknown, order?: DateOrder): ValueReading<string> {
  if (typeof raw !== 'string') return unsearchable({ code: 'wrong_type' });
  const reading = readWrittenDay(raw, order);
  if (reading.kind === 'day') return read(formatDay(reading.day));
  if (reading.kind === 'no_such_date') return unsearchable({ code: 'no_such_date' }, lastDayOfThatMonth(raw));
  return unsearchable({ code: 'not_a_date', format: 'YYYY-MM-DD' }, reading.guesses.map(formatDay));
}

/** Whoever writes 30 February means the end of February. */
function lastDayOfThatMonth(written: string): string[] {
  const [year, month = ''] = written.trim().split('-');
  const named = parseMonth(`${year}-${month.padStart(2, '0')}`);
  return named === undefined ? [] : [formatDay(firstDayOf(named + 1) - 1)];
}
