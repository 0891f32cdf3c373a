import type { Candidate, WantedMatches } from './availability-index.ts';
import type { IndexParts } from './index-parts.ts';
import {
  MATCH_BRAND,
  MATCH_BYTES,
  MATCH_ROW,
  MATCH_TIE,
  MATCH_TOTAL,
  MAX_TILE_ROWS,
  TILE_PLACES,
} from './kernel/layout.ts';

/** Collects matches tile by tile, and chooses the cheapest of all and of each brand. */
export type Cheapest = {
  /** Where the matches of a tile are listed. */
  readonly list: number;
  begin(): void;
  /** Takes as many from the list. */
  take(matches: number): void;
  end(wanted: Pick<WantedMatches, 'cheapest' | 'cheapestOfBrand'>): readonly Candidate[];
};

const UNPRICED = -1;

/** Columns instead of objects, because most matches are never looked at again. */
export function createCheapest({ arena, tiles, rows, tree, brandNames }: IndexParts): Cheapest {
  const list = arena.allocateScratch(MAX_TILE_ROWS * MATCH_BYTES);
  let totals = new Float64Array(MAX_TILE_ROWS);
  let matchRows = new Uint32Array(MAX_TILE_ROWS);
  let ties = new Uint32Array(MAX_TILE_ROWS);
  let brands = new Uint16Array(MAX_TILE_ROWS);
  let count = 0;

  function makeRoom(wanted: number): void {
    if (wanted <= totals.length) return;
    const longer = wanted * 2;
    const before = { totals, matchRows, ties, brands };
    totals = new Float64Array(longer);
    matchRows = new Uint32Array(longer);
    ties = new Uint32Array(longer);
    brands = new Uint16Array(longer);
    totals.set(before.totals);
    matchRows.set(before.matchRows);
    ties.set(before.ties);
    brands.set(before.brands);
  }

  /** Lowest total first, and those without one last; equal ones by what decides between them, and by id where even that is equal. */
  function compare(one: number, other: number): number {
    const [total, otherTotal] = [totals[one] ?? 0, totals[other] ?? 0];
    if (total !== otherTotal) {
      if (total === UNPRICED) return 1;
      return otherTotal === UNPRICED ? -1 : total - otherTotal;
    }
    const difference = (ties[one] ?? 0) - (ties[other] ?? 0);
    if (difference !== 0 || one === other) return difference;
    return idOf(one) < idOf(other) ? -1 : 1;
  }

  function idOf(match: number): string {
    return rows.idAt(tiles.placeOf(matchRows[match] ?? 0));
  }

  /** Offers a match to a list of at most `most`, all with a total or all without. Once it is full, it is a heap with the last of them at its root. */
  function offer(chosen: number[], most: number, match: number): void {
    if (chosen.length < most) {
      chosen.push(match);
      if (chosen.length === most) {
        for (let parent = (most >>> 1) - 1; parent >= 0; parent--) sink(chosen, parent, most);
      }
      return;
    }
    const [root = 0] = chosen;
    // Most are dearer, and need no more than this.
    if ((totals[match] ?? 0) > (totals[root] ?? 0) || compare(match, root) >= 0) return;
    chosen[0] = match;
    sink(chosen, 0, most);
  }

  function ofAll(most: number): readonly number[] {
    const chosen: number[] = [];
    if (most === 0) return chosen;
    for (let match = 0; match < count; match++) if (totals[match] !== UNPRICED) offer(chosen, most, match);
    return chosen;
  }

  function ofEachBrand(mostOfBrand: WantedMatches['cheapestOfBrand']): readonly number[] {
    const most = mostOfBrand(new Set(brands.subarray(0, count)).size);
    if (most === 0) return [];
    const [priced, unpriced] = [new Map<number, number[]>(), new Map<number, number[]>()];
    for (let match = 0; match < count; match++) {
      const byBrand = totals[match] === UNPRICED ? unpriced : priced;
      const brand = brands[match] ?? 0;
      const chosen = byBrand.get(brand);
      if (chosen) offer(chosen, most, match);
      else byBrand.set(brand, [match]);
    }
    return [...priced.values(), ...unpriced.values()].flat();
  }

  function sink(heap: number[], from: number, size: number): void {
    const sunk = heap[from] ?? 0;
    let parent = from;
    for (let child = parent * 2 + 1; child < size; child = parent * 2 + 1) {
      const [left = 0, right = 0] = [heap[child], heap[child + 1]];
      const isRight = child + 1 < size && compare(right, left) > 0;
      const larger = isRight ? right : left;
      if (compare(larger, sunk) <= 0) break;
      heap[parent] = larger;
      parent = isRight ? child + 1 : child;
    }
    heap[parent] = sunk;
  }

  function candidateOf(match: number): Candidate {
    const { tile, row } = tiles.placeOf(matchRows[match] ?? 0);
    const city = arena.u16[((arena.u32[(tile + TILE_PLACES) >>> 2] ?? 0) >>> 1) + row] ?? 0;
    const total = totals[match] ?? UNPRICED;
    return {
      property: rows.idAt({ tile, row }),
      brand: brandNames.nameOf(brands[match] ?? 0),
      place: tree.places[city] ?? '',
      indicativeTotal: total === UNPRICED ? null : total,
    };
  }

  /** Brand by brand: those of equal brands are in order already. */
  function inOrderOfBrands(matches: readonly number[]): readonly Candidate[] {
    const byBrand = new Map<string, Candidate[]>();
    for (const candidate of matches.map(candidateOf)) {
      const ofBrand = byBrand.get(candidate.brand);
      if (ofBrand) ofBrand.push(candidate);
      else byBrand.set(candidate.brand, [candidate]);
    }
    return [...byBrand.keys()].sort().flatMap((brand) => byBrand.get(brand) ?? []);
  }

  return {
    list,
    begin() {
      count = 0;
    },
    take(matches) {
      makeRoom(count + matches);
      const { f64, u32 } = arena;
      for (let entry = list; entry < list + matches * MATCH_BYTES; entry += MATCH_BYTES, count++) {
        totals[count] = f64[(entry + MATCH_TOTAL) >>> 3] ?? 0;
        matchRows[count] = u32[(entry + MATCH_ROW) >>> 2] ?? 0;
        ties[count] = u32[(entry + MATCH_TIE) >>> 2] ?? 0;
        brands[count] = u32[(entry + MATCH_BRAND) >>> 2] ?? 0;
      }
    },
    end({ cheapest, cheapestOfBrand }) {
      const chosen = new Set([...ofEachBrand(cheapestOfBrand), ...ofAll(cheapest)]);
      return inOrderOfBrands([...chosen].sort(compare));
    },
  };
}
