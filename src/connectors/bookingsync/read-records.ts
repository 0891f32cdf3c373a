import { parseDocument } from '../shared/intake/parse-document.ts';
import { memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { bookingsyncPageCount } from './page-count.ts';
import {
  type BookingsyncRecord,
  type BookingsyncResource,
  bookingsyncRecord,
  listOnPage,
} from './records.ts';

export type BookingsyncPage = { readonly pages: number | null };

type RecordsParameters = {
  readonly resource: BookingsyncResource;
  readonly language: string;
  /** The identifiers that were asked for; null for all there are. */
  readonly asked: readonly string[] | null;
};

/** A task of the intake: one page of a list of records. One that cannot be understood, or was not asked for, is left out. */
export function* readBookingsyncRecords(
  document: Uint8Array,
  { resource, language, asked }: RecordsParameters,
): Generator<BookingsyncRecord, BookingsyncPage> {
  const page = parseDocument(document);
  const wanted = asked && new Set(asked);
  const seen = new Set<string>();
  for (const entry of listOnPage(page, resource)) {
    const id = recordNumber(memberOf(entry, 'id'));
    if (id === undefined || seen.has(id) || (wanted && !wanted.has(id))) continue;
    const record = bookingsyncRecord(resource, entry, language);
    if (!record) continue;
    seen.add(id);
    yield record;
  }
  return { pages: bookingsyncPageCount(page) };
}
