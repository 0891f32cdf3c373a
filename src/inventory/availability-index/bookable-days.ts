import type { Day } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import type { Calendar } from '../calendar.ts';
import type { RefusedNights } from './availability-index.ts';
import type { DaySet } from './day-set.ts';
import {
  addDay,
  addDaysBetween,
  addDaysFlagged,
  createDaySet,
  deleteDay,
  hasDay,
  nextDayIn,
  nextDayOutside,
} from './day-set.ts';

/**
 * A calendar in the form that queries read. A `horizon` is the last day on which a stay may end: it moves at midnight, so
 * it is a parameter of the queries and not part of this form.
 */
export type BookableDays = {
  readonly firstDay: Day;
  readonly freeNights: DaySet;
  /** Days on which at least one stay can start. */
  readonly arrivals: DaySet;
  readonly closedToArrival: DaySet;
  readonly departures: DaySet;
  readonly minimumStay: Uint16Array;
  readonly maximumStay: Uint16Array;
  readonly price: Uint32Array;
  /** The mean of the nights that have a price; 0 when none has. */
  readonly usualPrice: MinorUnits;
  lastArrival: Day;
  /** The longest of the shortest stays that the arrival days allow: arrivals this many days before the horizon have a stay. */
  maxShortestStay: number;
  /** By arrival day, the last departure before a stay would contain all nights of a refused one; null when none was refused. */
  lastDepartures: Int32Array | null;
};

/** Before every day, and within the range of the columns. */
const NEVER: Day = -(2 ** 30);
/** After every day, likewise. */
const ANY_DAY: Day = 2 ** 30;

export function readBookableDays(calendar: Calendar): BookableDays {
  const { firstDay } = calendar;
  const end = firstDay + calendar.available.length;
  const bookable: BookableDays = {
    firstDay,
    freeNights: createDaySet(firstDay, end),
    arrivals: createDaySet(firstDay, end),
    closedToArrival: createDaySet(firstDay, end),
    departures: createDaySet(firstDay, end + 1),
    // Copied, because the caller may write to its calendar again.
    minimumStay: calendar.minimumStay.slice(),
    maximumStay: calendar.maximumStay.slice(),
    price: calendar.price.slice(),
    usualPrice: meanPrice(calendar.price),
    lastArrival: NEVER,
    maxShortestStay: 0,
    lastDepartures: null,
  };
  addDaysFlagged(bookable.freeNights, calendar.available, 1);
  addDaysFlagged(bookable.arrivals, calendar.closedToArrival, 0);
  addDaysFlagged(bookable.closedToArrival, calendar.closedToArrival, 1);
  addDaysFlagged(bookable.departures, calendar.closedToDeparture, 0);
  addDay(bookable.departures, end);
  keepArrivalsWithAStay(bookable);
  return bookable;
}

export function withdrawStays(bookable: BookableDays, refused: readonly RefusedNights[]): void {
  const { arrivals, closedToArrival } = bookable;
  bookable.lastDepartures = lastDeparturesBefore(refused, bookable.firstDay, bookable.price.length);
  for (let day = arrivals.from; day < arrivals.until; day++) {
    if (!hasDay(closedToArrival, day)) addDay(arrivals, day);
  }
  keepArrivalsWithAStay(bookable);
}

function lastDeparturesBefore(
  refused: readonly RefusedNights[],
  firstDay: Day,
  nights: number,
): Int32Array | null {
  if (refused.length === 0) return null;
  const lastDepartures = new Int32Array(nights).fill(ANY_DAY);
  for (const { from, to } of refused) {
    const arrival = from - firstDay;
    // Where the calendar does not begin before it, no stay contains it.
    if (from >= to || arrival < 0 || arrival >= nights) continue;
    lastDepartures[arrival] = Math.min(lastDepartures[arrival] ?? ANY_DAY, to - 1);
  }
  // Who arrives earlier and leaves as late contains it too.
  for (let arrival = nights - 2; arrival >= 0; arrival--) {
    const later = lastDepartures[arrival + 1] ?? ANY_DAY;
    lastDepartures[arrival] = Math.min(lastDepartures[arrival] ?? ANY_DAY, later);
  }
  return lastDepartures;
}

/** Leaves out of `arrivals` the days on which no stay can start. */
function keepArrivalsWithAStay(bookable: BookableDays): void {
  const { arrivals, freeNights } = bookable;
  bookable.lastArrival = NEVER;
  bookable.maxShortestStay = 0;
  let freeUntil = arrivals.from;
  for (
    let day = nextDayIn(arrivals, arrivals.from);
    day < arrivals.until;
    day = nextDayIn(arrivals, day + 1)
  ) {
    if (day >= freeUntil) freeUntil = nextDayOutside(freeNights, day);
    const departure = firstDepartureFrom(bookable, day);
    const latest = Math.min(freeUntil, lastDepartureNotRefused(bookable, day));
    if (departure > Math.min(latest, lastDepartureByRule(bookable, day))) {
      deleteDay(arrivals, day);
      continue;
    }
    bookable.lastArrival = day;
    bookable.maxShortestStay = Math.max(bookable.maxShortestStay, departure - day);
  }
}

/** Tests day by day, so it is meant for the few days before the horizon. */
export function canArriveBetween(bookable: BookableDays, from: Day, until: Day, horizon: Day): boolean {
  const end = Math.min(until, horizon, bookable.arrivals.until);
  for (let day = Math.max(from, bookable.firstDay); day < end; day++) {
    if (canArriveOn(bookable, day, horizon)) return true;
  }
  return false;
}

/** Returns how many days were new. */
export function addArrivalsBetween(
  target: DaySet,
  bookable: BookableDays,
  from: Day,
  until: Day,
  horizon: Day,
): number {
  const end = Math.min(until, horizon, bookable.arrivals.until, target.until);
  const sureUntil = Math.min(end, horizon - bookable.maxShortestStay + 1);
  let added = addDaysBetween(target, bookable.arrivals, from, sureUntil);
  for (let day = Math.max(from, sureUntil, bookable.firstDay, target.from); day < end; day++) {
    if (hasDay(target, day) || !canArriveOn(bookable, day, horizon)) continue;
    addDay(target, day);
    added++;
  }
  return added;
}

export function addDeparturesAfter(target: DaySet, bookable: BookableDays, checkIn: Day, horizon: Day): void {
  if (!hasDay(bookable.arrivals, checkIn)) return;
  const earliest = checkIn + shortestStayByRule(bookable, checkIn);
  const freeUntil = nextDayOutside(bookable.freeNights, checkIn);
  const byRule = Math.min(lastDepartureByRule(bookable, checkIn), horizon);
  const latest = Math.min(freeUntil, lastDepartureNotRefused(bookable, checkIn), byRule);
  addDaysBetween(target, bookable.departures, earliest, latest + 1);
}

/** Whether some stay that starts in `[from, until)` can end on `checkOut`. */
export function canDepartOn(
  bookable: BookableDays,
  from: Day,
  until: Day,
  checkOut: Day,
  horizon: Day,
): boolean {
  if (checkOut > horizon || !hasDay(bookable.departures, checkOut)) return false;
  const start = Math.max(from, bookable.firstDay);
  const newestArrival = Math.min(until, checkOut) - 1;
  if (!(start <= newestArrival)) return false;
  // The nights that all such stays share must be free.
  if (nextDayOutside(bookable.freeNights, newestArrival) < checkOut) return false;
  for (let day = newestArrival; day >= start && hasDay(bookable.freeNights, day); day--) {
    if (!hasDay(bookable.arrivals, day)) continue;
    const nights = checkOut - day;
    if (nights < shortestStayByRule(bookable, day)) continue;
    if (checkOut > lastDepartureNotRefused(bookable, day)) return false;
    if (checkOut <= lastDepartureByRule(bookable, day)) return true;
  }
  return false;
}

/** A night without a price is not free: it counts as the usual one. Null when no night has a price. */
export function indicativeTotalOf(bookable: BookableDays, checkIn: Day, checkOut: Day): MinorUnits | null {
  const { price, firstDay, usualPrice } = bookable;
  if (usualPrice === 0) return null;
  let total = 0;
  for (let day = checkIn; day < checkOut; day++) total += price[day - firstDay] || usualPrice;
  return total;
}

function meanPrice(prices: Uint32Array): MinorUnits {
  let sum = 0;
  let priced = 0;
  for (const price of prices) {
    sum += price;
    if (price > 0) priced++;
  }
  return priced === 0 ? 0 : Math.max(1, Math.round(sum / priced));
}

function canArriveOn(bookable: BookableDays, day: Day, horizon: Day): boolean {
  return hasDay(bookable.arrivals, day) && firstDepartureFrom(bookable, day) <= horizon;
}

/** Infinity when no day of departure is left. */
function firstDepartureFrom(bookable: BookableDays, checkIn: Day): Day {
  const { departures } = bookable;
  const departure = nextDayIn(departures, checkIn + shortestStayByRule(bookable, checkIn));
  return departure < departures.until ? departure : Number.POSITIVE_INFINITY;
}

/** The first day from `day` on that is open to departure, as every day outside the calendar is. */
export function nextDayOpenToDeparture({ firstDay, departures }: BookableDays, day: Day): Day {
  return day < firstDay || day >= departures.until ? day : nextDayIn(departures, day);
}

export function shortestStayByRule(bookable: BookableDays, checkIn: Day): number {
  return Math.max(1, bookable.minimumStay[checkIn - bookable.firstDay] ?? 1);
}

/** No earlier than that of any day before. */
export function lastDepartureNotRefused({ lastDepartures, firstDay }: BookableDays, checkIn: Day): Day {
  return lastDepartures?.[checkIn - firstDay] ?? ANY_DAY;
}

export function lastDepartureByRule(bookable: BookableDays, checkIn: Day): Day {
  const maximum = bookable.maximumStay[checkIn - bookable.firstDay] ?? 0;
  return maximum === 0 ? Number.POSITIVE_INFINITY : checkIn + maximum;
}
