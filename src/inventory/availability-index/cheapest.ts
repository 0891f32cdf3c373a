import type { Candidate, WantedMatches } from './availability-index.ts';
import type { IndexParts } from './home-writer.ts';
import {
  MATCH_BRAND,
  MATCH_BYTES,
  MATCH_ROW,
  MATCH_TIE,
  MATCH_TOTAL,
  MAX_TILE_ROWS,
  TILE_PLACES,
} from './kernel/layout.ts';

/** Collects matches tile by tile, and chooses the cheapest of each brand. */
export type Cheapest = {
  /** Where the matches of a tile are listed. */
  readonly list: number;
  begin(): void;
  /** Takes as many from the list. */
  take(matches: number): void;
  end(cheapestOfBrand: WantedMatches['cheapestOfBrand']): readonly Candidate[];
};

const UNPRICED = -1;

/** Columns instead of objects, because most matches are never looked at again. */
export function createCheapest({ arena, tiles, rows, tree, brandNames }: IndexParts): Cheapest {
  const list = arena.allocate(MAX_TILE_ROWS * MATCH_BYTES);
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

  /** Lowest total first; equal ones by what decides between them, and by id where even that is equal. */
  function compare(one: number, other: number): number {
    const difference = (totals[one] ?? 0) - (totals[other] ?? 0) || (ties[one] ?? 0) - (ties[other] ?? 0);
    if (difference !== 0 || one === other) return difference;
    return idOf(one) < idOf(other) ? -1 : 1;
  }

  function idOf(match: number): string {
    return rows.idAt(tiles.placeOf(matchRows[match] ?? 0));
  }

  /** By brand, those with a total and those without. */
  function groups(): ReadonlyMap<number, { readonly priced: number[]; readonly unpriced: number[] }> {
    const byBrand = new Map<number, { readonly priced: number[]; readonly unpriced: number[] }>();
    for (let match = 0; match < count; match++) {
      const brand = brands[match] ?? 0;
      let group = byBrand.get(brand);
      if (!group) {
        group = { priced: [], unpriced: [] };
        byBrand.set(brand, group);
      }
      (totals[match] === UNPRICED ? group.unpriced : group.priced).push(match);
    }
    return byBrand;
  }

  /** The first `most` in order. Reorders the list: its beginning becomes a heap with the last of them at its root. */
  function firstOf(matches: number[], most: number): readonly number[] {
    if (matches.length <= most) return matches.sort(compare);
    for (let parent = (most >> 1) - 1; parent >= 0; parent--) sink(matches, parent, most);
    for (let next = most; next < matches.length; next++) {
      const [root = 0, match = 0] = [matches[0], matches[next]];
      // Most are dearer, and need no more than this.
      if ((totals[match] ?? 0) > (totals[root] ?? 0) || compare(match, root) >= 0) continue;
      matches[0] = match;
      sink(matches, 0, most);
    }
    return matches.slice(0, most).sort(compare);
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

  function candidateOf(match: number, brand: string): Candidate {
    const { tile, row } = tiles.placeOf(matchRows[match] ?? 0);
    const city = arena.u16[((arena.u32[(tile + TILE_PLACES) >> 2] ?? 0) >> 1) + row] ?? 0;
    const total = totals[match] ?? UNPRICED;
    return {
      property: rows.idAt({ tile, row }),
      brand,
      place: tree.places[city] ?? '',
      indicativeTotal: total === UNPRICED ? null : total,
    };
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
        totals[count] = f64[(entry + MATCH_TOTAL) >> 3] ?? 0;
        matchRows[count] = u32[(entry + MATCH_ROW) >> 2] ?? 0;
        ties[count] = u32[(entry + MATCH_TIE) >> 2] ?? 0;
        brands[count] = u32[(entry + MATCH_BRAND) >> 2] ?? 0;
      }
    },
    end(cheapestOfBrand) {
      const byBrand = groups();
      const most = cheapestOfBrand(byBrand.size);
      if (most === 0) return [];
      return Array.from(byBrand, ([number, group]) => ({ ...group, brand: brandNames.nameOf(number) }))
        .sort((one, other) => (one.brand < other.brand ? -1 : 1))
        .flatMap(({ brand, priced, unpriced }) =>
          [...firstOf(priced, most), ...firstOf(unpriced, most)].map((match) => candidateOf(match, brand)),
        );
    },
  };
}
