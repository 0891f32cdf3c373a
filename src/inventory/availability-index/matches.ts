import type { BrandId } from '../catalogue.ts';
import type { CompleteCriteria } from '../stay-criteria.ts';
import type { AmenityCount, Candidate, Matches, WantedMatches } from './availability-index.ts';
import { indicativeTotalOf } from './bookable-days.ts';
import type { IndexEntry } from './columns.ts';
import { compareTied } from './tie-order.ts';

/** What a comparison set has to know of entries that match. */
export function matchesAmong(
  entries: readonly IndexEntry[],
  { checkIn, checkOut }: CompleteCriteria,
  cheapestOfBrand: WantedMatches['cheapestOfBrand'],
): Matches {
  const candidates = entries.map(({ home: { id, brand, place }, bookable }) => ({
    property: id,
    brand,
    place,
    indicativeTotal: indicativeTotalOf(bookable, checkIn, checkOut),
  }));
  return {
    total: entries.length,
    unpublishedAmenities: entries.filter(({ home }) => home.amenities === null).length,
    amenities: countAmenities(entries),
    candidates: cheapestOfEach(candidates, cheapestOfBrand),
  };
}

/** Prices of the calendar are whole numbers far below this one. */
const UNPRICED = Number.MAX_SAFE_INTEGER;

function cheapestOfEach(
  candidates: readonly Candidate[],
  cheapestOfBrand: WantedMatches['cheapestOfBrand'],
): readonly Candidate[] {
  const brands = new Set(candidates.map(({ brand }) => brand));
  const most = cheapestOfBrand(brands.size);
  if (most === 0) return [];
  const takenOf = new Map<BrandId, { priced: number; unpriced: number }>();
  return candidates
    .toSorted(
      (one, other) =>
        (one.indicativeTotal ?? UNPRICED) - (other.indicativeTotal ?? UNPRICED) ||
        compareTied(one.property, other.property),
    )
    .filter(({ brand, indicativeTotal }) => {
      const taken = takenOf.get(brand) ?? { priced: 0, unpriced: 0 };
      takenOf.set(brand, taken);
      return (indicativeTotal === null ? taken.unpriced++ : taken.priced++) < most;
    });
}

function countAmenities(entries: readonly IndexEntry[]): readonly AmenityCount[] {
  const counts = new Map<string, number>();
  for (const { home } of entries) {
    for (const amenity of Object.keys(home.amenities ?? {})) {
      counts.set(amenity, (counts.get(amenity) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([amenity, properties]) => ({ amenity, properties }))
    .sort((one, other) => other.properties - one.properties || (one.amenity < other.amenity ? -1 : 1));
}
