import { parseDay } from '../../stay/day.ts';
import type { HourSpan } from '../activity-store.ts';
import { hourOf, startOfHour } from '../count.ts';
import type { Column, ReportRange } from './report.ts';

const MS_PER_MINUTE = 60_000;
const HOURS_A_DAY = 24;
/** Two days are shown by the hour, a quarter by the day, what is longer by seven days. */
const [MAX_DAYS_BY_HOUR, MAX_DAYS_BY_DAY] = [2, 92];

/** A part of a range whose counts are read at once: all of it in one period, and on one side of what is over. */
export type PeriodSegment = HourSpan & {
  /** When its period begins, in epoch milliseconds. */
  readonly period: number;
  /** Every session that was opened in it has ended. */
  readonly isOver: boolean;
};

export type Periods = { readonly column: Column; readonly segments: readonly PeriodSegment[] };

export function hoursOf({ from, to }: Pick<ReportRange, 'from' | 'to'>): HourSpan {
  return { from: dayIn(from) * HOURS_A_DAY, to: (dayIn(to) + 1) * HOURS_A_DAY - 1 };
}

/** The periods of a range in which something can have been counted: from the first count on, and not in the future. */
export function periodsOf(
  range: Pick<ReportRange, 'from' | 'to'>,
  counted: HourSpan | null,
  { now, sessionMinutes }: { readonly now: number; readonly sessionMinutes: number },
): Periods {
  const { from, to } = hoursOf(range);
  const [length, column] = stepOf((to + 1 - from) / HOURS_A_DAY);
  if (counted === null) return { column, segments: [] };
  const last = Math.min(to, Math.max(hourOf(now), counted.to));
  const lastOver = hourOf(now - sessionMinutes * MS_PER_MINUTE) - 1;
  const segments: PeriodSegment[] = [];
  const skipped = Math.max(0, Math.floor((counted.from - from) / length));
  for (let start = from + skipped * length; start <= last; start += length) {
    const end = Math.min(start + length - 1, last);
    const period = startOfHour(start);
    if (start <= lastOver) segments.push({ period, from: start, to: Math.min(end, lastOver), isOver: true });
    if (end > lastOver) {
      segments.push({ period, from: Math.max(start, lastOver + 1), to: end, isOver: false });
    }
  }
  return { column, segments };
}

function stepOf(days: number): readonly [hours: number, Column] {
  if (days <= MAX_DAYS_BY_HOUR) return [1, { id: 'hour', label: 'Hour (UTC)', unit: 'instant' }];
  if (days <= MAX_DAYS_BY_DAY) return [HOURS_A_DAY, { id: 'day', label: 'Day (UTC)', unit: 'day' }];
  return [7 * HOURS_A_DAY, { id: 'week', label: 'Seven days from', unit: 'day' }];
}

function dayIn(text: string): number {
  const day = parseDay(text);
  if (day === undefined) throw new RangeError(`${text} is not a day`);
  return day;
}
