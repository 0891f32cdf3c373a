import type { Place, PlaceId, Property } from '../../../catalogue/catalogue.ts';
import {
  createRejectionReport,
  type RejectionReport,
} from '../../../catalogue/rejections/rejections-report.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { type ListingContext, listedBefore, readListing } from './listing-reader.ts';

export type ListingsSummary = ReturnType<RejectionReport['all']>;

/**
 * A task of the intake: properties out of listings that a connector put together from several answers of its vendor, as a JSON
 * list in the shape of `Listing`. Their texts are still as the operator wrote them, so they are read like any other document.
 */
export function* readListings(
  document: Uint8Array,
  context: Omit<ListingContext, 'places'>,
  places: ReadonlyMap<PlaceId, Place>,
): Generator<Property, ListingsSummary> {
  const listings = parseDocument(document);
  if (!Array.isArray(listings)) throw new BookingSystemFailure('garbled', 'the listings are not a list');
  const report = createRejectionReport();
  const accepted = new Set<string>();
  for (const listing of listings) {
    const { property, rejections } = readListing(listing, { ...context, places });
    if (property && accepted.has(property.reference)) {
      report.add([listedBefore(property.reference)]);
      continue;
    }
    report.add(rejections);
    if (!property) continue;
    accepted.add(property.reference);
    yield property;
  }
  return report.all();
}
