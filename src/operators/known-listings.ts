import type { StoredDocument } from './connector.ts';

/** What the catalogue says of a listing that prices and calendars depend on. */
export type KnownListing = {
  readonly currency: string;
  readonly maxGuests: number;
  /** Where the calendar says nothing else; null when the vendor does not say either. */
  readonly minimumStay: number | null;
  readonly maximumStay: number | null;
};

/** By reference. It survives a restart: homes are on offer from the store before the catalogue is read again. */
export type KnownListings<Known extends KnownListing = KnownListing> = {
  /** Undefined when no catalogue was ever read. */
  all(): Promise<ReadonlyMap<string, Known> | undefined>;
  keep(listings: ReadonlyMap<string, Known>): Promise<void>;
};

export function createKnownListings<Known extends KnownListing = KnownListing>(
  stored: StoredDocument,
): KnownListings<Known> {
  let known: ReadonlyMap<string, Known> | undefined;

  async function readStored(): Promise<void> {
    const bytes = await stored.read();
    if (known || !bytes) return;
    // Our own document: `keep` has written it.
    known = new Map(JSON.parse(new TextDecoder().decode(bytes)));
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
      await stored.save(new TextEncoder().encode(JSON.stringify([...listings])));
    },
  };
}
