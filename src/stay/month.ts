import type { Day } from './day.ts';
import { formatDay, parseDay } from './day.ts';

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
  const text = formatDay(day);
  return Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
}

export function firstDayOf(month: Month): Day {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / 86_400_000;
}
