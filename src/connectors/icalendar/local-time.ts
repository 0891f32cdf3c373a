import type { Day } from '../../stay/day.ts';
import { instantOf, wallClockOf } from '../../stay/time-zone.ts';
import type { ContentLine } from './content-lines.ts';

/** On the wall clock of the property. A date alone is its midnight. */
export type LocalTime = { readonly day: Day; readonly secondOfDay: number };

export type LocalTimeReader = (line: ContentLine) => LocalTime | 'not_a_time' | 'too_many_time_zones';

const MS_PER_DAY = 86_400_000;
const SECONDS_PER_DAY = 86_400;
const TIME = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/i;
const DURATION =
  /^\+?P(?:(\d{1,6})W|(?=[\dT])(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})S)?)?)$/i;
/** Each costs a tenth of a millisecond; a home is in one, and its feed in a few more. */
const MAX_TIME_ZONES = 20;

/** No stay is searched outside these days, and nobody's time zone is known there: a time beyond them is moved to the nearer one. */
const FIRST_DAY = Date.UTC(1900, 0, 1) / MS_PER_DAY;
const LAST_DAY = Date.UTC(2200, 0, 1) / MS_PER_DAY;

/** Reads `DTSTART` and `DTEND` of one feed: dates, local times with or without a `TZID`, and UTC. */
export function createLocalTimeReader(timeZone: string): LocalTimeReader {
  const zones = new Map<string, string | null>();

  /** Null for a name that nobody knows, such as one that a `VTIMEZONE` of the feed makes up: its times count as they are written. */
  function zoneNamed(id: string | undefined): string | null | undefined {
    if (id === undefined || id === timeZone) return null;
    if (!zones.has(id)) {
      if (zones.size >= MAX_TIME_ZONES) return undefined;
      zones.set(id, canonicalZone(id));
    }
    return zones.get(id);
  }

  return ({ value, parameters }) => {
    const match = TIME.exec(value);
    if (!match) return 'not_a_time';
    const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = match
      .slice(1, 7)
      .map((digits) => Number(digits ?? 0));
    const day = calendarDayOf(year, month, date);
    if (day === undefined || hour > 23 || minute > 59 || second > 60) return 'not_a_time';
    if (day < FIRST_DAY) return { day: FIRST_DAY, secondOfDay: 0 };
    if (day >= LAST_DAY) return { day: LAST_DAY, secondOfDay: 0 };
    const asWritten = { day, secondOfDay: hour * 3600 + minute * 60 + second };
    if (match[4] === undefined) return asWritten;
    if (match[7] !== undefined) return localTimeAt(day * MS_PER_DAY + asWritten.secondOfDay * 1000, timeZone);
    const zone = zoneNamed(parameters.get('TZID'));
    if (zone === undefined) return 'too_many_time_zones';
    if (zone === null) return asWritten;
    return localTimeAt(instantOf(day, hour * 60 + minute, zone) + second * 1000, timeZone);
  };
}

/** Hours are added on the wall clock: a change of the clocks in between moves the end by an hour, which no night depends on. */
export function afterDuration({ day, secondOfDay }: LocalTime, duration: string): LocalTime | undefined {
  const match = DURATION.exec(duration);
  if (!match) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  const total = secondOfDay + hours * 3600 + minutes * 60 + seconds;
  const end = day + weeks * 7 + days + Math.floor(total / SECONDS_PER_DAY);
  return end < LAST_DAY
    ? { day: end, secondOfDay: total % SECONDS_PER_DAY }
    : { day: LAST_DAY, secondOfDay: 0 };
}

/** Undefined where the calendar has no such day. Unlike `calendarDay`, from the year 0 on: feeds write 00010101 for "always". */
function calendarDayOf(year: number, month: number, date: number): Day | undefined {
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, date);
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === date
    ? time.getTime() / MS_PER_DAY
    : undefined;
}

/** Written as everybody writes it: names are known in any mix of capitals, and each form would be kept. Offsets are no names. */
function canonicalZone(id: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,60}$/.test(id)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function localTimeAt(instant: number, timeZone: string): LocalTime {
  const wallClock = wallClockOf(timeZone, instant);
  const day = Math.floor(wallClock / MS_PER_DAY);
  return { day, secondOfDay: (wallClock - day * MS_PER_DAY) / 1000 };
}
