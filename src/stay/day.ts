/** Days since 1970-01-01, so that comparing days and counting nights is plain arithmetic. */
export type Day = number;

const MS_PER_DAY = 86_400_000;
const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `undefined` for anything that is not a real day, such as 2027-02-30. */
export function parseDay(text: string): Day | undefined {
  const match = DAY_PATTERN.exec(text);
  if (!match) return undefined;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // Date.UTC reads years 0 to 99 as 1900 to 1999.
  if (year < 1000) return undefined;
  const day = Date.UTC(year, month - 1, date) / MS_PER_DAY;
  return formatDay(day) === text ? day : undefined;
}

export function formatDay(day: Day): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}
