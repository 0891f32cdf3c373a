import { emptyCalendar } from '../../catalogue/calendar.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import {
  CALENDAR_MISSING,
  type CalendarFault,
  type CalendarReading,
  type Horizon,
} from '../../quotes/booking-system.ts';
import { formatDay } from '../../stay/day.ts';
import { decimalsOf } from '../../stay/money.ts';
import { maximumStayColumn, minimumStayColumn, priceColumn } from '../shared/calendars/night-periods.ts';
import type { LodgifyAvailability, LodgifyPeriod } from './read-availability.ts';
import type { LodgifyRates } from './read-rates.ts';

const MAX_FAULTS = 20;

/** Nights of which nothing is said, nights without a price, and those whose prices cannot be, are not on offer. */
export function lodgifyCalendar(
  availability: LodgifyAvailability | undefined,
  rates: LodgifyRates | undefined,
  horizon: Horizon,
  currency: string,
): CalendarReading {
  if (!availability) return invalid(CALENDAR_MISSING);
  if (!rates) return invalid({ ...CALENDAR_MISSING, reason: 'has no rates in the answer' });
  const faults = [...availability.faults, ...rates.faults, ...overlapsIn(availability.periods)];
  if (faults.length > 0) return invalid(...faults);
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  for (const { from, to, isFree } of availability.periods) {
    const [first, end] = [Math.max(0, from - horizon.from), Math.max(0, to + 1 - horizon.from)];
    calendar.available.fill(isFree ? 1 : 0, first, end);
  }
  const closedNights: CalendarFault[] = [];
  // The horizon begins yesterday, so that today is inside in every time zone.
  const lastArrival = rates.windowDays === 0 ? horizon.nights : rates.windowDays + 1;
  for (let night = 0; night < horizon.nights; night += 1) {
    const fault = rates.faultyDays.get(horizon.from + night);
    if (fault) {
      if (calendar.available[night] === 1) closedNights.push(fault);
      calendar.available[night] = 0;
      continue;
    }
    const rate = rates.byDay.get(horizon.from + night) ?? rates.standard;
    if (!rate) {
      calendar.available[night] = 0;
      continue;
    }
    calendar.minimumStay[night] = minimumStayColumn(rate.minimumStay);
    calendar.maximumStay[night] = maximumStayColumn(rate.maximumStay === 0 ? undefined : rate.maximumStay);
    // It only orders candidates, so it may be rounded.
    calendar.price[night] = priceColumn(Math.round(rate.price * 10 ** decimalsOf(currency)));
    if (night > lastArrival) calendar.closedToArrival[night] = 1;
  }
  if (closedNights.length === 0) return valid(calendar);
  // What is wrong with every night is wrong with the calendar.
  if (!calendar.available.includes(1)) return invalid(...closedNights.slice(0, MAX_FAULTS));
  return { ...valid(calendar), closedNights: closedNights.slice(0, MAX_FAULTS) };
}

function overlapsIn(periods: readonly LodgifyPeriod[]): readonly CalendarFault[] {
  const faults: CalendarFault[] = [];
  let latest: LodgifyPeriod | undefined;
  for (const period of periods.toSorted((one, other) => one.from - other.from)) {
    if (latest && period.from <= latest.to && period.isFree !== latest.isFree) {
      const [from, to] = [formatDay(period.from), formatDay(latest.to)];
      const reason = `the period from ${from} overlaps the one until ${to}, which says otherwise`;
      faults.push({ rule: 'calendar_overlap', field: 'periods', reason });
    }
    if (!latest || period.to > latest.to) latest = period;
  }
  return faults.slice(0, MAX_FAULTS);
}
