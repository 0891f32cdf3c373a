import type { Arena } from './arena.ts';
import {
  HEAD_CHANGES,
  LIST_COUNT,
  LIST_ENTRIES,
  SCOPE_BRAND,
  SCOPE_BYTES,
  SCOPE_PLACE,
  SCOPE_TILE,
  SCOPES_BYTES,
  SCOPES_CHANGE,
  TILE_INDEX,
  TILE_PLANE_BYTES,
} from './kernel/layout.ts';
import type { RowPlace, Tiles } from './tiles.ts';

/** The rows of each place, or of each brand: a plane for each of its tiles, in the order of the tiles. */
export type Scopes = {
  /** Its tiles; none when it never had a home. */
  listOf(number: number): ScopeList;
  /** A number that changes with every change of one of its homes; 0 when it never had one. */
  changeOf(number: number): number;
  /** Returns the address of the plane of the tile. */
  include(number: number, place: RowPlace): number;
  exclude(number: number, place: RowPlace): void;
  includes(number: number, place: RowPlace): boolean;
  /** The planes of its tiles. */
  planesOf(number: number): RowsOfTiles;
  /** Excludes these rows from all scopes, and marks scopes that had any of them as changed. */
  excludeRows(rows: RowsOfTiles): void;
  markChanged(number: number): void;
};

/** Addresses of scopes in the order of their tiles. */
export type ScopeList = { readonly scopes: number; readonly count: number };

const NO_SCOPES: ScopeList = { scopes: 0, count: 0 };

/** Address of a tile → address of a plane of its rows. */
export type RowsOfTiles = ReadonlyMap<number, number>;

export function createScopes(
  arena: Arena,
  tiles: Pick<Tiles, 'takePlane' | 'setBit' | 'hasBit'>,
  table: number,
): Scopes {
  function recordOf(number: number): number {
    return (arena.u32[(table + LIST_ENTRIES) >>> 2] ?? 0) + number * SCOPES_BYTES;
  }

  function isKnown(number: number): boolean {
    return number < (arena.u32[(table + LIST_COUNT) >>> 2] ?? 0);
  }

  /** The entry of the tile in the list, or the position to insert it. */
  function search(list: number, tile: number): { readonly entry: number; readonly isFound: boolean } {
    const entries = arena.u32[(list + LIST_ENTRIES) >>> 2] ?? 0;
    const wanted = arena.u32[(tile + TILE_INDEX) >>> 2] ?? 0;
    let [low, high] = [0, arena.u32[(list + LIST_COUNT) >>> 2] ?? 0];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = arena.u32[(entries + middle * SCOPE_BYTES + SCOPE_TILE) >>> 2] ?? 0;
      const index = arena.u32[(other + TILE_INDEX) >>> 2] ?? 0;
      if (index === wanted) return { entry: entries + middle * SCOPE_BYTES, isFound: true };
      if (index < wanted) low = middle + 1;
      else high = middle;
    }
    return { entry: entries + low * SCOPE_BYTES, isFound: false };
  }

  function planeIn(list: number, tile: number): number {
    const { entry, isFound } = search(list, tile);
    if (isFound) return arena.u32[(entry + SCOPE_PLACE) >>> 2] ?? 0;
    const position = (entry - (arena.u32[(list + LIST_ENTRIES) >>> 2] ?? 0)) / SCOPE_BYTES;
    const plane = tiles.takePlane(tile);
    const last = arena.append(list, SCOPE_BYTES);
    const at = (arena.u32[(list + LIST_ENTRIES) >>> 2] ?? 0) + position * SCOPE_BYTES;
    arena.u8.copyWithin(at + SCOPE_BYTES, at, last);
    arena.u32[(at + SCOPE_TILE) >>> 2] = tile;
    arena.u32[(at + SCOPE_PLACE) >>> 2] = plane;
    arena.u32[(at + SCOPE_BRAND) >>> 2] = 0;
    return plane;
  }

  function planesOf(number: number): RowsOfTiles {
    const planes = new Map<number, number>();
    if (!isKnown(number)) return planes;
    const list = recordOf(number);
    const entries = arena.u32[(list + LIST_ENTRIES) >>> 2] ?? 0;
    const end = entries + (arena.u32[(list + LIST_COUNT) >>> 2] ?? 0) * SCOPE_BYTES;
    for (let entry = entries; entry < end; entry += SCOPE_BYTES) {
      planes.set(arena.u32[(entry + SCOPE_TILE) >>> 2] ?? 0, arena.u32[(entry + SCOPE_PLACE) >>> 2] ?? 0);
    }
    return planes;
  }

  /** Clears the rows in all planes, word by word. Returns whether any was set. */
  function clearRows(list: number, rows: RowsOfTiles): boolean {
    // Read the view once: the planes of a million homes have some millions of words.
    const { u32 } = arena;
    const entries = u32[(list + LIST_ENTRIES) >>> 2] ?? 0;
    const end = entries + (u32[(list + LIST_COUNT) >>> 2] ?? 0) * SCOPE_BYTES;
    let cleared = 0;
    for (let entry = entries; entry < end; entry += SCOPE_BYTES) {
      const tile = u32[(entry + SCOPE_TILE) >>> 2] ?? 0;
      const ofTile = rows.get(tile);
      if (ofTile === undefined) continue;
      let row = ofTile >>> 2;
      const plane = (u32[(entry + SCOPE_PLACE) >>> 2] ?? 0) >>> 2;
      const planeEnd = plane + ((u32[(tile + TILE_PLANE_BYTES) >>> 2] ?? 0) >>> 2);
      for (let at = plane; at < planeEnd; at++, row++) {
        const before = u32[at] ?? 0;
        const common = before === 0 ? 0 : before & (u32[row] ?? 0);
        if (common === 0) continue;
        cleared |= common;
        u32[at] = before & ~common;
      }
    }
    return cleared !== 0;
  }

  function markChanged(number: number): void {
    arena.u32[(recordOf(number) + SCOPES_CHANGE) >>> 2] = arena.u32[HEAD_CHANGES >>> 2] ?? 0;
  }

  return {
    listOf(number) {
      const { u32 } = arena;
      if (number >= (u32[(table + LIST_COUNT) >>> 2] ?? 0)) return NO_SCOPES;
      const list = (u32[(table + LIST_ENTRIES) >>> 2] ?? 0) + number * SCOPES_BYTES;
      return { scopes: u32[(list + LIST_ENTRIES) >>> 2] ?? 0, count: u32[(list + LIST_COUNT) >>> 2] ?? 0 };
    },
    changeOf(number) {
      const { u32 } = arena;
      if (number >= (u32[(table + LIST_COUNT) >>> 2] ?? 0)) return 0;
      const list = (u32[(table + LIST_ENTRIES) >>> 2] ?? 0) + number * SCOPES_BYTES;
      return u32[(list + SCOPES_CHANGE) >>> 2] ?? 0;
    },
    include(number, { tile, row }) {
      while (!isKnown(number)) arena.append(table, SCOPES_BYTES);
      const plane = planeIn(recordOf(number), tile);
      tiles.setBit(plane, row, true);
      return plane;
    },
    exclude(number, { tile, row }) {
      tiles.setBit(planeIn(recordOf(number), tile), row, false);
    },
    includes(number, { tile, row }) {
      if (!isKnown(number)) return false;
      const { entry, isFound } = search(recordOf(number), tile);
      return isFound && tiles.hasBit(arena.u32[(entry + SCOPE_PLACE) >>> 2] ?? 0, row);
    },
    planesOf,
    excludeRows(rows) {
      const count = arena.u32[(table + LIST_COUNT) >>> 2] ?? 0;
      for (let number = 0; number < count; number++) {
        if (clearRows(recordOf(number), rows)) markChanged(number);
      }
    },
    markChanged,
  };
}
