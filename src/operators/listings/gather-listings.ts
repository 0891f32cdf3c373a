import type { BrandBudget } from '../../inventory/brand-budget.ts';
import type { Property } from '../../inventory/catalogue.ts';
import type { CatalogueReading, HeldBack } from '../../quotes/booking-system.ts';
import { createHeldBackReport } from '../../quotes/held-back-report.ts';
import { createBudgetMeter } from '../budget-meter.ts';
import type { Intake } from '../intake/intake.ts';
import type { Listing } from './listing.ts';
import { type ListingContext, listedBefore } from './listing-reader.ts';

/** What a vendor says of a property, in the shape of `Listing`, but not checked yet. */
export type RawListing = { readonly [Member in keyof Listing]?: unknown };

/** Gathers the listings of a brand as a connector reads them, a few at a time. */
export type GatherListings = {
  /** A document of so many bytes has arrived. */
  sent(bytes: number): void;
  add(listings: readonly RawListing[], signal: AbortSignal): Promise<void>;
  heldBack(heldBack: readonly HeldBack[]): void;
  reading(): CatalogueReading;
};

/** Shown where a booking system has no policy: a home without one is not held back, but nobody is told that it can be cancelled. */
export const POLICY_NOT_PUBLISHED =
  'The booking system of the operator states no cancellation policy. Read it on the operator’s website before booking.';

/** Writing and copying this many listings takes the event loop a few milliseconds. */
const LISTINGS_AT_ONCE = 100;

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
  const report = createHeldBackReport();
  const meter = createBudgetMeter(budget);

  async function addFew(listings: readonly RawListing[], signal: AbortSignal): Promise<void> {
    const { summary } = await intake.run({
      task: 'listings',
      lane: 'background',
      brand: context.brand,
      document: new TextEncoder().encode(JSON.stringify(listings)),
      parameters,
      signal,
      take(some, bytes) {
        meter.kept(some.length, bytes);
        for (const property of some) {
          if (properties.has(property.reference)) report.add([listedBefore(property.reference)]);
          else properties.set(property.reference, property);
        }
      },
    });
    report.add(summary.heldBack, summary.notListed);
  }

  function withPolicy(listing: RawListing): RawListing {
    const { cancellation, reference } = listing;
    const summary =
      typeof cancellation === 'object' && cancellation ? Reflect.get(cancellation, 'summary') : undefined;
    if (typeof summary === 'string' && summary.trim() !== '') return listing;
    if (typeof reference === 'string') report.add([policyMissing(reference)]);
    return {
      ...listing,
      cancellation: { ...(cancellation as object | undefined), summary: POLICY_NOT_PUBLISHED },
    };
  }

  return {
    sent: meter.sent,
    async add(listings, signal) {
      for (let from = 0; from < listings.length; from += LISTINGS_AT_ONCE) {
        await addFew(listings.slice(from, from + LISTINGS_AT_ONCE).map(withPolicy), signal);
      }
    },
    heldBack: (heldBack) => report.add(heldBack),
    reading: () => ({ properties: [...properties.values()], ...report.all() }),
  };
}

function policyMissing(reference: string): HeldBack {
  const reason = 'is not published by the booking system, and the listing says so';
  return { reference, field: 'cancellation/summary', rule: 'missing_member', reason, repaired: true };
}
