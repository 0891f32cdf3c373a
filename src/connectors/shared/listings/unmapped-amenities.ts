import { shownText } from '../../../catalogue/rejections/rejected-value.ts';
import type { UnmappedAmenity } from '../../../catalogue/rejections/rejection.ts';
import { foldedAmenity } from './amenity-word.ts';

/** More than any booking system has words for amenities; an operator can invent as many as it likes. */
const MAX_DISTINCT = 500;

/** Counts what an amenity map has no word for, in how many listings. */
export type UnmappedAmenities = {
  /** Once for each listing, or several times in a row. */
  add(reference: string, names: readonly string[]): void;
  /** What another collector has counted, on another page or in another thread. */
  addCounted(counted: readonly UnmappedAmenity[]): void;
  /** Those of most listings first. */
  all(): readonly UnmappedAmenity[];
};

/** How many there are, in words: those beyond the limit are not counted. */
export function numberOfUnmapped({ length }: readonly UnmappedAmenity[]): string {
  return length < MAX_DISTINCT ? String(length) : `at least ${length}`;
}

export function createUnmappedAmenities(): UnmappedAmenities {
  const counts = new Map<string, { readonly amenity: string; listings: number; lastListing?: string }>();

  function countOf(name: string, amenity: () => string) {
    const folded = foldedAmenity(name);
    const known = counts.get(folded);
    if (known || folded === '' || counts.size >= MAX_DISTINCT) return known;
    const count: { readonly amenity: string; listings: number; lastListing?: string } = {
      amenity: amenity(),
      listings: 0,
    };
    counts.set(folded, count);
    return count;
  }

  return {
    add(reference, names) {
      for (const name of names) {
        const count = countOf(name, () => shownText(name.trim()));
        if (!count || count.lastListing === reference) continue;
        count.lastListing = reference;
        count.listings += 1;
      }
    },
    addCounted(counted) {
      for (const { amenity, listings } of counted) {
        const count = countOf(amenity, () => amenity);
        if (count) count.listings += listings;
      }
    },
    all: () =>
      Array.from(counts.values(), ({ amenity, listings }) => ({ amenity, listings })).sort(
        (one, other) => other.listings - one.listings || (one.amenity < other.amenity ? -1 : 1),
      ),
  };
}
