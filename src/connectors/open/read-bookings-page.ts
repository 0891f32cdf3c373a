import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, type Reading } from '../../parsing/reading.ts';
import type { ReportedBooking } from '../../quotes/booking.ts';
import { type BookingFault, readBooking } from '../../quotes/booking.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { Booking, MAX_PAGE_BOOKINGS, NextPage } from './protocol.ts';

/** Bookings are checked one by one, so that a bad one does not affect the others. */
const pageShape = Compile(
  Type.Object({
    bookings: Type.Array(Type.Unknown(), { maxItems: MAX_PAGE_BOOKINGS }),
    next_page: NextPage,
  }),
);
const bookingShape = Compile(Booking);

export type BookingsParameters = {
  readonly brand: string;
  /** Epoch milliseconds. */
  readonly now: number;
};

export type BookingsSummary = { readonly nextPage: string | null; readonly leftOut: number };

/** A task of the intake: the bookings of one page of `GET /bookings`. What else an operator sends with them never leaves this function. */
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
  if (pageShape.Check(page)) return page;
  const [first] = pageShape.Errors(page);
  throw new BookingSystemFailure('garbled', `page of bookings: ${first?.instancePath} ${first?.message}`);
}

/** The first fault of its shape, with the path to it, or every fault of its members. */
export type BookingEntryFault = BookingFault | { readonly path: string; readonly reason: string };

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
