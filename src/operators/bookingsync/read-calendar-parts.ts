import { BookingSystemFailure, type Horizon } from '../../quotes/booking-system.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { memberOf } from '../vendors/numbered-records.ts';
import {
  type BookingsyncCalendarPart,
  type BookingsyncCalendarResource,
  bookingsyncCalendarParts,
} from './calendar-parts.ts';
import { bookingsyncPageCount } from './page-count.ts';
import type { BookingsyncPage } from './read-records.ts';
import { recordsIn } from './records.ts';

/** A task of the intake: one page of the maps or rates of several rentals. */
export function* readBookingsyncCalendarParts(
  document: Uint8Array,
  { resource, horizon }: { readonly resource: BookingsyncCalendarResource; readonly horizon: Horizon },
): Generator<BookingsyncCalendarPart, BookingsyncPage> {
  const page = parseDocument(document);
  if (!Array.isArray(memberOf(page, resource))) {
    throw new BookingSystemFailure('garbled', `the answer holds no list of ${resource}`);
  }
  for (const record of recordsIn(page, resource)) yield* bookingsyncCalendarParts(resource, record, horizon);
  return { pages: bookingsyncPageCount(page) };
}
