import type { Day } from '../../stay/day.ts';
import type { Month } from '../../stay/month.ts';
import { firstDayOf, monthOf } from '../../stay/month.ts';
import { HORIZON_NIGHTS } from '../calendar.ts';
import type { CompleteCriteria, StayCriteria } from '../stay-criteria.ts';
import type { Candidate } from './availability-index.ts';
import {
  addArrivalsBetween,
  addDeparturesAfter,
  canArriveBetween,
  canLeaveOn,
  indicativeTotalOf,
} from './bookable-days.ts';
import type { Storeroom } from './columns.ts';
import { hasArrivalBetween } from './columns.ts';
import { createDaySet, daysIn } from './day-set.ts';
import type { Moment } from './local-dates.ts';

/** Stock that already is of the criteria's brand and in its place. */
export type StockAsked = { readonly room: Storeroom; readonly slots: readonly number[] };

/** How many properties match in each city, by its number. */
export function matchesByCity(
  { room, slots }: StockAsked,
  criteria: StayCriteria,
  moment: Moment,
): readonly number[] {
  const counts: number[] = [];
  const window = arrivalWindowOf(criteria, moment);
  for (const slot of slots) {
    if (!matches(room, slot, criteria, window, moment)) continue;
    const city = room.columns.cityNumber[slot] ?? 0;
    counts[city] = (counts[city] ?? 0) + 1;
  }
  return counts;
}

export function someStockMatches(
  { room, slots }: StockAsked,
  criteria: StayCriteria,
  moment: Moment,
): boolean {
  const window = arrivalWindowOf(criteria, moment);
  return slots.some((slot) => matches(room, slot, criteria, window, moment));
}

export function monthsOfArrival(
  { room, slots }: StockAsked,
  criteria: StayCriteria,
  moment: Moment,
): readonly Month[] {
  const found: Month[] = [];
  const open: { readonly month: Month; readonly window: ArrivalWindow }[] = [];
  const last = monthOf(moment.end);
  for (let month = monthOf(moment.start); month <= last; month++) {
    open.push({ month, window: arrivalWindowOf({ ...criteria, checkInMonth: month }, moment) });
  }
  for (const slot of slots) {
    // Backwards, so that taking a month out does not move those still to be looked at.
    for (let position = open.length - 1; position >= 0; position--) {
      const candidate = open[position];
      if (!candidate || !matches(room, slot, criteria, candidate.window, moment)) continue;
      found.push(candidate.month);
      open.splice(position, 1);
    }
    if (open.length === 0) break;
  }
  return found.sort((one, other) => one - other);
}

export function daysOfArrival(
  { room, slots }: StockAsked,
  criteria: StayCriteria,
  moment: Moment,
): readonly Day[] {
  const { from, until } = arrivalWindowOf(criteria, moment);
  const found = createDaySet(from, until);
  let missing = until - from;
  for (const slot of slots) {
    const earliest = Math.max(from, earliestArrivalOf(room, slot, moment));
    if (!suits(room, slot, criteria) || !hasArrivalBetween(room, slot, earliest, until)) continue;
    const bookable = room.stock[slot]?.bookable;
    if (bookable)
      missing -= addArrivalsBetween(found, bookable, earliest, until, horizonOf(room, slot, moment));
    if (missing === 0) break;
  }
  return daysIn(found);
}

/** None before the criteria says when the stay begins. */
export function daysOfDeparture(
  { room, slots }: StockAsked,
  criteria: StayCriteria,
  moment: Moment,
): readonly Day[] {
  const { checkIn } = criteria;
  if (checkIn === null) return [];
  const { from, until } = arrivalWindowOf(criteria, moment);
  const found = createDaySet(from, moment.end);
  for (const slot of slots) {
    const earliest = Math.max(from, earliestArrivalOf(room, slot, moment));
    if (!suits(room, slot, criteria) || !hasArrivalBetween(room, slot, earliest, until)) continue;
    const bookable = room.stock[slot]?.bookable;
    if (bookable) addDeparturesAfter(found, bookable, checkIn, horizonOf(room, slot, moment));
  }
  return daysIn(found);
}

export function largestPartyOf({ room, slots }: StockAsked, criteria: StayCriteria, moment: Moment): number {
  const window = arrivalWindowOf(criteria, moment);
  let largest = 0;
  for (const slot of slots) {
    const party = room.columns.maxGuests[slot] ?? 0;
    if (party > largest && matches(room, slot, criteria, window, moment)) largest = party;
  }
  return largest;
}

export function candidatesAmong(
  { room, slots }: StockAsked,
  criteria: CompleteCriteria,
  moment: Moment,
): readonly Candidate[] {
  const found: Candidate[] = [];
  const window = arrivalWindowOf(criteria, moment);
  for (const slot of slots) {
    const stock = matches(room, slot, criteria, window, moment) ? room.stock[slot] : undefined;
    if (!stock) continue;
    const { property, bookable } = stock;
    const indicativeTotal = indicativeTotalOf(bookable, criteria.checkIn, criteria.checkOut);
    found.push({ property: property.id, brand: property.brand, indicativeTotal });
  }
  return found.sort(
    (one, other) => one.indicativeTotal - other.indicativeTotal || (one.property < other.property ? -1 : 1),
  );
}

/** The days on which a criteria lets a stay begin: `[from, until)`. */
type ArrivalWindow = { readonly from: Day; readonly until: Day };

function arrivalWindowOf(criteria: StayCriteria, moment: Moment): ArrivalWindow {
  const { checkInMonth, checkIn } = criteria;
  let [from, until] = [moment.start, moment.end];
  if (checkInMonth !== null) {
    from = Math.max(from, firstDayOf(checkInMonth));
    until = Math.min(until, firstDayOf(checkInMonth + 1));
  }
  if (checkIn !== null) {
    from = Math.max(from, checkIn);
    until = Math.min(until, checkIn + 1);
  }
  return { from, until };
}

/** The columns settle it for most stock; calendars are opened only for the rest. */
function matches(
  room: Storeroom,
  slot: number,
  criteria: StayCriteria,
  window: ArrivalWindow,
  moment: Moment,
): boolean {
  const { until } = window;
  const from = Math.max(window.from, earliestArrivalOf(room, slot, moment));
  if (!hasArrivalBetween(room, slot, from, until) || !suits(room, slot, criteria)) return false;
  const { checkOut } = criteria;
  const horizon = horizonOf(room, slot, moment);
  const sureUntil = horizon - (room.columns.longestShortestStay[slot] ?? 0) + 1;
  if (checkOut === null && hasArrivalBetween(room, slot, from, Math.min(until, sureUntil))) return true;
  const bookable = room.stock[slot]?.bookable;
  if (!bookable) return false;
  return checkOut === null
    ? canArriveBetween(bookable, Math.max(from, sureUntil), until, horizon)
    : canLeaveOn(bookable, from, until, checkOut, horizon);
}

function suits(room: Storeroom, slot: number, criteria: StayCriteria): boolean {
  if (criteria.guests !== null && (room.columns.maxGuests[slot] ?? 0) < criteria.guests) return false;
  if (criteria.amenities.length === 0) return true;
  const offered = room.stock[slot]?.property.amenities ?? {};
  return criteria.amenities.every((amenity) => Object.hasOwn(offered, amenity));
}

function earliestArrivalOf(room: Storeroom, slot: number, moment: Moment): Day {
  return todayOf(room, slot, moment) + (room.columns.leadDays[slot] ?? 0);
}

/** The last day on which a stay may end. */
function horizonOf(room: Storeroom, slot: number, moment: Moment): Day {
  return todayOf(room, slot, moment) + HORIZON_NIGHTS;
}

function todayOf(room: Storeroom, slot: number, moment: Moment): Day {
  return moment.todays[room.columns.timeZoneNumber[slot] ?? 0] ?? 0;
}
