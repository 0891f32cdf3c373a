import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { memberOf } from '../vendors/numbered-records.ts';
import { bookingsyncPageCount } from './page-count.ts';
import { type BookingsyncRecord, type BookingsyncResource, bookingsyncRecord, recordsIn } from './records.ts';

export type BookingsyncPage = { readonly pages: number | null };

/** A task of the intake: one page of a list of records. One that cannot be understood is left out. */
export function* readBookingsyncRecords(
  document: Uint8Array,
  { resource, language }: { readonly resource: BookingsyncResource; readonly language: string },
): Generator<BookingsyncRecord, BookingsyncPage> {
  const page = parseDocument(document);
  if (!Array.isArray(memberOf(page, resource))) {
    throw new BookingSystemFailure('garbled', `the answer holds no list of ${resource}`);
  }
  for (const entry of recordsIn(page, resource)) {
    const record = bookingsyncRecord(resource, entry, language);
    if (record) yield record;
  }
  return { pages: bookingsyncPageCount(page) };
}
