import { type Calendar, emptyCalendar } from '../../inventory/calendar.ts';
import type { Horizon } from '../../quotes/booking-system.ts';
import { type Day, parseDay } from '../../stay/day.ts';
import { parseAmount } from '../../stay/money.ts';
import { indicativePrice } from '../indicative-price.ts';
import type { CalendarPeriod } from './protocol.ts';

type Span = { readonly period: CalendarPeriod; readonly from: Day; readonly to: Day; readonly price: number };

/**
 * Periods as columns, cut to the horizon. `undefined` when the periods contradict themselves: a night in two periods, a
 * period that ends before it begins, a day that does not exist, a price finer than the currency. Such a calendar is
 * not repaired by guessing.
 */
export function readCalendar(
  periods: readonly CalendarPeriod[],
  horizon: Horizon,
  currency: string,
): Calendar | undefined {
  const spans: Span[] = [];
  for (const period of periods) {
    const [from, to] = [parseDay(period.from), parseDay(period.to)];
    const price = period.price === undefined ? 0 : parseAmount(period.price, currency);
    if (from === undefined || to === undefined || from >= to || price === undefined) return undefined;
    spans.push({ period, from, to, price });
  }
  spans.sort((a, b) => a.from - b.from);
  if (spans.some(({ from }, index) => from < (spans[index - 1]?.to ?? from))) return undefined;

  const calendar = emptyCalendar(horizon.from, horizon.nights);
  for (const { period, from, to, price } of spans) {
    // Clamped at both ends: a negative index would count from the end of the column.
    const first = Math.max(0, from - horizon.from);
    const end = Math.max(0, to - horizon.from);
    calendar.available.fill(period.available ? 1 : 0, first, end);
    calendar.minimumStay.fill(period.minimum_stay ?? 1, first, end);
    calendar.maximumStay.fill(period.maximum_stay ?? 0, first, end);
    calendar.closedToArrival.fill(period.closed_to_arrival ? 1 : 0, first, end);
    calendar.closedToDeparture.fill(period.closed_to_departure ? 1 : 0, first, end);
    calendar.price.fill(indicativePrice(price), first, end);
  }
  return calendar;
}
