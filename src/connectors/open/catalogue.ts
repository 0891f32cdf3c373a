import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { BrandBudget, Place, PlaceId, Property } from '../../catalogue/catalogue.ts';
import {
  type CatalogueReading,
  createRejectionReport,
  type RejectionReport,
} from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { CallOptions, JsonClient } from '../../outbound/http-client.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { invalid, type Reading } from '../../parsing/reading.ts';
import {
  BOOKING_REFERENCE,
  BOOKING_STATUSES,
  type BookingFault,
  QUOTE_IDENTIFIER,
  type ReportedBooking,
  readBooking,
} from '../../quotes/booking.ts';
import type { StillReading } from '../../quotes/booking-system.ts';
import { type BudgetMeter, createBudgetMeter } from '../shared/budget-meter.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { Currency, Listing, type ListingContext } from '../shared/listings/listing.ts';
import { listedBefore, readListing } from '../shared/listings/listing-reader.ts';
import { memberOf } from '../shared/vendors/loose-values.ts';

/**
 * The open operator protocol, version 1: three calls that an operator serves, and one that it may serve. Amounts are decimal
 * strings with the currency's own decimals, days are `YYYY-MM-DD` on the property's calendar, instants are ISO 8601 UTC.
 * Members that are not named are ignored.
 */
export const PROTOCOL_VERSION = '1';

const MAX_PAGE_LISTINGS = 1000;
const NextPage = Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]);

/** `GET /catalogue`, then `GET /catalogue?page=…` while `next_page` is a string. */
export const CataloguePage = Type.Object({
  properties: Type.Array(Listing, { maxItems: MAX_PAGE_LISTINGS }),
  next_page: NextPage,
});
export type CataloguePage = Static<typeof CataloguePage>;

/** Pages of a list at most. */
export const MAX_PAGES = 100;
export const MAX_BOOKINGS_PAGES = 50;
/** The statuses of servers that do not report bookings. */
const STATUSES_WITHOUT_THE_CALL: readonly (number | undefined)[] = [404, 405, 501];

export function isMissingCall(failure: unknown): boolean {
  return failure instanceof BookingSystemFailure && STATUSES_WITHOUT_THE_CALL.includes(failure.status);
}

/** Reads the pages of a list one by one; `readPage` returns the name of the next, or null. */
export async function followPages(
  { of, first, max }: { readonly of: string; readonly first: string; readonly max: number },
  readPage: (path: string) => Promise<string | null>,
): Promise<void> {
  const seen = new Set<string>();
  for (let path: string | null = first; path !== null; ) {
    if (seen.has(path)) throw new BookingSystemFailure('garbled', `the pages of ${of} form a loop`);
    if (seen.size >= max) {
      throw new BookingSystemFailure('too_large', `there are more than ${max} pages of ${of}`);
    }
    seen.add(path);
    const next = await readPage(path);
    const separator = first.includes('?') ? '&' : '?';
    path = next === null ? null : `${first}${separator}page=${encodeURIComponent(next.toWellFormed())}`;
  }
}

/** Accepts any listing: each is checked separately, so that an invalid one does not affect the others. */
const pageShape = Compile(
  Type.Object({
    properties: Type.Array(Type.Unknown(), { maxItems: MAX_PAGE_LISTINGS }),
    next_page: NextPage,
  }),
);

type PageSummary = ReturnType<RejectionReport['all']> & { readonly nextPage: string | null };

export function parseCataloguePage(document: Uint8Array) {
  const page = parseDocument(document);
  if (pageShape.Check(page)) return page;
  const [first] = pageShape.Errors(page);
  throw new BookingSystemFailure('garbled', `catalogue page: ${first?.instancePath} ${first?.message}`);
}

/** Intake task: reads the properties of one page of `GET /catalogue`. */
export function* readCataloguePage(
  document: Uint8Array,
  context: Omit<ListingContext, 'places'>,
  places: ReadonlyMap<PlaceId, Place>,
): Generator<Property, PageSummary> {
  const page = parseCataloguePage(document);
  const report = createRejectionReport();
  const accepted = new Set<unknown>();
  for (const listing of page.properties) {
    // Compare before the listing is cleaned: a page can repeat one listing a thousand times.
    const published = memberOf(listing, 'reference');
    if (accepted.has(published)) {
      report.add([listedBefore(String(published))]);
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

/** Accepts any booking: each is checked separately, so that an invalid one does not affect the others. */
const bookingsPageShape = Compile(
  Type.Object({
    bookings: Type.Array(Type.Unknown(), { maxItems: MAX_PAGE_BOOKINGS }),
    next_page: NextPage,
  }),
);
const bookingShape = Compile(Booking);

type BookingsParameters = Parameters<typeof readBooking>[1];

/** Intake task: reads the bookings of one page of `GET /bookings`, and drops all members that the protocol does not name. */
export function* readBookingsPage(
  document: Uint8Array,
  parameters: BookingsParameters,
): Generator<ReportedBooking, { nextPage: string | null; leftOut: number }> {
  const page = parseBookingsPage(document);
  let leftOut = 0;
  for (const entry of page.bookings) {
    const reading = readBookingEntry(entry, parameters);
    if (reading.kind === 'valid') yield reading.value;
    else leftOut += 1;
  }
  return { nextPage: page.next_page, leftOut };
}

export function parseBookingsPage(document: Uint8Array) {
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
  return readBooking({ ...entry, quote: entry.quote ?? '' }, parameters);
}

type KnownPage = PageSummary & {
  readonly etag: string | null;
  readonly digest: string | null;
  readonly properties: readonly Property[];
  readonly bytes: number;
};

/** Reads all pages of the catalogue, one by one. Reuses a page whose ETag or bytes are those of the last complete reading. */
export function createCatalogueReader({
  client,
  parse,
  budget,
}: {
  readonly client: Pick<JsonClient, 'get'>;
  /** Runs the intake task; `take` gets the properties as they are read. */
  readonly parse: (
    document: OwnedBytes,
    signal: AbortSignal,
    take: (properties: readonly Property[], bytes: number) => void,
  ) => Promise<PageSummary>;
  readonly budget: BrandBudget;
}): (options: CallOptions, stillReading?: StillReading) => Promise<CatalogueReading> {
  let knownPages: ReadonlyMap<string, KnownPage> = new Map();

  async function readPage(path: string, meter: BudgetMeter, options: CallOptions): Promise<KnownPage> {
    const known = knownPages.get(path);
    const answer = await client.get(path, { ...options, etag: known?.etag ?? null });
    if (answer.kind === 'document') meter.sent(answer.bytes.byteLength);
    if (known && (answer.kind === 'unchanged' || (answer.digest ?? '') === known.digest)) {
      meter.kept(known.properties.length, known.bytes);
      return answer.kind === 'unchanged' ? known : { ...known, etag: answer.etag };
    }
    if (answer.kind === 'unchanged') throw new BookingSystemFailure('garbled', 'a page that was never read');
    const { bytes: document, etag, digest } = answer;
    const properties: Property[] = [];
    let bytes = 0;
    const summary = await parse(document, options.signal, (items, weight) => {
      meter.kept(items.length, weight);
      bytes += weight;
      properties.push(...items);
    });
    return { ...summary, etag, digest, properties, bytes };
  }

  return async (options, stillReading) => {
    const pages = new Map<string, KnownPage>();
    const properties = new Map<string, Property>();
    const report = createRejectionReport();
    const meter = createBudgetMeter(budget);
    await followPages({ of: 'the catalogue', first: '/catalogue', max: MAX_PAGES }, async (path) => {
      const page = await readPage(path, meter, options);
      pages.set(path, page);
      report.add(page.rejections, page.notListed, page.counts);
      for (const property of page.properties) {
        if (properties.has(property.reference)) report.add([listedBefore(property.reference)]);
        else properties.set(property.reference, property);
      }
      stillReading?.();
      return page.nextPage;
    });
    knownPages = pages;
    return { properties: [...properties.values()], ...report.all() };
  };
}
