import { type Calendar, emptyCalendar } from '../../catalogue/calendar.ts';
import type { Horizon } from '../../quotes/booking-system.ts';
import { maximumStayColumn, minimumStayColumn, priceColumn } from '../shared/calendars/night-periods.ts';
import { falls, nightRates, realDay } from './quote.ts';
import type { Rates, TakenNights } from './rate-card.ts';

/** Builds the calendar of a home from its rate card, in the columns of the availability index. */
export function calendarOf(card: {
  readonly rates: Rates;
  readonly currency: string;
  readonly booked: readonly TakenNights[];
  readonly horizon: Horizon;
}): Calendar {
  const { rates, horizon } = card;
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  const rateOf = nightRates(rates, card.currency);
  calendar.available.fill(1);
  calendar.maximumStay.fill(maximumStayColumn(rates.maximum_stay));
  for (let index = 0; index < horizon.nights; index += 1) {
    const day = horizon.from + index;
    const { price, minimumStay } = rateOf(day);
    calendar.price[index] = priceColumn(price);
    calendar.minimumStay[index] = minimumStayColumn(minimumStay);
    calendar.closedToArrival[index] = falls(day, rates.no_arrival_on) ? 1 : 0;
    calendar.closedToDeparture[index] = falls(day, rates.no_departure_on) ? 1 : 0;
  }
  for (const { from, to } of card.booked) {
    // Clamp both ends: a negative index would count from the end of the column.
    calendar.available.fill(
      0,
      Math.max(0, realDay(from) - horizon.from),
      Math.max(0, realDay(to) - horizon.from),
    );
  }
  return calendar;
}
