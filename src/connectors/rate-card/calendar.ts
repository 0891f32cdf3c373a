import { type Calendar, emptyCalendar } from '../../catalogue/calendar.ts';
import type { Clock } from '../../clock.ts';
import { openDeadline } from '../../limits/deadline.ts';
import type { Horizon } from '../../quotes/booking-system.ts';
import type { AvailabilityFeeds, FeedsReading, FeedUse } from '../icalendar/availability-feeds.ts';
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

/** Few for calendars, which can wait, to leave the connections to prices. The homes of one quote call are read together. */
const HOMES_AT_A_TIME: Readonly<Record<FeedUse, number>> = { calendar: 8, price: 50 };

/**
 * Reads the feeds of each home that has any; returns them by reference. After `timeoutMs`, the last readings count for the remaining
 * homes. Without it, all homes wait for their turns.
 */
export async function readFeedsOfHomes(
  homes: Iterable<CardEntry>,
  {
    feeds,
    use,
    confirmedAt,
    timeoutMs,
    clock,
    signal,
    onHomeRead = () => undefined,
  }: {
    readonly feeds: AvailabilityFeeds;
    readonly use: FeedUse;
    /** When the owner last confirmed the losses of the home's feeds. */
    readonly confirmedAt: (reference: string) => number | undefined;
    readonly timeoutMs?: number;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onHomeRead?: () => void;
  },
): Promise<ReadonlyMap<string, FeedsReading>> {
  const readings = new Map<string, FeedsReading>();
  const withFeeds = Iterator.from(homes).filter((home) => home.feeds.length > 0);
  const first = withFeeds.next();
  if (first.done) return readings;
  const deadline = timeoutMs === undefined ? undefined : openDeadline({ clock, timeoutMs, parent: signal });
  const readOne = async ({ property, feeds: named }: CardEntry) => {
    const { reference } = property;
    const within = deadline?.signal ?? signal;
    readings.set(reference, await feeds.read(named, use, within, confirmedAt(reference)));
    onHomeRead();
  };
  const readInTurn = async () => {
    for (const home of withFeeds) await readOne(home);
  };
  try {
    // Start the first home before the others, so that homes wait for their turns in the requested order.
    const leading = readOne(first.value).then(readInTurn);
    await Promise.all([leading, ...Array.from({ length: HOMES_AT_A_TIME[use] - 1 }, readInTurn)]);
  } finally {
    deadline?.close();
  }
  return readings;
}
