import type { Property, PropertyId } from '../catalogue/catalogue.ts';
import { type ListingDigest, listingDigest } from '../catalogue/catalogue.ts';
import { inTurns } from '../limits/event-loop.ts';
import { weightOf } from '../parsing/owned-memory.ts';

/** What is kept of a listing while its brand is read: its texts are in the store. */
export type CatalogueEntry = {
  readonly id: PropertyId;
  readonly reference: string;
  readonly digest: ListingDigest;
  /** Of the whole listing, as `weightOf` counts it. */
  readonly weight: number;
};

/** The digest of a listing with forty pictures takes 50 µs. */
const LISTINGS_A_TURN = 200;

export async function catalogueEntries(properties: Iterable<Property>): Promise<readonly CatalogueEntry[]> {
  const entries: CatalogueEntry[] = [];
  await inTurns(properties, LISTINGS_A_TURN, (property) => entries.push(catalogueEntry(property)));
  return entries;
}

export function catalogueEntry(property: Property): CatalogueEntry {
  const { id, reference } = property;
  return { id, reference, digest: listingDigest(property), weight: weightOf(property) };
}
