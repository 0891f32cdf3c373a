import type { Day } from '../../stay/day.ts';
import type { Calendar } from '../calendar.ts';
import type { RefusedNights } from './availability-index.ts';

/** The days of a calendar on which some stay can begin. */
export type ArrivalDays = {
  /** 1 for each night of the calendar on which one can. */
  readonly flags: Uint8Array;
  /** The last of them; `NEVER` when there is none. */
  readonly last: Day;
};

/** Before every day. */
export const NEVER: Day = -(2 ** 30);
const ANY_POSITION = 2 ** 30;

/** `horizon` is the last day on which a stay may end. */
export function arrivalDaysOf(
  calendar: Calendar,
  horizon: Day,
  refused: readonly RefusedNights[] = [],
): ArrivalDays {
  const { firstDay, available, minimumStay, maximumStay, closedToArrival, closedToDeparture } = calendar;
  const nights = available.length;
  const flags = new Uint8Array(nights);
  const nextOpen = departuresFrom(closedToDeparture);
  const refusedAt = refusalsByArrival(refused, firstDay, nights);
  let last = NEVER;
  let freeUntil = nights;
  let lastDeparture = horizon - firstDay;
  for (let arrival = nights - 1; arrival >= 0; arrival--) {
    if (available[arrival] !== 1) freeUntil = arrival;
    // Who arrives earlier and leaves as late contains a refused stay too.
    if (refusedAt) lastDeparture = Math.min(lastDeparture, refusedAt[arrival] ?? ANY_POSITION);
    if (closedToArrival[arrival] === 1) continue;
    const earliest = arrival + Math.max(1, minimumStay[arrival] ?? 1);
    if (earliest > nights) continue;
    const departure = nextOpen[earliest] ?? ANY_POSITION;
    const maximum = maximumStay[arrival] ?? 0;
    if (departure > freeUntil || departure > lastDeparture) continue;
    if (maximum !== 0 && departure > arrival + maximum) continue;
    flags[arrival] = 1;
    if (last === NEVER) last = firstDay + arrival;
  }
  return { flags, last };
}

/** By position, the first one from there on that is open to departure. The one after the last night always is. */
function departuresFrom(closedToDeparture: Uint8Array): Uint32Array {
  const nights = closedToDeparture.length;
  const nextOpen = new Uint32Array(nights + 1);
  nextOpen[nights] = nights;
  for (let position = nights - 1; position >= 0; position--) {
    nextOpen[position] = closedToDeparture[position] === 1 ? (nextOpen[position + 1] ?? nights) : position;
  }
  return nextOpen;
}

/** By arrival, the last departure before a stay would contain one that was refused from there; null when none was refused. */
function refusalsByArrival(
  refused: readonly RefusedNights[],
  firstDay: Day,
  nights: number,
): Int32Array | null {
  if (refused.length === 0) return null;
  const lastDepartures = new Int32Array(nights).fill(ANY_POSITION);
  for (const { from, to } of refused) {
    const arrival = from - firstDay;
    // Where the calendar does not begin before it, no stay contains it.
    if (from >= to || arrival < 0 || arrival >= nights) continue;
    lastDepartures[arrival] = Math.min(lastDepartures[arrival] ?? ANY_POSITION, to - 1 - firstDay);
  }
  return lastDepartures;
}
