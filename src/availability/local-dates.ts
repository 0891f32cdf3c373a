import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { Day } from '../stay/day.ts';
import { todayIn } from '../stay/time-zone.ts';

/** What day it is in each time zone of the network. */
export type LocalDates = {
  /** The same whenever these are the dates, in every thread. */
  readonly edition: number;
  /** In no time zone is today before `start`, and no searchable stay begins on or after `end`. */
  readonly start: Day;
  readonly end: Day;
  /** By the number of the time zone. */
  readonly todays: Int32Array;
};

const MINUTE_MS = 60_000;

/** Days begin on the minute, so the dates hold for a whole one: telling the date in a time zone is slow. */
export function createLocalDates(timeZones: readonly string[]): (now: number) => LocalDates {
  let latest: LocalDates | undefined;
  let latestMinute = Number.NaN;

  return (now) => {
    const minute = Math.floor(now / MINUTE_MS);
    if (latest && minute === latestMinute) return latest;
    latestMinute = minute;
    const todays = Int32Array.from(timeZones, (timeZone) => todayIn(timeZone, minute * MINUTE_MS));
    if (latest && todays.every((today, zone) => today === latest?.todays[zone])) return latest;
    latest = {
      // No date goes back while time goes on, so other dates have another sum.
      edition: todays.reduce((sum, today) => sum + today, 0),
      start: todays.reduce((first, today) => Math.min(first, today), Number.POSITIVE_INFINITY),
      end: todays.reduce((last, today) => Math.max(last, today), Number.NEGATIVE_INFINITY) + HORIZON_NIGHTS,
      todays,
    };
    return latest;
  };
}
