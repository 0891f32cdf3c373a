import { readBeds24Calendars } from '../../src/operators/beds24/read-beds24-calendars.ts';
import { readBeds24Offers } from '../../src/operators/beds24/read-beds24-offers.ts';
import { readBeds24Properties } from '../../src/operators/beds24/read-beds24-properties.ts';
import { readBeds24Token } from '../../src/operators/beds24/read-beds24-token.ts';
import { readListing } from '../../src/operators/listing-reader.ts';
import { readCalendars } from '../../src/operators/open/read-calendars.ts';
import { readQuotes } from '../../src/operators/open/read-quotes.ts';
import { readQloappsCapacities } from '../../src/operators/qloapps/read-qloapps-capacities.ts';
import { readQloappsFeatures } from '../../src/operators/qloapps/read-qloapps-features.ts';
import { readQloappsHotels } from '../../src/operators/qloapps/read-qloapps-hotels.ts';
import { readQloappsNights } from '../../src/operators/qloapps/read-qloapps-nights.ts';
import { readQloappsPrices } from '../../src/operators/qloapps/read-qloapps-prices.ts';
import { readQloappsRoomTypes } from '../../src/operators/qloapps/read-qloapps-room-types.ts';
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

const beds24Rooms = new Map([
  ['1', { currency: 'EUR', maxGuests: 4, minimumStay: 2, maximumStay: 28, deposit: null }],
]);
const qloappsHotel = {
  id: '1',
  name: 'Hotel',
  city: 'Lisboa',
  policies: 'Free until a week before arrival.',
  checkIn: '14:00',
  checkOut: null,
  features: ['1'],
  bookableUntil: null,
};

/** What Beds24 and QloApps send. */
export const BEDS24_AND_QLOAPPS_READERS = {
  beds24Token: (text: string) => unlessRefused(() => [...readBeds24Token(encoder.encode(text), null)]),
  beds24Properties: (text: string) =>
    unlessRefused(() =>
      Array.from(
        readBeds24Properties(encoder.encode(text), {
          stayUrl: 'https://casas.example/{reference}',
          language: 'en',
          cancellationText: null,
          pictureUrl: null,
        }),
        ({ listing }) => readListing(listing, plainContext),
      ),
    ),
  beds24Calendars: (text: string) =>
    unlessRefused(() => [
      ...readBeds24Calendars(encoder.encode(text), { horizon: HORIZON, rooms: beds24Rooms }),
    ]),
  beds24Offers: (text: string) =>
    unlessRefused(() => [
      ...readBeds24Offers(encoder.encode(text), { asked: ['1', '2'], currency: 'EUR', offerId: null }),
    ]),
  qloappsHotels: (text: string) => unlessRefused(() => [...readQloappsHotels(encoder.encode(text), null)]),
  qloappsRoomTypes: (text: string) =>
    unlessRefused(() =>
      Array.from(
        readQloappsRoomTypes(encoder.encode(text), {
          stayUrl: 'https://casas.example/{reference}',
          hotels: new Map([['1', qloappsHotel]]),
          hotelFeatures: new Map([['1', 'Spa']]),
          roomTypeFeatures: new Map([['2', 'Wi-Fi']]),
          currency: 'EUR',
          capacities: new Map(),
          picturesUrl: 'https://casas.example',
          bookingMode: 'instant',
          cancellationText: null,
        }),
        ({ listing }) => readListing(listing, plainContext),
      ),
    ),
  qloappsFeatures: (text: string) =>
    unlessRefused(() => [...readQloappsFeatures(encoder.encode(text), { name: 'hotel_features' })]),
  qloappsCapacities: (text: string) =>
    unlessRefused(() => [...readQloappsCapacities(encoder.encode(text), null)]),
  qloappsNights: (text: string, status: number) =>
    unlessRefused(() => [
      ...readQloappsNights(encoder.encode(text), { status, asked: ['1'], horizon: HORIZON, currency: 'EUR' }),
    ]),
  qloappsPrices: (text: string) =>
    unlessRefused(() => [
      ...readQloappsPrices(encoder.encode(text), { asked: ['1', '2'], guests: 2, currency: 'EUR' }),
    ]),
};
