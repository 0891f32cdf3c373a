import { parseFeed } from '../../src/operators/icalendar/parse-feed.ts';
import { readListing } from '../../src/operators/listing-reader.ts';
import { readCalendars } from '../../src/operators/open/read-calendars.ts';
import { readQuotes } from '../../src/operators/open/read-quotes.ts';
import { canBook } from '../../src/operators/rate-card/can-book.ts';
import { priceStay } from '../../src/operators/rate-card/price-stay.ts';
import { calendarOf } from '../../src/operators/rate-card/rate-card-calendar.ts';
import { readRateCard } from '../../src/operators/rate-card/read-rate-card.ts';
import { BookingSystemFailure, type Horizon } from '../../src/quotes/booking-system.ts';
import { TODAY } from '../support/network.ts';
import { plainContext } from '../support/plain-listing.ts';

/** The readers of what operators send, called in one place: here a change of theirs is followed. */
export const HORIZON: Horizon = { from: TODAY, nights: 540 };
export const ASKED: readonly string[] = ['a', 'b', 'c'];

/** Undefined where the reader refuses the document as a whole, as it may. */
function unlessRefused<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (failure) {
    if (failure instanceof BookingSystemFailure) return undefined;
    throw failure;
  }
}

export const listingFrom = (value: unknown) => readListing(value, plainContext);

const encoder = new TextEncoder();
const currencies = new Map(ASKED.map((reference) => [reference, 'EUR']));

export const calendarsFrom = (text: string) =>
  unlessRefused(
    () => new Map(readCalendars(encoder.encode(text), { asked: ASKED, horizon: HORIZON, currencies })),
  );

export const quotesFrom = (text: string) =>
  unlessRefused(() => [...readQuotes(encoder.encode(text), { asked: ASKED, currency: 'EUR' })]);

export const feedFrom = (text: string) => parseFeed(encoder.encode(text), 'Europe/Lisbon');

/** The card of a text, with the calendar and the price of a stay in each of its homes. */
export function pricedCardFrom(text: string) {
  const entries = unlessRefused(() => [
    ...readRateCard(encoder.encode(text), plainContext, plainContext.places),
  ]);
  return entries?.map(({ property, rates, booked }) => {
    const { currency, maxGuests, leadDays } = property;
    const stay = { checkIn: TODAY + 40, checkOut: TODAY + 47, guests: 2 };
    canBook({ rates, currency, booked, maxGuests, leadDays, today: TODAY, ...stay });
    return { calendar: calendarOf({ rates, booked, currency, horizon: HORIZON }), price: exactPrice() };

    /** A price that is too large to be exact is a RangeError, which the booking system answers as a failure. */
    function exactPrice() {
      try {
        return priceStay({ rates, currency, ...stay });
      } catch (fault) {
        if (fault instanceof RangeError) return undefined;
        throw fault;
      }
    }
  });
}
