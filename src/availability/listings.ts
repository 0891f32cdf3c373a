import type { ListingDigest, Property, PropertyId } from '../catalogue/catalogue.ts';
import type { IndexedHome } from './availability-index.ts';

/** Listings by their ids. The index knows no more of a home than it needs to find it, and nobody else keeps them in memory. */
export interface Listings {
  /** The whole listing, for whoever asks its operator or shows it. Undefined for a home that is in no catalogue any more. */
  get(id: PropertyId): Property | undefined;
  /** The part that the index needs. */
  home(id: PropertyId): ListedHome | undefined;
}

/** `digest` is that of the whole listing. */
export type ListedHome = { readonly home: IndexedHome; readonly digest: ListingDigest };
