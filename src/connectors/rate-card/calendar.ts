import { type Calendar, emptyCalendar } from '../../catalogue/calendar.ts';
import { invalid, valid } from '../../parsing/reading.ts';
import type { CalendarFault, CalendarReading, Horizon } from '../../quotes/booking-system.ts';
import type { Day } from '../../stay/day.ts';
import {
  type AvailabilityFeeds,
  DOUBTED_FOR_MS,
  type FeedLoss,
  type FeedsReading,
  type FeedUse,
} from '../icalendar/availability-feeds.ts';
import { maximumStayColumn, minimumStayColumn, priceColumn } from '../shared/calendars/night-periods.ts';
import type { CardEntry } from './catalogue.ts';
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
  for (const { from, to } of card.booked) take(calendar, realDay(from), realDay(to));
  return calendar;
}

/** Few for calendars, which can wait, to leave the connections to prices. The homes of one quote call are read together. */
const HOMES_AT_A_TIME: Readonly<Record<FeedUse, number>> = { calendar: 8, price: 50 };

/** Reads the feeds of each home that has any; returns them by reference. */
export async function readFeedsOfHomes(
  homes: readonly CardEntry[],
  feeds: AvailabilityFeeds,
  use: FeedUse,
  signal: AbortSignal,
  onHomeRead: () => void = () => undefined,
): Promise<ReadonlyMap<string, FeedsReading>> {
  const readings = new Map<string, FeedsReading>();
  const left = Iterator.from(homes).filter((home) => home.feeds.length > 0);
  const readInTurn = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      readings.set(next.value.property.reference, await feeds.read(next.value.feeds, use, signal));
      onHomeRead();
    }
  };
  await Promise.all(Array.from({ length: HOMES_AT_A_TIME[use] }, readInTurn));
  return readings;
}

/** The calendar of a home by its card and its feeds. */
export function readCalendar(
  entry: CardEntry | undefined,
  horizon: Horizon,
  taken: FeedsReading | undefined,
): CalendarReading {
  if (!entry) {
    const reason = 'is not there: the rate card has no such property';
    return invalid({ rule: 'not_in_catalogue', reason });
  }
  if (taken?.kind === 'unknown') {
    const reason = `is not known: an availability feed of the home cannot be read: ${taken.failure.message}`;
    return { ...invalid({ rule: 'feed_unreadable', reason }), isWithdrawn: true };
  }
  const { rates, booked, property } = entry;
  const calendar = calendarOf({ rates, booked, currency: property.currency, horizon });
  for (const nights of taken?.ranges ?? []) {
    for (let at = 0; at < nights.length; at += 2) take(calendar, nights[at] ?? 0, nights[at + 1] ?? 0);
  }
  if (!taken || taken.lost.length === 0) return valid(calendar);
  return { ...valid(calendar), closedNights: taken.lost.map(lossFault) };
}

/** Clamps both ends: a negative index would count from the end of the column. */
function take({ available, firstDay }: Calendar, from: Day, to: Day): void {
  available.fill(0, Math.max(0, from - firstDay), Math.max(0, to - firstDay));
}

function lossFault({ lost, of, since }: FeedLoss): CalendarFault {
  return {
    rule: 'feed_lost_nights',
    reason: `keeps nights taken that an availability feed has lost; they are free when a reading after ${minuteOf(since + DOUBTED_FOR_MS)} lacks them too`,
    value: `${lost} of ${of} nights, since ${minuteOf(since)}`,
  };
}

function minuteOf(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
