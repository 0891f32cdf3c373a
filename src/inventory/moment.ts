import type { Day } from '../stay/day.ts';
import { todayIn } from '../stay/time-zone.ts';
import { HORIZON_NIGHTS } from './calendar.ts';

/** An instant as the calendars of the network's places show it. Days begin on the minute, so a minute is one moment. */
export type Moment = {
  readonly minute: number;
  /** Whatever the time zone, today is not before this day, and no searchable stay ends on or after `end`. */
  readonly start: Day;
  readonly end: Day;
  todayIn(timeZoneNumber: number): Day;
};

/** Finding out what day it is in a time zone is slow, and hardly ever news. */
export function createMoments(timeZones: readonly string[]): (now: number) => Moment {
  let latest: Moment | undefined;
  return (now) => {
    const minute = Math.floor(now / 60_000);
    if (latest?.minute !== minute) latest = createMoment(minute, timeZones);
    return latest;
  };
}

function createMoment(minute: number, timeZones: readonly string[]): Moment {
  const todays: Day[] = [];
  const today = Math.floor(minute / 1440);
  return {
    minute,
    start: today - 1,
    end: today + 1 + HORIZON_NIGHTS + 1,
    todayIn(timeZoneNumber) {
      const known = todays[timeZoneNumber];
      if (known !== undefined) return known;
      const found = todayIn(timeZones[timeZoneNumber] ?? 'UTC', minute * 60_000);
      todays[timeZoneNumber] = found;
      return found;
    },
  };
}
