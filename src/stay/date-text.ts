import { MONTH_NAMES, WEEKDAY_NAMES } from './calendar-names.ts';
import { type Day, weekdayOf } from './day.ts';
import type { Month } from './month.ts';

/** `May 2027` */
export function monthText(month: Month): string {
  return `${MONTH_NAMES[month % 12]} ${Math.floor(month / 12)}`;
}

/** `8 May 2027` */
export function dateText(day: Day): string {
  const date = new Date(day * 86_400_000);
  return `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]?.slice(0, 3)} ${date.getUTCFullYear()}`;
}

/** `Sat 8 May 2027` */
export function dayText(day: Day): string {
  return `${WEEKDAY_NAMES[weekdayOf(day)]?.slice(0, 3)} ${dateText(day)}`;
}
