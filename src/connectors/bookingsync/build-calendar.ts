import { emptyCalendar } from '../../catalogue/calendar.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import { CALENDAR_MISSING, type CalendarReading, type Horizon } from '../../quotes/booking-system.ts';
import { minimumStayColumn } from '../shared/calendars/night-periods.ts';
import type { BookingsyncCalendarPart } from './calendar-parts.ts';
import { UNRATED } from './rated-nights.ts';
import { MAX_CALENDAR_FAULTS } from './read-calendar-parts.ts';

const FREE = '0';
const ARRIVALS = new Set(['C', 'I', ' ']);
const DEPARTURES = new Set(['C', 'O', ' ']);

/** The calendar of a rental out of all that was said about it. Without a map of its changes it has no such rules. */
export function bookingsyncCalendar(
  parts: readonly BookingsyncCalendarPart[],
  horizon: Horizon,
  { minimumStay }: { readonly minimumStay: number },
): CalendarReading {
  const faults = parts.flatMap((part) => (part.kind === 'fault' ? [part.fault] : []));
  if (faults.length > 0) return invalid(...faults.slice(0, MAX_CALENDAR_FAULTS));
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
  for (const part of parts) {
    if (part.kind !== 'rates') continue;
    for (const [night, from] of part.nights.ratedFrom.entries()) {
      if (from === UNRATED) continue;
      calendar.minimumStay[night] = part.nights.minimumStay[night] ?? 1;
      calendar.price[night] = part.nights.price[night] ?? 0;
    }
  }
  return valid(calendar);
}
