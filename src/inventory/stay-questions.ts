import type { Day } from '../stay/day.ts';
import type { Month } from '../stay/month.ts';
import { firstDayOf, monthOf } from '../stay/month.ts';
import type { Candidate } from './availability-index.ts';
import {
  addArrivalsBetween,
  addDeparturesAfter,
  canArriveBetween,
  canLeaveOn,
  indicativeTotalOf,
} from './bookable-days.ts';
import { HORIZON_NIGHTS } from './calendar.ts';
import { createDaySet, daysIn } from './day-set.ts';
import type { Moment } from './moment.ts';
import type { Stock } from './shelves.ts';
import type { SettledWish, Wish } from './wish.ts';

// Every question here is asked of stock that already is of the wish's brand and in its place.

/** The days on which a wish lets a stay begin: `[from, until)`. */
type ArrivalWindow = { readonly from: Day; readonly until: Day };

export function stockThatMatches(among: readonly Stock[], wish: Wish, moment: Moment): readonly Stock[] {
  const window = arrivalWindowOf(wish, moment);
  return among.filter((stock) => matches(stock, wish, window, moment));
}

export function someStockMatches(among: readonly Stock[], wish: Wish, moment: Moment): boolean {
  const window = arrivalWindowOf(wish, moment);
  return among.some((stock) => matches(stock, wish, window, moment));
}

export function monthsOfArrival(among: readonly Stock[], wish: Wish, moment: Moment): readonly Month[] {
  const found: Month[] = [];
  const open: { readonly month: Month; readonly window: ArrivalWindow }[] = [];
  for (let month = monthOf(moment.start); month <= monthOf(moment.end); month++) {
    open.push({ month, window: arrivalWindowOf({ ...wish, checkInMonth: month }, moment) });
  }
  for (const stock of among) {
    // Backwards, so that taking a month out does not move those still to be looked at.
    for (let position = open.length - 1; position >= 0; position--) {
      const candidate = open[position];
      if (!candidate || !matches(stock, wish, candidate.window, moment)) continue;
      found.push(candidate.month);
      open.splice(position, 1);
    }
    if (open.length === 0) break;
  }
  return found.sort((one, other) => one - other);
}

export function daysOfArrival(among: readonly Stock[], wish: Wish, moment: Moment): readonly Day[] {
  const { from, until } = arrivalWindowOf(wish, moment);
  const found = createDaySet(from, until);
  let missing = until - from;
  for (const stock of among) {
    if (!suits(stock, wish)) continue;
    const today = moment.todayIn(stock.city.timeZoneNumber);
    const earliest = Math.max(from, today + stock.leadDays);
    missing -= addArrivalsBetween(found, stock.bookable, earliest, until, today + HORIZON_NIGHTS);
    if (missing === 0) break;
  }
  return daysIn(found);
}

/** None before the wish says when the stay begins. */
export function daysOfDeparture(among: readonly Stock[], wish: Wish, moment: Moment): readonly Day[] {
  const { checkIn } = wish;
  if (checkIn === null) return [];
  const { from, until } = arrivalWindowOf(wish, moment);
  const found = createDaySet(from, moment.end);
  for (const stock of among) {
    if (!suits(stock, wish)) continue;
    const today = moment.todayIn(stock.city.timeZoneNumber);
    if (checkIn < Math.max(from, today + stock.leadDays) || checkIn >= until) continue;
    addDeparturesAfter(found, stock.bookable, checkIn, today + HORIZON_NIGHTS);
  }
  return daysIn(found);
}

export function largestPartyOf(among: readonly Stock[], wish: Wish, moment: Moment): number {
  const window = arrivalWindowOf(wish, moment);
  let largest = 0;
  for (const stock of among) {
    if (stock.maxGuests > largest && matches(stock, wish, window, moment)) largest = stock.maxGuests;
  }
  return largest;
}

export function candidatesAmong(
  among: readonly Stock[],
  wish: SettledWish,
  moment: Moment,
): readonly Candidate[] {
  return stockThatMatches(among, wish, moment)
    .map(({ property, bookable }) => ({
      property: property.id,
      brand: property.brand,
      indicativeTotal: indicativeTotalOf(bookable, wish.checkIn, wish.checkOut),
    }))
    .sort(
      (one, other) => one.indicativeTotal - other.indicativeTotal || (one.property < other.property ? -1 : 1),
    );
}

function arrivalWindowOf(wish: Wish, moment: Moment): ArrivalWindow {
  const { checkInMonth, checkIn } = wish;
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

function matches(stock: Stock, wish: Wish, window: ArrivalWindow, moment: Moment): boolean {
  if (!suits(stock, wish)) return false;
  const today = moment.todayIn(stock.city.timeZoneNumber);
  const from = Math.max(window.from, today + stock.leadDays);
  const horizon = today + HORIZON_NIGHTS;
  return wish.checkOut === null
    ? canArriveBetween(stock.bookable, from, window.until, horizon)
    : canLeaveOn(stock.bookable, from, window.until, wish.checkOut, horizon);
}

function suits(stock: Stock, wish: Wish): boolean {
  if (wish.guests !== null && stock.maxGuests < wish.guests) return false;
  return wish.amenities.length === 0 || hasEveryAmenity(stock, wish.amenities);
}

function hasEveryAmenity({ property }: Stock, amenities: readonly string[]): boolean {
  const offered = property.amenities;
  return offered !== null && amenities.every((amenity) => Object.hasOwn(offered, amenity));
}
