import type { Day } from './day.ts';

const MS_PER_DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** Looking an instant up takes four readings of a calendar, and the options of a result ask for the same few. */
const instants = new Map<string, number>();
const MAX_INSTANTS = 1000;

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The day on the wall calendar of a place: a search at 23:30 UTC is already tomorrow in Tokyo. */
export function todayIn(zone: string, now: number): Day {
  return Math.floor(wallClockOf(zone, now) / MS_PER_DAY);
}

/**
 * The instant at which a wall clock in the zone shows `minutes` past midnight of `day`. A time that the clock shows twice is
 * taken the first time; one that it skips is as far behind the change as it was meant to be.
 */
export function instantOf(day: Day, minutes: number, zone: string): number {
  const asIfUtc = day * MS_PER_DAY + minutes * 60_000;
  const key = `${asIfUtc} ${zone}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const instant = findInstant(asIfUtc, zone);
  if (instants.size >= MAX_INSTANTS) instants.clear();
  instants.set(key, instant);
  return instant;
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

/** What calendar and clock show in the zone, as the instant at which they would show it in UTC. */
function wallClockOf(zone: string, instant: number): number {
  const shown: Record<string, number> = {};
  // By parts, because how a locale writes a whole date changes from one release of its data to the next.
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
