import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Place, PlaceId, Property } from '../../catalogue/catalogue.ts';
import { createRejectionReport, type RejectionReport } from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { listedBefore, readListing } from '../shared/listings/listing-reader.ts';
import { MAX_PAGE_LISTINGS, NextPage } from './protocol.ts';

/** Listings are checked one by one, so that a bad one does not affect the others. */
const PageShape = Type.Object({
  properties: Type.Array(Type.Unknown(), { maxItems: MAX_PAGE_LISTINGS }),
  next_page: NextPage,
});
const pageShape = Compile(PageShape);

export type PageSummary = ReturnType<RejectionReport['all']> & { readonly nextPage: string | null };

/** A task of the intake: the properties of one page of `GET /catalogue`. */
export function* readCataloguePage(
  document: Uint8Array,
  context: Omit<ListingContext, 'places'>,
  places: ReadonlyMap<PlaceId, Place>,
): Generator<Property, PageSummary> {
  const page = parseDocument(document);
  if (!pageShape.Check(page)) throw garbledPage(page);
  const report = createRejectionReport();
  const accepted = new Set<unknown>();
  for (const listing of page.properties) {
    // Before it is cleaned: a page can repeat one listing a thousand times.
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
  const [first] = pageShape.Errors(value);
  return new BookingSystemFailure('garbled', `catalogue page: ${first?.instancePath} ${first?.message}`);
}
