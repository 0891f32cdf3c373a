import { LRUCache } from 'lru-cache';
import type { Day } from './day.ts';

const MS_PER_DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_INSTANTS = 1000;
/** Cached because finding an instant formats four dates, and the options of a result need the same few instants. */
const instants = new LRUCache<string, number>({ max: MAX_INSTANTS });
const localTexts = new LRUCache<string, string>({ max: MAX_INSTANTS });

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The local date: at 23:30 UTC it is already tomorrow in Tokyo. */
export function todayIn(zone: string, now: number): Day {
  return Math.floor(wallClockOf(zone, now) / MS_PER_DAY);
}

/**
 * The instant at which a wall clock in the zone shows `minutes` past midnight of `day`. When the clocks go back, the first
 * of the two occurrences; when they go forward, a skipped time is moved forward by the length of the gap.
 */
export function instantOf(day: Day, minutes: number, zone: string): number {
  const asIfUtc = day * MS_PER_DAY + minutes * 60_000;
  const key = `${asIfUtc} ${zone}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const instant = findInstant(asIfUtc, zone);
  instants.set(key, instant);
  return instant;
}

/** To the second, with the offset from UTC: `2027-05-01T18:00:00+01:00`. */
export function formatLocal(instant: number, zone: string): string {
  const key = `${instant} ${zone}`;
  const known = localTexts.get(key);
  if (known !== undefined) return known;
  const text = localText(instant, zone);
  localTexts.set(key, text);
  return text;
}

function localText(instant: number, zone: string): string {
  const wallClock = wallClockOf(zone, instant);
  const shown = new Date(wallClock).toISOString().slice(0, 19);
  const offsetMinutes = Math.round((wallClock - Math.floor(instant / 1000) * 1000) / 60_000);
  const size = Math.abs(offsetMinutes);
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${shown}${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`;
}

function findInstant(asIfUtc: number, zone: string): number {
  const offsetBefore = offsetOf(zone, asIfUtc - MS_PER_DAY);
  const offsetAfter = offsetOf(zone, asIfUtc + MS_PER_DAY);
  const showsAfterTheChange = offsetOf(zone, asIfUtc - offsetAfter) === offsetAfter;
  const showsBeforeTheChange = offsetOf(zone, asIfUtc - offsetBefore) === offsetBefore;
  return showsAfterTheChange && !showsBeforeTheChange ? asIfUtc - offsetAfter : asIfUtc - offsetBefore;
}

function offsetOf(zone: string, instant: number): number {
  return wallClockOf(zone, instant) - Math.floor(instant / 1000) * 1000;
}

/** The zone's local date and time, as the instant at which UTC has the same date and time. */
export function wallClockOf(zone: string, instant: number): number {
  const shown: Record<string, number> = {};
  // By parts, because formatted dates change between releases of the locale data.
  for (const { type, value } of formatOf(zone).formatToParts(instant)) shown[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  return format;
}
