import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { looseRecord } from '../shared/vendors/loose-values.ts';

/** What stands around every answer of Beds24. */
export type Beds24Page = { readonly data: readonly unknown[]; readonly hasNextPage: boolean };

const MAX_ENTRIES = 5000;

export function readBeds24Page(document: Uint8Array): Beds24Page {
  const { success, data, pages } = looseRecord(parseDocument(document));
  if (success === false) throw new BookingSystemFailure('rejected', 'Beds24 refused the request');
  if (!Array.isArray(data)) throw new BookingSystemFailure('garbled', 'the answer holds no list of data');
  if (data.length > MAX_ENTRIES) {
    throw new BookingSystemFailure('too_large', `the page has more than ${MAX_ENTRIES} entries`);
  }
  return { data, hasNextPage: looseRecord(pages).nextPageExists === true };
}
