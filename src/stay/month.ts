import type { Day } from './day.ts';
import { parseDay } from './day.ts';

/** A calendar month as `year * 12 + (month - 1)`. */
export type Month = number;

const MONTH_PATTERN = /^\d{4}-(0[1-9]|1[0-2])$/;

export function parseMonth(text: string): Month | undefined {
  if (!MONTH_PATTERN.test(text)) return undefined;
  const firstDay = parseDay(`${text}-01`);
  return firstDay === undefined ? undefined : monthOf(firstDay);
}

export function formatMonth(month: Month): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}

export function monthOf(day: Day): Month {
  const date = new Date(day * 86_400_000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function firstDayOf(month: Month): Day {
  // Counted from 1970, because Date.UTC reads years 0 to 99 as 1900 to 1999.
  return Date.UTC(1970, month - 1970 * 12) / 86_400_000;
}
