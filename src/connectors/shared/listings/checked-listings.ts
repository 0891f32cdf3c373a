import type { Place, PlaceId, Property } from '../../../catalogue/catalogue.ts';
import type { Rejection, UnmappedAmenity } from '../../../catalogue/rejections/rejection.ts';
import { createRejectionReport, type RejectionReport } from '../../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { IntakeTask } from '../intake/parse-document.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { createUnmappedAmenities } from './amenities.ts';
import { type ListingContext, type RawListing, withPolicy } from './listing.ts';
import { listedBefore, readListing } from './listing-reader.ts';

/** An item of a vendor's page: a listing, its unmapped words, and further members for the connector. */
type FoundListing = { readonly listing: RawListing; readonly unmapped: readonly string[] };

type CheckedListing<Found extends FoundListing> = Omit<Found, 'listing' | 'unmapped'> & {
  /** As the vendor writes it; also for a rejected listing. */
  readonly reference: string;
  /** Null when the whole listing is rejected. */
  readonly property: Property | null;
  /** The listing as found, if more must be read before it can be checked; then `property` is null. */
  readonly unfinished: RawListing | null;
};

export type CheckedTask<Parameters, Found extends FoundListing, Summary> = IntakeTask<
  Parameters,
  CheckedListing<Found>,
  Summary & CheckedSummary
> & {
  /** The listings as published, without checks: for a command that finds out what the network file lacks for them. */
  readonly published: (document: Uint8Array, parameters: Parameters) => Generator<RawListing>;
};

export type CheckedSummary = ListingsSummary & { readonly unmappedAmenities: readonly UnmappedAmenity[] };

/** One character longer than a reference may be, so that a cut one is still rejected. */
const MAX_REFERENCE = 65;
const MAX_TEXT = 20_001;
/** A few more than are read. */
const MAX_IMAGES = 60;

/**
 * Turns the reader of a vendor's page into a task that also checks its listings on the reading thread, one by one; only accepted ones
 * leave it. A page of half a megabyte can expand to hundreds of megabytes of listings, because members of a building are written once for
 * all of its units.
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
      const { listing, unmapped: words, ...members } = next.value;
      const reference = String(listing.reference).slice(0, MAX_REFERENCE);
      unmapped.add(reference, words);
      if (isUnfinished(next.value)) {
        yield { ...members, reference, property: null, unfinished: boundedListing(listing) };
        continue;
      }
      const { property, rejections } = accepted.has(reference)
        ? { property: null, rejections: [listedBefore(reference)] }
        : check(listing, parameters, places);
      report.add(rejections);
      if (property) accepted.add(reference);
      yield { ...members, reference, property, unfinished: null };
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

/** Cut to the size of the largest acceptable listing, but without making a listing acceptable. */
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
 * A task of the intake: reads properties from a JSON list of listings that a connector assembled from several answers. Their texts are
 * unchecked operator text, so they are read like any other document.
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
