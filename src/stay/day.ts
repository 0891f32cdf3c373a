/** Days since 1970-01-01, so that comparing days and counting nights is plain arithmetic. */
export type Day = number;

/** A calendar month as `year * 12 + (month - 1)`. */
export type Month = number;

export const MS_PER_DAY = 86_400_000;
const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `undefined` for anything that is not a real day, such as 2027-02-30. */
export function parseDay(text: string): Day | undefined {
  const match = DAY_PATTERN.exec(text);
  return match ? calendarDay(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
}

/** The day of a year from 1000 to 9999 and a month from 1 to 12; `undefined` where the calendar has no such day. */
export function calendarDay(year: number, month: number, date: number): Day | undefined {
  // Date.UTC reads years 0 to 99 as 1900 to 1999.
  if (year < 1000 || year > 9999) return undefined;
  const time = new Date(Date.UTC(year, month - 1, date));
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === date
    ? time.getTime() / MS_PER_DAY
    : undefined;
}

export function formatDay(day: Day): string {
  const date = new Date(day * MS_PER_DAY);
  const year = date.getUTCFullYear();
  // `toISOString` writes or refuses the other years. It takes six times as long, and a result has a hundred days.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString().slice(0, 10);
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

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
  const date = new Date(day * MS_PER_DAY);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function firstDayOf(month: Month): Day {
  // Counted from 1970, because Date.UTC reads years 0 to 99 as 1900 to 1999.
  return Date.UTC(1970, month - 1970 * 12) / MS_PER_DAY;
}

/** By their first three letters, as rate cards write them, in the order of `weekdayOf`. */
const WEEKDAY_BY_CODE = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const;

type WeekdayCode = keyof typeof WEEKDAY_BY_CODE;

export const WEEKDAY_CODES = Object.keys(WEEKDAY_BY_CODE) as WeekdayCode[];
export const WEEKDAY_NAMES: readonly string[] = Object.values(WEEKDAY_BY_CODE);

export const MONTH_NAMES: readonly string[] = [
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
];
