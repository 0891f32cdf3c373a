import { createBookingsFileReader } from '../../src/analytics/bookings/import-outcomes.ts';
import { readBeds24Token } from '../../src/connectors/beds24/auth.ts';
import { readBeds24Calendars } from '../../src/connectors/beds24/calendar.ts';
import { readBeds24Offers } from '../../src/connectors/beds24/quote.ts';
import { readGuestyCalendar } from '../../src/connectors/guesty/calendar.ts';
import { readGuestyRates } from '../../src/connectors/guesty/catalogue.ts';
import { readGuestyQuote } from '../../src/connectors/guesty/quote.ts';
import { readHostawayCalendar } from '../../src/connectors/hostaway/calendar.ts';
import { readHostawayPolicies } from '../../src/connectors/hostaway/catalogue.ts';
import { readHostawayPrice } from '../../src/connectors/hostaway/quote.ts';
import { parseFeed } from '../../src/connectors/icalendar/parse-feed.ts';
import { readPlainLines } from '../../src/connectors/imported/plain-lines.ts';
import { readCalendars } from '../../src/connectors/open/calendar.ts';
import { readBookingsPage } from '../../src/connectors/open/catalogue.ts';
import { readQuotes } from '../../src/connectors/open/quote.ts';
import { readQloappsNights } from '../../src/connectors/qloapps/calendar.ts';
import { readQloappsFeatures, readQloappsHotels } from '../../src/connectors/qloapps/payloads.ts';
import { readQloappsCapacities, readQloappsPrices } from '../../src/connectors/qloapps/quote.ts';
import { readQloappsRefundRules } from '../../src/connectors/qloapps/room-types.ts';
import { calendarOf } from '../../src/connectors/rate-card/calendar.ts';
import { readRateCard } from '../../src/connectors/rate-card/catalogue.ts';
import { canBook, priceStay } from '../../src/connectors/rate-card/quote.ts';
import { readIssuedToken } from '../../src/connectors/shared/account/issued-token.ts';
import { createCollectedCalendars } from '../../src/connectors/shared/calendars/collected-calendars.ts';
import type { IntakeParameters, IntakeTaskName } from '../../src/connectors/shared/intake/intake.ts';
import type { IntakeTask } from '../../src/connectors/shared/intake/parse-document.ts';
import { readListing } from '../../src/connectors/shared/listings/listing-reader.ts';
import { INTAKE_TASKS } from '../../src/connectors/tasks.ts';
import { BookingSystemFailure } from '../../src/limits/booking-system-failure.ts';
import { CsvFailure } from '../../src/parsing/csv.ts';
import type { Horizon } from '../../src/quotes/booking-system.ts';
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

export const BOOKINGS_READ_AT = Date.UTC(2026, 10, 17);
const bookingContext = { brand: 'casas', now: BOOKINGS_READ_AT };

export const bookingsFrom = (text: string) =>
  unlessRefused(() => [...readBookingsPage(encoder.encode(text), bookingContext)]);

/** The bookings of a file; undefined when it is refused as a whole, as it may be. */
export function bookingsFileFrom(text: string) {
  try {
    const reader = createBookingsFileReader({ ...bookingContext, file: 'bookings.csv' });
    const lines = [...reader.push(text), ...reader.end()];
    return lines.flatMap((line) => (line.kind === 'booking' ? [line.booking] : []));
  } catch (failure) {
    if (failure instanceof CsvFailure) return undefined;
    throw failure;
  }
}

/** What a task of the intake finds in an answer of a vendor. */
export const vendorAnswerFrom = <Name extends IntakeTaskName>(
  task: Name,
  text: string,
  parameters: IntakeParameters<Name>,
): readonly unknown[] | undefined =>
  unlessRefused(() => {
    const read = INTAKE_TASKS[task] as IntakeTask<unknown, unknown, unknown>;
    return [...read(encoder.encode(text), parameters, plainContext.places)];
  });

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

/** The homes and calendars of a text in the plain format. */
export function plainLinesFrom(text: string) {
  const items = [
    ...readPlainLines(encoder.encode(text), { ...plainContext, firstLine: 1 }, plainContext.places),
  ];
  const calendars = createCollectedCalendars();
  for (const item of items) {
    if (item.kind === 'calendar') calendars.add(item.reference, item.line, item.periods);
    else if (item.kind === 'refused_calendar') calendars.refuse(item.reference, item.fault);
  }
  return {
    items,
    calendars: Array.from(calendars.references(), (reference) => calendars.of(reference, 'EUR')),
  };
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
  guestyListings: (text: string) => vendorAnswerFrom('guesty_listings', text, { ...plainContext, ...GUESTY }),
  guestyRates: (text: string) =>
    unlessRefused(() => [
      ...readGuestyRates(encoder.encode(text), {
        checkIn: HORIZON.from + 1,
        checkOut: HORIZON.from + 3,
        currency: 'EUR',
      }),
    ]),
  guestyCalendar: (text: string) =>
    unlessRefused(() => [...readGuestyCalendar(encoder.encode(text), { horizon: HORIZON, listing: KNOWN })]),
  guestyQuote: (text: string, status: number) =>
    unlessRefused(() => [...readGuestyQuote(encoder.encode(text), { status, currency: 'EUR' })]),
  hostawayListings: (text: string) =>
    vendorAnswerFrom('hostaway_listings', text, { ...plainContext, ...HOSTAWAY }),
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
  leadDays: null,
  hasRefunds: true,
  refundRules: ['1'],
};

/** What Beds24 and QloApps send. */
export const BEDS24_AND_QLOAPPS_READERS = {
  beds24Token: (text: string) => unlessRefused(() => [...readBeds24Token(encoder.encode(text), null)]),
  beds24Properties: (text: string) =>
    vendorAnswerFrom('beds24_properties', text, {
      ...plainContext,
      stayUrl: 'https://casas.example/{reference}',
      language: 'en',
      cancellationText: null,
      pictureUrl: 'https://casas.example/{reference}.jpg',
    }),
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
    vendorAnswerFrom('qloapps_room_types', text, {
      ...plainContext,
      stayUrl: 'https://casas.example/{reference}',
      hotels: new Map([['1', qloappsHotel]]),
      hotelFeatures: new Map([['1', 'Spa']]),
      roomTypeFeatures: new Map([['2', 'Wi-Fi']]),
      currency: 'EUR',
      capacities: new Map(),
      picturesUrl: 'https://casas.example',
      bookingMode: 'instant',
      cancellationText: null,
      refunds: { kind: 'not_said' },
      leadDays: 0,
    }),
  qloappsFeatures: (text: string) =>
    unlessRefused(() => [...readQloappsFeatures(encoder.encode(text), { name: 'hotel_features' })]),
  qloappsRefundRules: (text: string) =>
    unlessRefused(() => [...readQloappsRefundRules(encoder.encode(text), null)]),
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
