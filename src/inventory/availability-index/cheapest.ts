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

/** Chooses the cheapest matches of each brand, tile by tile. */
export type Cheapest = {
  begin(): {
    /** Where the matches of a tile are listed. */
    readonly list: number;
    /** Takes as many from the list. */
    take(matches: number): void;
    end(cheapestOfBrand: WantedMatches['cheapestOfBrand']): readonly Candidate[];
  };
};

const UNPRICED = -1;

export function createCheapest({ arena, tiles, rows, tree, brandNames }: IndexParts): Cheapest {
  const list = arena.allocate(MAX_TILE_ROWS * MATCH_BYTES);
  let totals = new Float64Array(MAX_TILE_ROWS);
  let matchRows = new Uint32Array(MAX_TILE_ROWS);
  let ties = new Uint32Array(MAX_TILE_ROWS);
  let brands = new Uint16Array(MAX_TILE_ROWS);

  function makeRoom(count: number): void {
    if (count <= totals.length) return;
    const longer = count * 2;
    const [allTotals, allRows, allTies, allBrands] = [totals, matchRows, ties, brands];
    totals = new Float64Array(longer);
    totals.set(allTotals);
    matchRows = new Uint32Array(longer);
    matchRows.set(allRows);
    ties = new Uint32Array(longer);
    ties.set(allTies);
    brands = new Uint16Array(longer);
    brands.set(allBrands);
  }

  function idOf(match: number): string {
    return rows.idAt(tiles.placeOf(matchRows[match] ?? 0));
  }

  /** Lowest total first, and those without one last. */
  function compare(one: number, other: number): number {
    const [total, otherTotal] = [totals[one] ?? 0, totals[other] ?? 0];
    if (total !== otherTotal) {
      if (total === UNPRICED) return 1;
      return otherTotal === UNPRICED ? -1 : total - otherTotal;
    }
    const order = (ties[one] ?? 0) - (ties[other] ?? 0);
    if (order !== 0) return order;
    return idOf(one) < idOf(other) ? -1 : 1;
  }

  /** Keeps the first `most` of the matches that are offered to it, in a heap whose root is the last of them. */
  function createBest(most: number): { readonly kept: number[]; offer(match: number): void } {
    const kept: number[] = [];
    function sinkRoot(): void {
      for (let parent = 0; ; ) {
        let last = parent;
        for (const child of [parent * 2 + 1, parent * 2 + 2]) {
          if (child < kept.length && compare(kept[child] ?? 0, kept[last] ?? 0) > 0) last = child;
        }
        if (last === parent) return;
        [kept[parent], kept[last]] = [kept[last] ?? 0, kept[parent] ?? 0];
        parent = last;
      }
    }
    return {
      kept,
      offer(match) {
        if (kept.length < most) {
          kept.push(match);
          for (let child = kept.length - 1; child > 0; ) {
            const parent = (child - 1) >> 1;
            if (compare(kept[child] ?? 0, kept[parent] ?? 0) <= 0) return;
            [kept[parent], kept[child]] = [kept[child] ?? 0, kept[parent] ?? 0];
            child = parent;
          }
          return;
        }
        const root = kept[0];
        if (root === undefined || (totals[match] ?? 0) > (totals[root] ?? 0) || compare(match, root) >= 0) return;
        kept[0] = match;
        sinkRoot();
      },
    };
  }

  function candidateOf(match: number): Candidate {
    const { tile, row } = tiles.placeOf(matchRows[match] ?? 0);
    const city = arena.u16[((arena.u32[(tile + TILE_PLACES) >> 2] ?? 0) >> 1) + row] ?? 0;
    const total = totals[match] ?? UNPRICED;
    return {
      property: rows.idAt({ tile, row }),
      brand: brandNames.nameOf(brands[match] ?? 0),
      place: tree.places[city] ?? '',
      indicativeTotal: total === UNPRICED ? null : total,
    };
  }

  return {
    begin() {
      let count = 0;
      return {
        list,
        take(matches) {
          makeRoom(count + matches);
          for (let entry = list; entry < list + matches * MATCH_BYTES; entry += MATCH_BYTES, count++) {
            totals[count] = arena.f64[(entry + MATCH_TOTAL) >> 3] ?? 0;
            matchRows[count] = arena.u32[(entry + MATCH_ROW) >> 2] ?? 0;
            ties[count] = arena.u32[(entry + MATCH_TIE) >> 2] ?? 0;
            brands[count] = arena.u32[(entry + MATCH_BRAND) >> 2] ?? 0;
          }
        },
        end(cheapestOfBrand) {
          const most = cheapestOfBrand(new Set(brands.subarray(0, count)).size);
          const priced = new Map<number, ReturnType<typeof createBest>>();
          const unpriced = new Map<number, ReturnType<typeof createBest>>();
          for (let match = 0; match < count; match++) {
            const group = totals[match] === UNPRICED ? unpriced : priced;
            const brand = brands[match] ?? 0;
            const best = group.get(brand) ?? createBest(most);
            if (best.kept.length === 0) group.set(brand, best);
            best.offer(match);
          }
          return [...priced.values(), ...unpriced.values()]
            .flatMap(({ kept }) => kept)
            .sort(compare)
            .map(candidateOf);
        },
      };
    },
  };
}
