import type { BrandBudget, Property } from '../../../catalogue/catalogue.ts';
import type { CatalogueReading, Rejection } from '../../../catalogue/rejections/rejection.ts';
import { createRejectionReport } from '../../../catalogue/rejections/rejection.ts';
import { weightOf } from '../../../parsing/owned-memory.ts';
import { createBudgetMeter } from '../budget-meter.ts';
import type { Intake } from '../intake/intake.ts';
import { createUnmappedAmenities, type UnmappedAmenities } from './amenities.ts';
import type { CheckedSummary } from './checked-listings.ts';
import type { ListingContext } from './listing.ts';
import { type RawListing, withPolicy } from './listing.ts';
import { listedBefore } from './listing-reader.ts';

/** Collects the listings of a brand as a connector reads them, a few at a time. */
export type GatherListings = {
  /** A document of this many bytes has arrived. */
  sent(bytes: number): void;
  /** The parameters that `checkedListings` adds to those of its reader. */
  readonly parameters: Omit<ListingContext, 'places'>;
  /** Listings checked on the reading thread; `bytes` is their weight. */
  take(listings: readonly { readonly property: Property | null }[], bytes: number): void;
  /** The summary of such a page. */
  ended(summary: CheckedSummary): void;
  /** Listings assembled from several answers. The iterator advances only as they are checked. */
  add(listings: Iterable<RawListing>, signal: AbortSignal): Promise<void>;
  /** Whether a listing with this reference was accepted. */
  has(reference: string): boolean;
  rejections(rejections: readonly Rejection[]): void;
  readonly unmapped: Pick<UnmappedAmenities, 'add' | 'addCounted'>;
  reading(): CatalogueReading;
};

/** Serialising and copying this much holds the event loop for a few milliseconds. */
const MAX_LISTINGS_AT_ONCE = 100;
const MAX_BYTES_AT_ONCE = 256 * 1024;

export function createGatherListings({
  intake,
  context,
  budget,
}: {
  readonly intake: Intake;
  readonly context: ListingContext;
  readonly budget: BrandBudget;
}): GatherListings {
  const { places: _, ...parameters } = context;
  const properties = new Map<string, Property>();
  const report = createRejectionReport();
  const unmapped = createUnmappedAmenities();
  const meter = createBudgetMeter(budget);

  function take(some: readonly { readonly property: Property | null }[], bytes: number): void {
    meter.listed(some.length);
    const accepted = some.flatMap(({ property }) => property ?? []);
    if (accepted.length > 0) meter.kept(accepted.length, bytes);
    for (const property of accepted) {
      if (properties.has(property.reference)) report.add([listedBefore(property.reference)]);
      else properties.set(property.reference, property);
    }
  }

  async function addFew(listings: readonly RawListing[], signal: AbortSignal): Promise<void> {
    const { summary } = await intake.run({
      task: 'listings',
      lane: 'background',
      brand: context.brand,
      document: new TextEncoder().encode(JSON.stringify(listings)),
      parameters,
      signal,
      take: (properties, bytes) =>
        take(
          properties.map((property) => ({ property })),
          bytes,
        ),
    });
    report.add(summary.rejections, summary.notListed, summary.counts);
  }

  return {
    sent: meter.sent,
    parameters,
    take,
    ended({ rejections, notListed, counts, unmappedAmenities }) {
      report.add(rejections, notListed, counts);
      unmapped.addCounted(unmappedAmenities);
    },
    async add(listings, signal) {
      let few: RawListing[] = [];
      let bytes = 0;
      for (const published of listings) {
        const { listing, rejections } = withPolicy(published);
        report.add(rejections);
        few.push(listing);
        bytes += weightOf(listing);
        if (few.length < MAX_LISTINGS_AT_ONCE && bytes < MAX_BYTES_AT_ONCE) continue;
        await addFew(few, signal);
        few = [];
        bytes = 0;
      }
      if (few.length > 0) await addFew(few, signal);
    },
    has: (reference) => properties.has(reference),
    rejections: (rejections) => report.add(rejections),
    unmapped,
    reading: () => ({
      properties: [...properties.values()],
      ...report.all(),
      unmappedAmenities: unmapped.all(),
    }),
  };
}
