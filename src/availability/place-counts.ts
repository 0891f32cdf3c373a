import type { PlaceCount } from './availability-index.ts';
import type { PlaceTree } from './place-tree.ts';

/** Counts of places of every level from those of their cities, most first, then by id. */
export type PlaceCounts = (ofCities: Uint32Array) => readonly PlaceCount[];

const DIGIT_BITS = 11;
const DIGIT = 2 ** DIGIT_BITS - 1;

export function createPlaceCounts({ places, cities, cityNumbers }: PlaceTree): PlaceCounts {
  const byId = Uint32Array.from(places.keys()).sort((one, other) =>
    (places[one] ?? '') < (places[other] ?? '') ? -1 : 1,
  );
  const counts = new Uint32Array(places.length);
  const ends = new Uint32Array(DIGIT + 1);
  let sorted = new Uint32Array(places.length);
  let other = new Uint32Array(places.length);

  /** Says how many places have a count, which are listed by id, and which count is the highest. */
  function countPlaces(ofCities: Uint32Array): { readonly counted: number; readonly highest: number } {
    counts.fill(0);
    for (const city of cityNumbers) {
      const properties = ofCities[city] ?? 0;
      if (properties === 0) continue;
      for (const place of cities[city]?.places ?? []) counts[place] = (counts[place] ?? 0) + properties;
    }
    let [counted, highest] = [0, 0];
    for (const place of byId) {
      const properties = counts[place] ?? 0;
      if (properties === 0) continue;
      sorted[counted++] = place;
      if (properties > highest) highest = properties;
    }
    return { counted, highest };
  }

  /** Puts the places in the order of one digit of their counts; those with the same digit stay as they are. */
  function sortByDigit(counted: number, shift: number): void {
    const digitOf = (place: number) => DIGIT - (((counts[place] ?? 0) >>> shift) & DIGIT);
    const add = (digit: number, more: number) => (ends[digit] = (ends[digit] ?? 0) + more);
    ends.fill(0);
    for (let at = 0; at < counted; at++) add(digitOf(sorted[at] ?? 0), 1);
    for (let digit = 1; digit <= DIGIT; digit++) add(digit, ends[digit - 1] ?? 0);
    for (let at = counted - 1; at >= 0; at--) {
      const place = sorted[at] ?? 0;
      other[add(digitOf(place), -1)] = place;
    }
    [sorted, other] = [other, sorted];
  }

  return (ofCities) => {
    const { counted, highest } = countPlaces(ofCities);
    // Digit by digit, because comparing thousands of places takes longer than counting a million homes.
    for (let shift = 0; highest >>> shift > 0; shift += DIGIT_BITS) sortByDigit(counted, shift);
    return Array.from(sorted.subarray(0, counted), (place) => ({
      place: places[place] ?? '',
      properties: counts[place] ?? 0,
    }));
  };
}
