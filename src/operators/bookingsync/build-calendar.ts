import { emptyCalendar } from '../../inventory/calendar.ts';
import { CALENDAR_MISSING, type CalendarReading, type Horizon } from '../../quotes/booking-system.ts';
import { invalid, valid } from '../../reading/reading.ts';
import { decimalsOf } from '../../stay/money.ts';
import { minimumStayColumn, priceColumn } from '../calendars/calendar-columns.ts';
import type { BookingsyncCalendarPart } from './calendar-parts.ts';

const FREE = '0';
const ARRIVALS = new Set(['C', 'I', ' ']);
const DEPARTURES = new Set(['C', 'O', ' ']);
const MAX_FAULTS = 20;

/** The calendar of a rental out of all that was said about it. Without a map of its changes it has no such rules. */
export function bookingsyncCalendar(
  parts: readonly BookingsyncCalendarPart[],
  horizon: Horizon,
  { currency, minimumStay }: { readonly currency: string; readonly minimumStay: number },
): CalendarReading {
  const faults = parts.flatMap((part) => (part.kind === 'fault' ? [part.fault] : []));
  if (faults.length > 0) return invalid(...faults.slice(0, MAX_FAULTS));
  const [nights, ...otherNights] = parts.filter((part) => part.kind === 'nights');
  const [changes, ...otherChanges] = parts.filter((part) => part.kind === 'changes');
  if (!nights) return invalid(CALENDAR_MISSING);
  if (otherNights.length > 0 || otherChanges.length > 0) {
    const reason = `is in the answer ${Math.max(otherNights.length, otherChanges.length) + 1} times`;
    return invalid({ rule: 'calendar_twice', reason });
  }
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  calendar.minimumStay.fill(minimumStayColumn(minimumStay));
  for (let night = 0; night < horizon.nights; night += 1) {
    calendar.available[night] = nights.signs[night] === FREE ? 1 : 0;
    const sign = changes?.signs[night] ?? ' ';
    calendar.closedToArrival[night] = ARRIVALS.has(sign) ? 0 : 1;
    calendar.closedToDeparture[night] = DEPARTURES.has(sign) ? 0 : 1;
  }
  // In their order, so that a period which begins on the last day of another counts from there on.
  const rates = parts.filter((part) => part.kind === 'rates').toSorted((one, other) => one.from - other.from);
  for (const { from, to, minimumStay: nightsAtLeast, rate, currency: rateCurrency } of rates) {
    const [first, end] = [Math.max(0, from - horizon.from), Math.max(0, to + 1 - horizon.from)];
    calendar.minimumStay.fill(minimumStayColumn(Math.max(nightsAtLeast, 1)), first, end);
    const isOwnCurrency = rateCurrency === null || rateCurrency === currency;
    const price = rate !== null && rate > 0 && isOwnCurrency ? minorUnitsOf(rate, currency) : 0;
    calendar.price.fill(priceColumn(price), first, end);
  }
  return valid(calendar);
}

/** It only orders candidates, so it may be rounded. */
function minorUnitsOf(rate: number, currency: string): number {
  return Math.round(rate * 10 ** decimalsOf(currency));
}
