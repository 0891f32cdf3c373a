import type { Day } from '../../stay/day.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { HORIZON_NIGHTS } from '../calendar.ts';

/** An instant as the calendars of the network's places show it. Days begin on the minute, so a minute is one moment. */
export type Moment = {
  readonly minute: number;
  /** Whatever the time zone, today is not before this day, and no searchable stay ends on or after `end`. */
  readonly start: Day;
  readonly end: Day;
  /** By the number of the time zone. */
  readonly todays: Int32Array;
};

/** Finding out what day it is in a time zone is slow, and hardly ever news. */
export function createMoments(timeZones: readonly string[]): (now: number) => Moment {
  let latest: Moment | undefined;
  return (now) => {
    const minute = Math.floor(now / 60_000);
    // Property after property is put in, the network can come to span more time zones than a moment ago.
    if (latest?.minute !== minute || latest.todays.length !== timeZones.length) {
      latest = createMoment(minute, timeZones);
    }
    return latest;
  };
}

function createMoment(minute: number, timeZones: readonly string[]): Moment {
  const today = Math.floor(minute / 1440);
  return {
    minute,
    start: today - 1,
    end: today + 1 + HORIZON_NIGHTS + 1,
    todays: Int32Array.from(timeZones, (timeZone) => todayIn(timeZone, minute * 60_000)),
  };
}
