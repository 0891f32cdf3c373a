import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Place, PlaceId, Property } from '../../catalogue/catalogue.ts';
import { createRejectionReport, type RejectionReport } from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, type Reading } from '../../parsing/reading.ts';
import {
  BOOKING_REFERENCE,
  BOOKING_STATUSES,
  type BookingFault,
  QUOTE_IDENTIFIER,
  type ReportedBooking,
  readBooking,
} from '../../quotes/booking.ts';
import { UNAVAILABLE_REASONS } from '../../quotes/booking-system.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { Currency, Listing, type ListingContext, Reference } from '../shared/listings/listing.ts';
import { listedBefore, readListing } from '../shared/listings/listing-reader.ts';
import { DepositTerms } from '../shared/prices/quote-parts.ts';

/**
 * The open operator protocol, version 1: three calls that an operator serves, and one that it may serve. Amounts are decimal
 * strings with the currency's own decimals, days are `YYYY-MM-DD` on the property's calendar, instants are ISO 8601 UTC.
 * Members that are not named here are ignored.
 */
export const PROTOCOL_VERSION = '1';

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' });
const Amount = Type.String({
  pattern: '^-?\\d{1,12}(\\.\\d{1,6})?$',
  description: 'A decimal string with the decimals of its currency: "412.50".',
});

const MAX_PAGE_LISTINGS = 1000;
const NextPage = Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]);

/** `GET /catalogue`, then `GET /catalogue?page=…` while `next_page` is a string. */
export const CataloguePage = Type.Object({
  properties: Type.Array(Listing, { maxItems: MAX_PAGE_LISTINGS }),
  next_page: NextPage,
});
export type CataloguePage = Static<typeof CataloguePage>;

/** `POST /calendars` */
export const CalendarsRequest = Type.Object({
  properties: Type.Array(Reference, { minItems: 1, maxItems: 100 }),
  from: Day,
  nights: Type.Integer({ minimum: 1, maximum: 730 }),
});
export type CalendarsRequest = Static<typeof CalendarsRequest>;

export const CalendarPeriod = Type.Object(
  {
    from: Day,
    to: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'The day after the last night of the period.',
    }),
    available: Type.Boolean(),
    minimum_stay: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'For stays that arrive in the period. Beyond the horizon: no stay can arrive.',
      }),
    ),
    maximum_stay: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'For stays that arrive in the period. Beyond the horizon: no maximum.',
      }),
    ),
    closed_to_arrival: Type.Optional(Type.Boolean()),
    closed_to_departure: Type.Optional(Type.Boolean()),
    price: Type.Optional(
      Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$', description: 'Indicative price of a night.' }),
    ),
  },
  { description: 'Nights that share all their rules. Nights in no period are not available.' },
);
export type CalendarPeriod = Static<typeof CalendarPeriod>;

export const MAX_PERIODS = 1000;

const CalendarEntry = Type.Object({
  property: Reference,
  periods: Type.Array(CalendarPeriod, { maxItems: MAX_PERIODS }),
});

export const CalendarsAnswer = Type.Object({ calendars: Type.Array(CalendarEntry, { maxItems: 200 }) });
export type CalendarsAnswer = Static<typeof CalendarsAnswer>;

/** `POST /quotes` */
export const QuotesRequest = Type.Object({
  properties: Type.Array(Reference, { minItems: 1, maxItems: 50 }),
  check_in: Day,
  check_out: Day,
  guests: Type.Integer({ minimum: 1 }),
  currency: Currency,
});
export type QuotesRequest = Static<typeof QuotesRequest>;

export const Quoted = Type.Object({
  property: Reference,
  status: Type.Literal('quoted'),
  currency: Currency,
  total: Type.String({
    pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
    description: 'The final price of the whole stay for all guests, without refundable deposits.',
  }),
  lines: Type.Optional(
    Type.Array(Type.Object({ label: Type.String({ minLength: 1, maxLength: 2000 }), amount: Amount }), {
      maxItems: 50,
      description: 'The breakdown. It is shown only when it adds up to the total.',
    }),
  ),
  held_until: Type.Optional(Type.Union([Type.String({ description: 'ISO 8601 UTC.' }), Type.Null()])),
  deposit: Type.Optional(Type.Union([DepositTerms, Type.Null()])),
  due_on_site: Type.Optional(
    Type.Union([
      Type.String({
        pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
        description: 'What is paid at the property besides the total, for the whole stay and all guests.',
      }),
      Type.Null(),
    ]),
  ),
});

export const Unavailable = Type.Object({
  property: Reference,
  status: Type.Literal('unavailable'),
  reason: Type.Enum([...UNAVAILABLE_REASONS]),
});

const QuoteEntry = Type.Union([Quoted, Unavailable]);

export const QuotesAnswer = Type.Object({ quotes: Type.Array(QuoteEntry, { maxItems: 200 }) });
export type QuotesAnswer = Static<typeof QuotesAnswer>;

/** `GET /bookings?since=…`, then with `&page=…` while `next_page` is a string. An operator need not serve it. */
const Booking = Type.Object(
  {
    reference: Type.String({
      pattern: BOOKING_REFERENCE,
      description: 'Your own name of the booking, which never changes. Nothing about a guest.',
    }),
    quote: Type.Optional(
      Type.Union([
        Type.String({
          pattern: QUOTE_IDENTIFIER,
          description: 'The identifier of the quote, as the link of the stay carried it.',
        }),
        Type.Null(),
      ]),
    ),
    status: Type.Enum([...BOOKING_STATUSES]),
    booked_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
      description: 'When it was made, ISO 8601 UTC.',
    }),
    amount: Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
      description: 'What the traveller was charged for the whole stay.',
    }),
    currency: Currency,
  },
  { description: 'Other members are not read, and nothing of them is kept.' },
);

const MAX_PAGE_BOOKINGS = 1000;

export const BookingsPage = Type.Object({
  bookings: Type.Array(Booking, { maxItems: MAX_PAGE_BOOKINGS }),
  next_page: NextPage,
});
export type BookingsPage = Static<typeof BookingsPage>;

/** Accepts any listing: each is checked separately, so that an invalid one does not affect the others. */
const CataloguePageShape = Type.Object({
  properties: Type.Array(Type.Unknown(), { maxItems: MAX_PAGE_LISTINGS }),
  next_page: NextPage,
});
const cataloguePageShape = Compile(CataloguePageShape);

export type PageSummary = ReturnType<RejectionReport['all']> & { readonly nextPage: string | null };

/** Intake task: reads the properties of one page of `GET /catalogue`. */
export function* readCataloguePage(
  document: Uint8Array,
  context: Omit<ListingContext, 'places'>,
  places: ReadonlyMap<PlaceId, Place>,
): Generator<Property, PageSummary> {
  const page = parseDocument(document);
  if (!cataloguePageShape.Check(page)) throw garbledPage(page);
  const report = createRejectionReport();
  const accepted = new Set<unknown>();
  for (const listing of page.properties) {
    // Compare before the listing is cleaned: a page can repeat one listing a thousand times.
    if (accepted.has(rawReferenceOf(listing))) {
      report.add([listedBefore(String(rawReferenceOf(listing)))]);
      continue;
    }
    const { property, rejections } = readListing(listing, { ...context, places });
    report.add(rejections);
    if (!property) continue;
    accepted.add(property.reference);
    yield property;
  }
  return { nextPage: page.next_page, ...report.all() };
}

function rawReferenceOf(listing: unknown): unknown {
  return typeof listing === 'object' && listing !== null && 'reference' in listing
    ? listing.reference
    : undefined;
}

function garbledPage(value: unknown): BookingSystemFailure {
  const [first] = cataloguePageShape.Errors(value);
  return new BookingSystemFailure('garbled', `catalogue page: ${first?.instancePath} ${first?.message}`);
}

/** Accepts any booking: each is checked separately, so that an invalid one does not affect the others. */
const bookingsPageShape = Compile(
  Type.Object({
    bookings: Type.Array(Type.Unknown(), { maxItems: MAX_PAGE_BOOKINGS }),
    next_page: NextPage,
  }),
);
const bookingShape = Compile(Booking);

type BookingsParameters = {
  readonly brand: string;
  /** Epoch milliseconds. */
  readonly now: number;
};

type BookingsSummary = { readonly nextPage: string | null; readonly leftOut: number };

/** Intake task: reads the bookings of one page of `GET /bookings`, and drops all members that the protocol does not name. */
export function* readBookingsPage(
  document: Uint8Array,
  parameters: BookingsParameters,
): Generator<ReportedBooking, BookingsSummary> {
  const page = parseBookingsPage(document);
  let leftOut = 0;
  for (const entry of page.bookings) {
    const reading = readBookingEntry(entry, parameters);
    if (reading.kind === 'valid') yield reading.value;
    else leftOut += 1;
  }
  return { nextPage: page.next_page, leftOut };
}

export function parseBookingsPage(document: Uint8Array): {
  readonly bookings: readonly unknown[];
  readonly next_page: string | null;
} {
  const page = parseDocument(document);
  if (bookingsPageShape.Check(page)) return page;
  const [first] = bookingsPageShape.Errors(page);
  throw new BookingSystemFailure('garbled', `page of bookings: ${first?.instancePath} ${first?.message}`);
}

/** The first schema fault of a booking with its path, or each fault of its values. */
type BookingEntryFault = BookingFault | { readonly path: string; readonly reason: string };

export function readBookingEntry(
  entry: unknown,
  parameters: BookingsParameters,
): Reading<ReportedBooking, BookingEntryFault> {
  if (!bookingShape.Check(entry)) {
    const [first] = bookingShape.Errors(entry);
    return invalid({ path: first?.instancePath.slice(1) ?? '', reason: first?.message ?? 'is no booking' });
  }
  return readBooking(written(entry), parameters);
}

function written({ quote, ...others }: Static<typeof Booking>) {
  return { ...others, quote: quote ?? '' };
}
