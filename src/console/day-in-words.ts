import { formatCell } from '../activity/reports/format-cell.ts';
import { parseDay, weekdayOf } from '../stay/day.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Sat 15 May 2027. What is no day stays as it is. */
export function dayInWords(date: string): string {
  const day = parseDay(date);
  if (day === undefined) return date;
  return `${WEEKDAYS[weekdayOf(day)]} ${Number(date.slice(8))} ${formatCell(date.slice(0, 7), 'month')}`;
}

/** Sat 15 May 2027 · 7 nights, where the arrival is known. */
export function departureInWords(checkOut: string, checkIn: string): string {
  const [from, to] = [parseDay(checkIn), parseDay(checkOut)];
  if (from === undefined || to === undefined) return dayInWords(checkOut);
  const nights = to - from;
  return `${dayInWords(checkOut)} · ${nights} ${nights === 1 ? 'night' : 'nights'}`;
}
