import type { Property } from '../../../catalogue/catalogue.ts';
import { inTurns } from '../../../limits/event-loop.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import { createStoredEntries } from './stored-entries.ts';

/** What a listing says of stays where its calendar says nothing else; null where it says nothing either. */
export type ListingStayLimits = { readonly minimumStay: number | null; readonly maximumStay: number | null };

/** What the catalogue says of a listing that prices and calendars depend on. */
export type KnownListing = ListingStayLimits & Pick<Property, 'currency' | 'maxGuests'>;

/** By reference. It survives a restart: homes are on offer from the store before the catalogue is read again. */
export type KnownListings<Known extends KnownListing = KnownListing> = {
  /** Undefined when no catalogue was ever read. */
  all(): Promise<ReadonlyMap<string, Known> | undefined>;
  /** Only listings that were accepted are to be known. */
  keep(listings: ReadonlyMap<string, Known>): Promise<void>;
};

const LISTINGS_A_TURN = 2000;
const NO_LIMITS: ListingStayLimits = { minimumStay: null, maximumStay: null };

/** The limits are by reference, with whatever else a vendor's prices depend on. */
export async function knownFrom<Limits extends ListingStayLimits>(
  accepted: readonly Property[],
  limits: ReadonlyMap<string, Limits>,
): Promise<ReadonlyMap<string, KnownListing & Partial<Limits>>> {
  const known = new Map<string, KnownListing & Partial<Limits>>();
  await inTurns(accepted, LISTINGS_A_TURN, ({ reference, currency, maxGuests }) => {
    const ofListing: Limits | undefined = limits.get(reference);
    known.set(reference, { currency, maxGuests, ...NO_LIMITS, ...(ofListing as Partial<Limits>) });
  });
  return known;
}

export function createKnownListings<Known extends KnownListing = KnownListing>(
  stored: StoredDocument,
): KnownListings<Known> {
  const entries = createStoredEntries(stored);
  let known: ReadonlyMap<string, Known> | undefined;

  async function readStored(): Promise<void> {
    const listings = new Map<string, Known>();
    // Our own document: `keep` has written it.
    const isRead = await entries.read((entry) => listings.set(...(entry as [string, Known])));
    if (isRead) known ??= listings;
  }

  let reading: Promise<void> | undefined;
  return {
    async all() {
      if (known) return known;
      reading ??= readStored();
      await reading;
      return known;
    },
    async keep(listings) {
      known = listings;
      await entries.save(() => listings);
    },
  };
}
