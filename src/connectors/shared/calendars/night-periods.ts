import { type Calendar, emptyCalendar, HORIZON_NIGHTS } from '../../../catalogue/calendar.ts';
import type { Day } from '../../../stay/day.ts';
import type { MinorUnits } from '../../../stay/money.ts';

/** Nights from `from` up to, but not including, `to`, which share all their rules. */
export type NightPeriod = {
  readonly from: Day;
  readonly to: Day;
  readonly available: boolean;
  readonly minimumStay: number;
  /** 0 when there is no maximum. */
  readonly maximumStay: number;
  readonly closedToArrival: boolean;
  readonly closedToDeparture: boolean;
  /** Per night, in the unit that the holder defines; NaN when there is none. */
  readonly price: number;
};

/**
 * The periods of one home in two columns: an object for each period would take three times the memory, and a city has a
 * million of them.
 */
export type NightPeriods = {
  /** For each period its first day, the day after its last night, minimum stay, maximum stay and flags. */
  readonly rules: Int32Array;
  readonly prices: Float64Array;
};

const RULES_PER_PERIOD = 5;
const AVAILABLE = 1;
const CLOSED_TO_ARRIVAL = 2;
const CLOSED_TO_DEPARTURE = 4;
const MAX_32_BIT_NUMBER = 2 ** 31 - 1;

export function packPeriods(periods: readonly NightPeriod[]): NightPeriods {
  const rules = new Int32Array(periods.length * RULES_PER_PERIOD);
  const prices = new Float64Array(periods.length);
  let at = 0;
  for (const [index, period] of periods.entries()) {
    rules[at] = period.from;
    rules[at + 1] = period.to;
    rules[at + 2] = Math.min(period.minimumStay, MAX_32_BIT_NUMBER);
    rules[at + 3] = Math.min(period.maximumStay, MAX_32_BIT_NUMBER);
    rules[at + 4] =
      (period.available ? AVAILABLE : 0) |
      (period.closedToArrival ? CLOSED_TO_ARRIVAL : 0) |
      (period.closedToDeparture ? CLOSED_TO_DEPARTURE : 0);
    prices[index] = period.price;
    at += RULES_PER_PERIOD;
  }
  return { rules, prices };
}

export function unpackPeriods(periods: NightPeriods): NightPeriod[] {
  return Array.from({ length: periods.prices.length }, (_, index) => periodOf(periods, index));
}

/** Joins and sorts by day; undefined when two periods have the same night. */
export function joinPeriods(parts: readonly NightPeriods[]): NightPeriods | undefined {
  const [only] = parts;
  const joined = parts.flatMap(unpackPeriods).sort((one, other) => one.from - other.from);
  if (joined.some((period, index) => period.from < (joined[index - 1]?.to ?? Number.NEGATIVE_INFINITY))) {
    return undefined;
  }
  return parts.length === 1 && only && isInOrder(only) ? only : packPeriods(joined);
}

function isInOrder({ rules }: NightPeriods): boolean {
  for (let at = RULES_PER_PERIOD; at < rules.length; at += RULES_PER_PERIOD) {
    if ((rules[at] ?? 0) < (rules[at - RULES_PER_PERIOD] ?? 0)) return false;
  }
  return true;
}

/** The period with this day, if any. The periods must be sorted. */
export function periodAt(periods: NightPeriods, day: Day): NightPeriod | undefined {
  const index = lastFrom(periods, day);
  const found = index < 0 ? undefined : periodOf(periods, index);
  return found && day < found.to ? found : undefined;
}

/** The periods with a night from `from` up to, but not including, `to`, in order. */
export function periodsWithin(periods: NightPeriods, from: Day, to: Day): NightPeriod[] {
  const found: NightPeriod[] = [];
  for (let index = Math.max(0, lastFrom(periods, from)); index < periods.prices.length; index += 1) {
    const period = periodOf(periods, index);
    if (period.from >= to) break;
    if (period.to > from) found.push(period);
  }
  return found;
}

/** Fills the columns that the availability index reads; prices are in minor units. A night without a price is unavailable. */
export function calendarOfPeriods(
  periods: NightPeriods,
  { from, nights }: { readonly from: Day; readonly nights: number },
): Calendar {
  const calendar = emptyCalendar(from, nights);
  for (const period of periodsWithin(periods, from, from + nights)) {
    fillNights(calendar, { ...period, available: isBookable(period) });
  }
  return calendar;
}

/** Writes a period to the columns; its price is in minor units. */
export function fillNights(calendar: Calendar, period: NightPeriod): void {
  // Clamp both ends: a negative index would count from the end of the column.
  const first = Math.max(0, period.from - calendar.firstDay);
  const end = Math.max(0, period.to - calendar.firstDay);
  calendar.available.fill(period.available ? 1 : 0, first, end);
  calendar.minimumStay.fill(minimumStayColumn(period.minimumStay), first, end);
  calendar.maximumStay.fill(maximumStayColumn(period.maximumStay || undefined), first, end);
  calendar.closedToArrival.fill(period.closedToArrival ? 1 : 0, first, end);
  calendar.closedToDeparture.fill(period.closedToDeparture ? 1 : 0, first, end);
  calendar.price.fill(Number.isNaN(period.price) ? 0 : priceColumn(period.price), first, end);
}

/** A night without a price is not bookable: the stay would have no total. */
export function isBookable({ available, price }: NightPeriod): boolean {
  return available && price > 0;
}

/** The index of the last period that begins on or before the day; -1 when there is none. */
function lastFrom({ rules, prices }: NightPeriods, day: Day): number {
  let [low, high] = [0, prices.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rules[middle * RULES_PER_PERIOD] ?? 0) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function periodOf({ rules, prices }: NightPeriods, index: number): NightPeriod {
  const at = index * RULES_PER_PERIOD;
  const flags = rules[at + 4] ?? 0;
  return {
    from: rules[at] ?? 0,
    to: rules[at + 1] ?? 0,
    minimumStay: rules[at + 2] ?? 1,
    maximumStay: rules[at + 3] ?? 0,
    available: (flags & AVAILABLE) !== 0,
    closedToArrival: (flags & CLOSED_TO_ARRIVAL) !== 0,
    closedToDeparture: (flags & CLOSED_TO_DEPARTURE) !== 0,
    price: prices[index] ?? Number.NaN,
  };
}

const MAX_16_BITS = 2 ** 16 - 1;
const MAX_32_BITS = 2 ** 32 - 1;

/** Caps the minimum at the largest value that fits: no stay can be that long anyway. */
export function minimumStayColumn(nights: number): number {
  return Math.min(nights, MAX_16_BITS);
}

/** A maximum beyond the horizon limits nothing, so it is written as 0. */
export function maximumStayColumn(nights: number | undefined): number {
  return nights === undefined || nights >= HORIZON_NIGHTS ? 0 : nights;
}

/** Caps the price at the column's maximum: indicative prices only order candidates. */
export function priceColumn(amount: MinorUnits): number {
  return Math.min(amount, MAX_32_BITS);
}
