import type { Day } from './day.ts';
import { parseDay } from './day.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

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
  const today = parseDay(formatOf(zone).format(now).slice(0, 10));
  if (today === undefined) throw new RangeError(`no calendar day for ${zone} at ${now}`);
  return today;
}

/** The instant at which a wall clock in the zone shows `minutes` past midnight of `day`. */
export function instantOf(day: Day, minutes: number, zone: string): number {
  const asIfUtc = day * 86_400_000 + minutes * 60_000;
  // Twice, because the offset at the first guess can lie on the other side of a clock change.
  const guess = asIfUtc - offsetOf(zone, asIfUtc);
  return asIfUtc - offsetOf(zone, guess);
}

function offsetOf(zone: string, instant: number): number {
  const [date = '', time = ''] = formatOf(zone).format(instant).split(', ');
  return Date.parse(`${date}T${time}Z`) - Math.floor(instant / 1000) * 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    // en-CA writes `2026-07-01, 15:00:00`: the ISO 8601 parts in the ISO 8601 order.
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  return format;
}
