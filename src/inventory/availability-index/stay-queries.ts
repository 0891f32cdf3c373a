import type { Day } from '../../stay/day.ts';
import type { Month } from '../../stay/month.ts';
import { firstDayOf, monthOf } from '../../stay/month.ts';
import { HORIZON_NIGHTS } from '../calendar.ts';
import type { RequestedStay, StayCriteria } from '../stay-criteria.ts';
import type { StayToTry } from './availability-index.ts';
import { addArrivalsBetween, addDeparturesAfter, canArriveBetween, canDepartOn } from './bookable-days.ts';
import type { IndexColumns, IndexEntry } from './columns.ts';
import { hasArrivalBetween } from './columns.ts';
import { createDaySet, daysIn } from './day-set.ts';
import type { LocalDates } from './local-dates.ts';

/** Rows that already are of the brand and in the place of the criteria. */
export type Selection = { readonly columns: IndexColumns; readonly rows: readonly number[] };

/** How many properties match in each city, by its number. */
export function matchesByCity(
  { columns, rows }: Selection,
  criteria: StayCriteria,
  dates: LocalDates,
): readonly number[] {
  const counts: number[] = [];
  const window = arrivalWindowOf(criteria, dates);
  for (const row of rows) {
    if (!matches(columns, row, criteria, window, dates)) continue;
    const city = columns.cityNumber[row] ?? 0;
    counts[city] = (counts[city] ?? 0) + 1;
  }
  return counts;
}

export function hasMatchAmong(
  { columns, rows }: Selection,
  criteria: StayCriteria,
  dates: LocalDates,
): boolean {
  const window = arrivalWindowOf(criteria, dates);
  for (const row of rows) if (matches(columns, row, criteria, window, dates)) return true;
  return false;
}

export function checkInMonthsAmong(
  { columns, rows }: Selection,
  criteria: StayCriteria,
  dates: LocalDates,
): readonly Month[] {
  const anytime = { ...criteria, checkIn: null, checkOut: null };
  const found: Month[] = [];
  const open: { readonly month: Month; readonly window: ArrivalWindow }[] = [];
  const last = monthOf(dates.end);
  let from = dates.start;
  for (let month = monthOf(dates.start); month <= last; month++) {
    const until = Math.min(dates.end, firstDayOf(month + 1));
    open.push({ month, window: { from, until } });
    from = until;
  }
  for (const row of rows) {
    // Backwards, so that removing a month does not move those still to be tested.
    for (let position = open.length - 1; position >= 0; position--) {
      const candidate = open[position];
      if (!candidate || !matches(columns, row, anytime, candidate.window, dates)) continue;
      found.push(candidate.month);
      open.splice(position, 1);
    }
    if (open.length === 0) break;
  }
  return found.sort((one, other) => one - other);
}

export function checkInDaysAmong(
  { columns, rows }: Selection,
  criteria: StayCriteria,
  dates: LocalDates,
): readonly Day[] {
  const { from, until } = arrivalWindowOf({ ...criteria, checkIn: null }, dates);
  const found = createDaySet(from, until);
  let missing = until - from;
  for (const row of rows) {
    const earliest = Math.max(from, earliestArrivalOf(columns, row, dates));
    if (!suits(columns, row, criteria) || !hasArrivalBetween(columns, row, earliest, until)) continue;
    const bookable = columns.entries[row]?.bookable;
    if (bookable)
      missing -= addArrivalsBetween(found, bookable, earliest, until, horizonOf(columns, row, dates));
    if (missing === 0) break;
  }
  return daysIn(found);
}

/** None while the criteria have no check-in. */
export function checkOutDaysAmong(
  { columns, rows }: Selection,
  criteria: StayCriteria,
  dates: LocalDates,
): readonly Day[] {
  const { checkIn } = criteria;
  if (checkIn === null) return [];
  const { from, until } = arrivalWindowOf(criteria, dates);
  const found = createDaySet(from, dates.end);
  for (const row of rows) {
    const earliest = Math.max(from, earliestArrivalOf(columns, row, dates));
    if (!suits(columns, row, criteria) || !hasArrivalBetween(columns, row, earliest, until)) continue;
    const bookable = columns.entries[row]?.bookable;
    if (bookable) addDeparturesAfter(found, bookable, checkIn, horizonOf(columns, row, dates));
  }
  return daysIn(found);
}

export function largestPartyAmong(
  { columns, rows }: Selection,
  criteria: StayCriteria,
  dates: LocalDates,
): number {
  const anyParty = { ...criteria, guests: null };
  const window = arrivalWindowOf(criteria, dates);
  let largest = 0;
  for (const row of rows) {
    const party = columns.maxGuests[row] ?? 0;
    if (party > largest && matches(columns, row, anyParty, window, dates)) largest = party;
  }
  return largest;
}

/** One pass for all stays: most of the time goes into fetching a row, and then it is quick to test once more. */
export function bookableStaysAmong(
  { columns, rows }: Selection,
  criteria: StayCriteria,
  stays: readonly StayToTry[],
  dates: LocalDates,
): readonly RequestedStay[] {
  const found = new Set<RequestedStay>();
  let open = stays
    .map(({ stay, without }) => ({ stay, wanted: { ...criteria, checkInMonth: null, ...stay }, without }))
    .map((one) => ({ ...one, window: arrivalWindowOf(one.wanted, dates), without: new Set(one.without) }))
    // What nobody can book must not keep the others from an early end.
    .filter(({ window }) => window.from < window.until);
  for (const row of rows) {
    if (open.length === 0) break;
    const before = found.size;
    for (const { stay, wanted, window, without } of open) {
      if (!matches(columns, row, wanted, window, dates)) continue;
      if (!without.has(columns.entries[row]?.home.id ?? '')) found.add(stay);
    }
    if (found.size > before) open = open.filter(({ stay }) => !found.has(stay));
  }
  return stays.map(({ stay }) => stay).filter((stay) => found.has(stay));
}

export function* entriesAmong(
  { columns, rows }: Selection,
  criteria: StayCriteria,
  dates: LocalDates,
): Generator<IndexEntry> {
  const window = arrivalWindowOf(criteria, dates);
  for (const row of rows) {
    const entry = matches(columns, row, criteria, window, dates) ? columns.entries[row] : undefined;
    if (entry) yield entry;
  }
}

/** The days on which the criteria let a stay begin: `[from, until)`. */
export type ArrivalWindow = { readonly from: Day; readonly until: Day };

export function arrivalWindowOf(
  { checkInMonth, checkIn }: StayCriteria,
  bounds: Pick<LocalDates, 'start' | 'end'>,
): ArrivalWindow {
  let [from, until] = [bounds.start, bounds.end];
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

/** The columns decide for most rows; the calendar is read only where they cannot. */
function matches(
  columns: IndexColumns,
  row: number,
  criteria: StayCriteria,
  window: ArrivalWindow,
  dates: LocalDates,
): boolean {
  if (!suits(columns, row, criteria)) return false;
  const { until } = window;
  const today = todayOf(columns, row, dates);
  const from = Math.max(window.from, today + (columns.leadDays[row] ?? 0));
  if (!hasArrivalBetween(columns, row, from, until)) return false;
  const { checkOut } = criteria;
  const horizon = today + HORIZON_NIGHTS;
  // Every arrival before this day has a stay that ends within the horizon.
  const sureUntil = horizon - (columns.maxShortestStay[row] ?? 0) + 1;
  if (checkOut === null && hasArrivalBetween(columns, row, from, Math.min(until, sureUntil))) return true;
  const bookable = columns.entries[row]?.bookable;
  if (!bookable) return false;
  return checkOut === null
    ? canArriveBetween(bookable, Math.max(from, sureUntil), until, horizon)
    : canDepartOn(bookable, from, until, checkOut, horizon);
}

export function suits(columns: IndexColumns, row: number, { guests, amenities }: StayCriteria): boolean {
  if (guests !== null && (columns.maxGuests[row] ?? 0) < guests) return false;
  if (amenities.length === 0) return true;
  const offered = columns.entries[row]?.home.amenities ?? {};
  return amenities.every((amenity) => Object.hasOwn(offered, amenity));
}

function earliestArrivalOf(columns: IndexColumns, row: number, dates: LocalDates): Day {
  return todayOf(columns, row, dates) + (columns.leadDays[row] ?? 0);
}

/** The last day on which a stay may end. */
export function horizonOf(columns: IndexColumns, row: number, dates: LocalDates): Day {
  return todayOf(columns, row, dates) + HORIZON_NIGHTS;
}

export function todayOf(columns: IndexColumns, row: number, dates: LocalDates): Day {
  return dates.todays[columns.timeZoneNumber[row] ?? 0] ?? 0;
}
