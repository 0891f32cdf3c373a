import type { Place, PlaceId, Property } from '../../../catalogue/catalogue.ts';
import type { Rejection, UnmappedAmenity } from '../../../catalogue/rejections/rejection.ts';
import { createRejectionReport, type RejectionReport } from '../../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { IntakeTask } from '../intake/parse-document.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { createUnmappedAmenities } from './amenities.ts';
import { type ListingContext, type RawListing, withPolicy } from './listing.ts';
import { listedBefore, readListing } from './listing-reader.ts';

/** What a reader of a vendor's page finds: a listing, the words that nothing maps, and what the connector keeps of it. */
type FoundListing = { readonly listing: RawListing; readonly unmapped: readonly string[] };

type CheckedListing<Found extends FoundListing> = Omit<Found, 'listing' | 'unmapped'> & {
  /** As the vendor writes it; also for a listing that is refused. */
  readonly reference: string;
  /** Null when the whole listing is held back. */
  readonly property: Property | null;
  /** As it was found, if more has to be read before it can be checked; then there is no property yet. */
  readonly unfinished: RawListing | null;
};

export type CheckedTask<Parameters, Found extends FoundListing, Summary> = IntakeTask<
  Parameters,
  CheckedListing<Found>,
  Summary & CheckedSummary
> & {
  /** The listings that it checks, as the vendor has published them: for whoever has to know what a network lacks for them. */
  readonly published: (document: Uint8Array, parameters: Parameters) => Generator<RawListing>;
};

export type CheckedSummary = ListingsSummary & { readonly unmappedAmenities: readonly UnmappedAmenity[] };

/** One sign longer than a reference may be, so that it stays one that is refused. */
const MAX_REFERENCE = 65;
const MAX_TEXT = 20_001;
/** A few more than are looked at. */
const MAX_IMAGES = 60;

/**
 * Makes a task out of one that reads a vendor's page: listings are checked on the thread that reads them, one by one, and only what
 * is accepted leaves it. A page of half a megabyte can describe listings of hundreds, because what a house has is written once for all of
 * its rooms.
 */
export function checkedListings<Parameters, Found extends FoundListing, Summary>(
  read: IntakeTask<Parameters, Found, Summary>,
  isUnfinished: (found: Found) => boolean = () => false,
): CheckedTask<Parameters & Omit<ListingContext, 'places'>, Found, Summary> {
  function* published(document: Uint8Array, parameters: Parameters): Generator<RawListing> {
    for (const found of read(document, parameters, new Map())) {
      if (!isUnfinished(found)) yield found.listing;
    }
  }

  function* checked(
    document: Uint8Array,
    parameters: Parameters & Omit<ListingContext, 'places'>,
    places: ReadonlyMap<PlaceId, Place>,
  ): Generator<CheckedListing<Found>, Summary & CheckedSummary> {
    const report = createRejectionReport();
    const unmapped = createUnmappedAmenities();
    const accepted = new Set<string>();
    const pages = read(document, parameters, places);
    for (let next = pages.next(); ; next = pages.next()) {
      if (next.done) return { ...next.value, ...report.all(), unmappedAmenities: unmapped.all() };
      const { listing, unmapped: words, ...kept } = next.value;
      const reference = String(listing.reference).slice(0, MAX_REFERENCE);
      unmapped.add(reference, words);
      if (isUnfinished(next.value)) {
        yield { ...kept, reference, property: null, unfinished: boundedListing(listing) };
        continue;
      }
      const { property, rejections } = accepted.has(reference)
        ? { property: null, rejections: [listedBefore(reference)] }
        : check(listing, parameters, places);
      report.add(rejections);
      if (property) accepted.add(reference);
      yield { ...kept, reference, property, unfinished: null };
    }
  }

  return Object.assign(checked, { published });
}

function check(
  listing: RawListing,
  context: Omit<ListingContext, 'places'>,
  places: ReadonlyMap<PlaceId, Place>,
): { readonly property: Property | null; readonly rejections: readonly Rejection[] } {
  const stated = withPolicy(listing);
  const { property, rejections } = readListing(stated.listing, { ...context, places });
  return { property, rejections: [...stated.rejections, ...rejections] };
}

/** No larger than the largest listing that can be accepted, but not made acceptable by it. */
function boundedListing(listing: RawListing): RawListing {
  return Object.fromEntries(
    Object.entries(listing).map(([name, value]) => [name, boundedValue(value)]),
  ) as RawListing;
}

function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (Array.isArray(value)) return value.slice(0, MAX_IMAGES);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, boundedValue(member)]));
}

type ListingsSummary = ReturnType<RejectionReport['all']>;

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
