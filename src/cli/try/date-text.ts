import { type Day, weekdayOf } from '../../stay/day.ts';
import type { Month } from '../../stay/month.ts';

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** `May 2027` */
export function monthText(month: Month): string {
  return `${MONTHS[month % 12]} ${Math.floor(month / 12)}`;
}

/** `8 May 2027` */
export function dateText(day: Day): string {
  const date = new Date(day * 86_400_000);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]?.slice(0, 3)} ${date.getUTCFullYear()}`;
}

/** `Sat 8 May 2027` */
export function dayText(day: Day): string {
  return `${WEEKDAYS[weekdayOf(day)]} ${dateText(day)}`;
}
