import type { BrandId } from '../catalogue.ts';
import type { Candidate, WantedMatches } from './availability-index.ts';
import type { IndexParts } from './index-parts.ts';
import {
  BOUNDS,
  CANDIDATE_BRAND,
  CANDIDATE_BYTES,
  CANDIDATE_ID,
  CANDIDATE_ID_BYTES,
  CANDIDATE_PLACE,
  CANDIDATE_TOTAL,
  FOUND_AMENITIES,
  FOUND_BRAND_NUMBERS,
  FOUND_BRANDS,
  FOUND_BY_BOUND,
  FOUND_BYTES,
  FOUND_CANDIDATE_COUNT,
  FOUND_CANDIDATES,
  FOUND_MOST,
  FOUND_MOST_OF_BRAND,
  FOUND_OF_ALL,
  FOUND_OF_BRANDS,
  FOUND_PENDING,
  GROUP_MATCHES,
  HEAD_HOMES,
  MATCH_BYTES,
  MAX_PENDING,
  MAX_TILE_ROWS,
  PENDING_BYTES,
} from './kernel/layout.ts';
import { createNameRanks } from './name-ranks.ts';
import { textAt } from './names.ts';
import { createRoom } from './room.ts';

type Wanted = Pick<WantedMatches, 'cheapest' | 'cheapestOfBrand'>;

/** The cheapest matches of all and of each brand, as the kernels choose them. */
export type Cheapest = {
  /** Prepares for the matches of so many tiles; says where what is found is to be written. */
  begin(wanted: Wanted, tiles: number, amenityCounts: number): number;
  end(wanted: Wanted): readonly Candidate[];
};

const UNPRICED = Number.POSITIVE_INFINITY;

export function createCheapest({ arena, kernel, tree, brandNames }: IndexParts): Cheapest {
  const room = createRoom(arena);
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;
  const found = arena.allocateScratch(FOUND_BYTES);
  const byBound = arena.allocateScratch(BOUNDS * 4);
  const brandRanks = createNameRanks(brandNames);
  const groupBytes = (most: number) => GROUP_MATCHES + most * MATCH_BYTES;

  function set(offset: number, value: number): void {
    arena.u32[(found + offset) >>> 2] = value;
  }

  function clearedBrandNumbers(): number {
    const bytes = Math.max(1, brandNames.size) * 4;
    const numbers = room('brand numbers', bytes);
    arena.u8.fill(0, numbers, numbers + bytes);
    return numbers;
  }

  return {
    begin({ cheapest, cheapestOfBrand }, tileCount, amenityCounts) {
      const mostPending =
        cheapestOfBrand === null
          ? MAX_PENDING + MAX_TILE_ROWS
          : Math.min(word(HEAD_HOMES), tileCount * MAX_TILE_ROWS);
      const pending = room('pending', mostPending * PENDING_BYTES);
      const ofAll = room('of all', groupBytes(cheapest));
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
      const ofBrands = room('of brands', brands * 2 * groupBytes(mostOfBrand));
      const most = cheapest + brands * 2 * mostOfBrand;
      const candidates = room('candidates', most * CANDIDATE_BYTES);
      set(FOUND_MOST_OF_BRAND, mostOfBrand);
      set(FOUND_OF_BRANDS, ofBrands);
      set(FOUND_CANDIDATES, candidates);
      kernel.endChoice();
      return inOrderOfBrands(candidates, word(found + FOUND_CANDIDATE_COUNT));
    },
  };

  /** Brand by brand, and those without a total behind the others; otherwise as they are listed. */
  function inOrderOfBrands(list: number, count: number): readonly Candidate[] {
    const { ranks, sorted } = brandRanks();
    const { u32, f64 } = arena;
    const rankAt = (address: number) => ranks[u32[(address + CANDIDATE_BRAND) >>> 2] ?? 0] ?? 0;
    const keys = new Float64Array(count);
    for (let number = 0; number < count; number++) {
      const address = list + number * CANDIDATE_BYTES;
      const isLast = f64[(address + CANDIDATE_TOTAL) >>> 3] === UNPRICED;
      keys[number] = (rankAt(address) * 2 + (isLast ? 1 : 0)) * count + number;
    }
    keys.sort();
    const candidates: Candidate[] = [];
    for (let position = 0; position < count; position++) {
      const key = keys[position] ?? 0;
      const address = list + (key - Math.floor(key / count) * count) * CANDIDATE_BYTES;
      candidates.push(candidateAt(address, sorted[rankAt(address)] ?? ''));
    }
    return candidates;
  }

  function candidateAt(address: number, brand: BrandId): Candidate {
    const { u32 } = arena;
    const total = arena.f64[(address + CANDIDATE_TOTAL) >>> 3] ?? 0;
    return {
      property: textAt(
        arena,
        u32[(address + CANDIDATE_ID) >>> 2] ?? 0,
        u32[(address + CANDIDATE_ID_BYTES) >>> 2] ?? 0,
      ),
      brand,
      place: tree.places[u32[(address + CANDIDATE_PLACE) >>> 2] ?? 0] ?? '',
      indicativeTotal: total === UNPRICED ? null : total,
    };
  }
}
