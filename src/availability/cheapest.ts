import { createScratchBuffers } from './arena.ts';
import type { Candidate, WantedMatches } from './availability-index.ts';
import {
  BOUNDS,
  CANDIDATE_BRAND_RANK,
  CANDIDATE_BYTES,
  CANDIDATE_ID,
  CANDIDATE_PLACE,
  CANDIDATE_TOTAL,
  FOUND_AMENITIES,
  FOUND_BRAND_NUMBERS,
  FOUND_BRAND_RANKS,
  FOUND_BRANDS,
  FOUND_BY_BOUND,
  FOUND_BYTES,
  FOUND_CANDIDATE_COUNT,
  FOUND_CANDIDATES,
  FOUND_LISTED,
  FOUND_MOST,
  FOUND_MOST_OF_BRAND,
  FOUND_OF_ALL,
  FOUND_OF_BRANDS,
  FOUND_ORDER,
  FOUND_PENDING,
  GROUP_MATCHES,
  HEAD_HOMES,
  KEY_BYTES,
  MATCH_BYTES,
  MAX_PENDING,
  MAX_TILE_ROWS,
  PENDING_BYTES,
} from './kernel/layout.ts';
import { createNameRanks, textAt } from './names.ts';
import type { IndexParts } from './queries.ts';
import { ID_LENGTH_BYTES } from './rows-by-id.ts';

type Wanted = Pick<WantedMatches, 'cheapest' | 'cheapestOfBrand'>;

/** The cheapest matches overall and of each brand, chosen by the kernels. */
export type Cheapest = {
  /** Prepares for the matches of this many tiles; returns the address for the results. */
  begin(wanted: Wanted, tiles: number, amenityCounts: number): number;
  end(wanted: Wanted): readonly Candidate[];
};

const UNPRICED = Number.POSITIVE_INFINITY;

export function createCheapest({ arena, kernel, tree, brandNames }: IndexParts): Cheapest {
  const buffer = createScratchBuffers(arena);
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;
  const found = arena.allocateScratch(FOUND_BYTES);
  const byBound = arena.allocateScratch(BOUNDS * 4);
  const brandRanks = createNameRanks(brandNames, arena);
  const groupBytes = (most: number) => GROUP_MATCHES + most * MATCH_BYTES;

  function set(offset: number, value: number): void {
    arena.u32[(found + offset) >>> 2] = value;
  }

  function clearedBrandNumbers(): number {
    const bytes = Math.max(1, brandNames.size) * 4;
    const numbers = buffer('brand numbers', bytes);
    arena.u8.fill(0, numbers, numbers + bytes);
    return numbers;
  }

  return {
    begin({ cheapest, cheapestOfBrand }, tileCount, amenityCounts) {
      const mostPending =
        cheapestOfBrand === null
          ? MAX_PENDING + MAX_TILE_ROWS
          : Math.min(word(HEAD_HOMES), tileCount * MAX_TILE_ROWS);
      const pending = buffer('pending', mostPending * PENDING_BYTES);
      const ofAll = buffer('of all', groupBytes(cheapest));
      const brandNumbers = cheapestOfBrand === null ? 0 : clearedBrandNumbers();
      set(FOUND_AMENITIES, amenityCounts);
      set(FOUND_BRANDS, 0);
      set(FOUND_MOST, cheapest);
      set(FOUND_MOST_OF_BRAND, 0);
      set(FOUND_BRAND_NUMBERS, brandNumbers);
      set(FOUND_PENDING, pending);
      set(FOUND_BY_BOUND, byBound);
      set(FOUND_OF_ALL, ofAll);
      return found;
    },
    end({ cheapest, cheapestOfBrand }) {
      const brands = word(found + FOUND_BRANDS);
      const mostOfBrand = cheapestOfBrand?.(brands) ?? 0;
      const ofBrands = buffer('of brands', brands * 2 * groupBytes(mostOfBrand));
      const most = cheapest + brands * 2 * mostOfBrand;
      const candidates = buffer('candidates', most * CANDIDATE_BYTES);
      const listed = buffer('listed', most * 4);
      const order = buffer('order', most * KEY_BYTES);
      set(FOUND_MOST_OF_BRAND, mostOfBrand);
      set(FOUND_OF_BRANDS, ofBrands);
      set(FOUND_CANDIDATES, candidates);
      set(FOUND_LISTED, listed);
      set(FOUND_ORDER, order);
      set(FOUND_BRAND_RANKS, brandRanks().ranks);
      kernel.endChoice();
      return candidatesAt(candidates, word(found + FOUND_CANDIDATE_COUNT));
    },
  };

  function candidatesAt(list: number, count: number): readonly Candidate[] {
    const { sorted } = brandRanks();
    const { u16, u32, f64 } = arena;
    const candidates: Candidate[] = [];
    for (let address = list; address < list + count * CANDIDATE_BYTES; address += CANDIDATE_BYTES) {
      const id = u32[(address + CANDIDATE_ID) >>> 2] ?? 0;
      const total = f64[(address + CANDIDATE_TOTAL) >>> 3] ?? 0;
      candidates.push({
        property: textAt(arena, id + ID_LENGTH_BYTES, u16[id >>> 1] ?? 0),
        brand: sorted[u32[(address + CANDIDATE_BRAND_RANK) >>> 2] ?? 0] ?? '',
        place: tree.places[u32[(address + CANDIDATE_PLACE) >>> 2] ?? 0] ?? '',
        indicativeTotal: total === UNPRICED ? null : total,
      });
    }
    return candidates;
  }
}
