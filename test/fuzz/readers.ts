import { readIssuedToken } from '../../src/operators/account/read-issued-token.ts';
import { readGuestyCalendar } from '../../src/operators/guesty/read-guesty-calendar.ts';
import { readGuestyListings } from '../../src/operators/guesty/read-guesty-listings.ts';
import { readGuestyQuote } from '../../src/operators/guesty/read-guesty-quote.ts';
import { readHostawayCalendar } from '../../src/operators/hostaway/read-hostaway-calendar.ts';
import { readHostawayListings } from '../../src/operators/hostaway/read-hostaway-listings.ts';
import { readHostawayPolicies } from '../../src/operators/hostaway/read-hostaway-policies.ts';
import { readHostawayPrice } from '../../src/operators/hostaway/read-hostaway-price.ts';
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

const KNOWN = { currency: 'EUR', maxGuests: 4, minimumStay: 2, maximumStay: 14 };
const GUESTY = {
  bookingMode: 'request',
  cancellationText: null,
  stayUrl: 'https://casas.example/{reference}',
} as const;
const HOSTAWAY = {
  hosts: plainContext.hosts,
  stayUrl: 'https://casas.example/{reference}',
  amenityNames: new Map([['2', 'Kitchen']]),
  policies: new Map(),
  directPolicy: null,
  cancellationText: null,
};

/** The documents of vendors that are asked for one listing at a time. Listings are read to the end, as those of any operator. */
export const VENDOR_READERS = {
  guestyListings: (text: string) =>
    unlessRefused(() =>
      Array.from(readGuestyListings(encoder.encode(text), GUESTY), ({ listing }) => listingFrom(listing)),
    ),
  guestyCalendar: (text: string) =>
    unlessRefused(() => [...readGuestyCalendar(encoder.encode(text), { horizon: HORIZON, listing: KNOWN })]),
  guestyQuote: (text: string, status: number) =>
    unlessRefused(() => [...readGuestyQuote(encoder.encode(text), { status, currency: 'EUR' })]),
  hostawayListings: (text: string) =>
    unlessRefused(() =>
      Array.from(readHostawayListings(encoder.encode(text), HOSTAWAY), ({ listing }) => listingFrom(listing)),
    ),
  hostawayPolicies: (text: string) =>
    unlessRefused(() => [...readHostawayPolicies(encoder.encode(text), null)]),
  hostawayCalendar: (text: string) =>
    unlessRefused(() => [
      ...readHostawayCalendar(encoder.encode(text), { horizon: HORIZON, listing: KNOWN }),
    ]),
  hostawayPrice: (text: string, status: number) =>
    unlessRefused(() => [...readHostawayPrice(encoder.encode(text), { status, currency: 'EUR' })]),
  issuedToken: (text: string) => unlessRefused(() => [...readIssuedToken(encoder.encode(text), null)]),
} as const;
