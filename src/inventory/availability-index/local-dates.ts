import type { Day } from '../../stay/day.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { HORIZON_NIGHTS } from '../calendar.ts';

/** What day it is in each time zone of the network. Days begin on the minute, so the dates hold for a whole minute. */
export type LocalDates = {
  readonly minute: number;
  /** In no time zone is today before `start`, and no searchable stay ends on or after `end`. */
  readonly start: Day;
  readonly end: Day;
  /** By the number of the time zone. */
  readonly todays: Int32Array;
};

/** Keeps the latest dates, because formatting a date in a time zone is slow. */
export function createLocalDates(timeZones: readonly string[]): (now: number) => LocalDates {
  let latest: LocalDates | undefined;
  return (now) => {
    const minute = Math.floor(now / 60_000);
    // A property in a time zone that is new to the index adds to the list.
    if (latest?.minute !== minute || latest.todays.length !== timeZones.length) {
      latest = localDatesAt(minute, timeZones);
    }
    return latest;
  };
}

function localDatesAt(minute: number, timeZones: readonly string[]): LocalDates {
  const today = Math.floor(minute / 1440);
  return {
    minute,
    start: today - 1,
    end: today + 1 + HORIZON_NIGHTS + 1,
    todays: Int32Array.from(timeZones, (timeZone) => todayIn(timeZone, minute * 60_000)),
  };
}
