import { formatDay } from '../../stay/day.ts';
import { readWrittenDay } from '../../stay/written-date.ts';
import { read, unread, type ValueReading } from './field-rules.ts';

export function readDay(raw: unknown): ValueReading<string> {
  if (typeof raw !== 'string') return unread({ code: 'wrong_type' });
  const reading = readWrittenDay(raw);
  if (reading.kind === 'day') return read(formatDay(reading.day));
  if (reading.kind === 'no_such_date') return unread({ code: 'no_such_date' });
  return unread({ code: 'not_a_date', format: 'YYYY-MM-DD' }, reading.guesses.map(formatDay));
}
