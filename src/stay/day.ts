/** Days since 1970-01-01, so that comparing days and counting nights is plain arithmetic. */
export type Day = number;

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
  // Any other is written, or refused, as the standard has it. Its own writer takes six times as long, and a result has a hundred days.
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
