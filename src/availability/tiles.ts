import type { Day } from '../stay/day.ts';
import type { Arena } from './arena.ts';
import {
  AMENITY_BYTES,
  BLOCK_DAYS,
  CITY_BYTES,
  HEAD_RING_DAYS,
  HEAD_TILES,
  LIST_COUNT,
  LIST_ENTRIES,
  MAX_TILE_ROWS,
  ROWS_A_VECTOR,
  RULE_BYTES,
  TILE_AMENITIES,
  TILE_ARRIVALS,
  TILE_BRANDS,
  TILE_BYTES,
  TILE_CITIES,
  TILE_FREE,
  TILE_GROUP,
  TILE_HOMES,
  TILE_HORIZON,
  TILE_IDS,
  TILE_INDEX,
  TILE_LATEST,
  TILE_LEADS,
  TILE_LOWEST,
  TILE_MAXES,
  TILE_MINS,
  TILE_OCCUPIED,
  TILE_PARTIES,
  TILE_PLACES,
  TILE_PLANE_BYTES,
  TILE_PRICES,
  TILE_ROWS,
  TILE_RULES,
  TILE_SPARE,
  TILE_SPARE_PLANES,
  TILE_TIES,
  TILE_TIME_ZONE,
  TILE_UNPUBLISHED,
  TILE_VERSIONS,
} from './kernel/layout.ts';

/** A row, with the address of its tile. */
export type RowPlace = { readonly tile: number; readonly row: number };

export type WantedRow = {
  readonly group: number;
  readonly timeZone: number;
  /** The initial horizon of a new tile. */
  readonly horizon: Day;
  /** Whether a tile can hold the rules of the home. */
  readonly hasCapacity: (tile: number) => boolean;
};

export type Tiles = {
  /** A free row for a home of the group. */
  takeRow(wanted: WantedRow): RowPlace;
  freeRow(place: RowPlace): void;
  /** From its number in the whole index: tile index × `MAX_TILE_ROWS` + row. */
  placeOf(globalRow: number): RowPlace;
  globalRowOf(place: RowPlace): number;
  /** An empty plane of the tile. */
  takePlane(tile: number): number;
  setBit(plane: number, row: number, isSet: boolean): void;
  hasBit(plane: number, row: number): boolean;
};

/** The planes of a tile are allocated in groups of this size, because a query about many tiles mostly waits for memory. */
export const PLANES_AT_ONCE = 32;
/** The lists allocated next to the planes: each with the initial capacity that most tiles need, and the bytes of an entry. */
const LISTS = [
  [TILE_PARTIES, 16, 4],
  [TILE_LEADS, 8, 4],
  [TILE_MINS, 16, 4],
  [TILE_MAXES, 16, 4],
  [TILE_AMENITIES, 64, AMENITY_BYTES],
  [TILE_CITIES, 16, CITY_BYTES],
] as const;

/** Capacity of the kernels for ranges of codes: more than a calendar has nights, so that any home fits into an empty tile. */
export const MAX_RULES_OF_TILE = 1000;
/** Limits the slow search in tiles that are nearly full of rules, of which there may be a thousand. */
const MAX_TILES_TRIED = 4;

export function createTiles(arena: Arena): Tiles {
  /** Tiles of a group that may have a free row. */
  const openTiles = new Map<number, number[]>();
  const rowsOfGroup = new Map<number, number>();
  for (const tile of tilesIn(arena)) enlist(tile);

  function enlist(tile: number): void {
    const group = word(tile, TILE_GROUP);
    rowsOfGroup.set(group, (rowsOfGroup.get(group) ?? 0) + word(tile, TILE_ROWS));
    const open = openTiles.get(group);
    if (open) open.push(tile);
    else openTiles.set(group, [tile]);
  }

  function word(tile: number, offset: number): number {
    return arena.u32[(tile + offset) >>> 2] ?? 0;
  }

  function createTile(group: number, timeZone: number, horizon: Day, rows: number): number {
    const tile = arena.allocate(TILE_BYTES);
    for (const [list, entries, bytes] of LISTS) arena.reserve(tile + list, entries, bytes);
    const planeBytes = rows / 8;
    arena.u32[(tile + TILE_PLANE_BYTES) >>> 2] = planeBytes;
    for (const plane of [TILE_OCCUPIED, TILE_UNPUBLISHED]) {
      const address = takePlane(tile);
      arena.u32[(tile + plane) >>> 2] = address;
    }
    const days = arena.u32[HEAD_RING_DAYS >>> 2] ?? 0;
    const calendarBytes = planeBytes * days;
    const parts: readonly (readonly [offset: number, bytes: number])[] = [
      [TILE_FREE, calendarBytes],
      [TILE_ARRIVALS, calendarBytes],
      [TILE_LATEST, rows * 2],
      [TILE_BRANDS, rows * 2],
      [TILE_PLACES, rows * 2],
      [TILE_IDS, rows * 4],
      [TILE_TIES, rows * 4],
      [TILE_PRICES, rows * 4],
      [TILE_LOWEST, rows * 2 * Math.ceil(days / BLOCK_DAYS)],
      [TILE_VERSIONS, rows * 8],
    ];
    for (const [offset, bytes] of parts) {
      const address = arena.allocate(bytes);
      arena.u32[(tile + offset) >>> 2] = address;
    }
    const entry = arena.append(HEAD_TILES, 4);
    const index = (arena.u32[(HEAD_TILES + LIST_COUNT) >>> 2] ?? 1) - 1;
    arena.u32[entry >>> 2] = tile;
    arena.u32[(tile + TILE_INDEX) >>> 2] = index;
    arena.u32[(tile + TILE_ROWS) >>> 2] = rows;
    arena.u32[(tile + TILE_GROUP) >>> 2] = group;
    arena.u32[(tile + TILE_TIME_ZONE) >>> 2] = timeZone;
    // Code 0 means the usual rules of the home.
    arena.append(tile + TILE_RULES, RULE_BYTES);
    arena.i32[(tile + TILE_HORIZON) >>> 2] = horizon;
    return tile;
  }

  function takePlane(tile: number): number {
    const bytes = word(tile, TILE_PLANE_BYTES);
    const isEmpty = word(tile, TILE_SPARE_PLANES) === 0;
    const plane = isEmpty ? arena.allocate(bytes * PLANES_AT_ONCE) : word(tile, TILE_SPARE);
    const spare = isEmpty ? PLANES_AT_ONCE : word(tile, TILE_SPARE_PLANES);
    arena.u32[(tile + TILE_SPARE) >>> 2] = plane + bytes;
    arena.u32[(tile + TILE_SPARE_PLANES) >>> 2] = spare - 1;
    return plane;
  }

  function firstFreeRow(tile: number): number | undefined {
    const occupied = word(tile, TILE_OCCUPIED) >>> 2;
    const words = word(tile, TILE_ROWS) >> 5;
    for (let number = 0; number < words; number++) {
      const free = ~(arena.i32[occupied + number] ?? -1);
      if (free !== 0) return number * 32 + 31 - Math.clz32(free & -free);
    }
    return undefined;
  }

  return {
    takeRow({ group, timeZone, horizon, hasCapacity }) {
      const open = openTiles.get(group) ?? [];
      let tried = 0;
      for (let position = open.length - 1; position >= 0 && tried < MAX_TILES_TRIED; position--) {
        const tile = open[position] ?? 0;
        const row = firstFreeRow(tile);
        if (row === undefined) open.splice(position, 1);
        else if (hasCapacity(tile)) return occupy(tile, row);
        else tried += 1;
      }
      // Doubles the rows of the group: few tiles for large groups, little memory for small ones.
      const rows = tried > 0 ? 0 : (rowsOfGroup.get(group) ?? 0);
      // Rotate, so that the next home tries other tiles.
      if (tried > 0) open.unshift(...open.splice(-tried));
      const tile = createTile(
        group,
        timeZone,
        horizon,
        Math.min(MAX_TILE_ROWS, Math.max(ROWS_A_VECTOR, rows)),
      );
      enlist(tile);
      return occupy(tile, 0);
    },
    freeRow({ tile, row }) {
      setBit(word(tile, TILE_OCCUPIED), row, false);
      arena.u32[(tile + TILE_HOMES) >>> 2] = word(tile, TILE_HOMES) - 1;
      // Drop the empty tile's rules: unused ones would fill it up.
      if (word(tile, TILE_HOMES) === 0) arena.u32[(tile + TILE_RULES + LIST_COUNT) >>> 2] = 1;
      const open = openTiles.get(word(tile, TILE_GROUP)) ?? [];
      const position = open.indexOf(tile);
      if (position >= 0) open.splice(position, 1);
      open.push(tile);
    },
    placeOf: (globalRow) => {
      const tiles = arena.u32[(HEAD_TILES + LIST_ENTRIES) >>> 2] ?? 0;
      const row = globalRow % MAX_TILE_ROWS;
      return { tile: arena.u32[(tiles >>> 2) + (globalRow - row) / MAX_TILE_ROWS] ?? 0, row };
    },
    globalRowOf: ({ tile, row }) => word(tile, TILE_INDEX) * MAX_TILE_ROWS + row,
    takePlane,
    setBit,
    hasBit: (plane, row) => (((arena.u8[plane + (row >>> 3)] ?? 0) >> (row & 7)) & 1) === 1,
  };

  function occupy(tile: number, row: number): RowPlace {
    setBit(word(tile, TILE_OCCUPIED), row, true);
    arena.u32[(tile + TILE_HOMES) >>> 2] = word(tile, TILE_HOMES) + 1;
    return { tile, row };
  }

  function setBit(plane: number, row: number, isSet: boolean): void {
    const at = plane + (row >>> 3);
    const others = (arena.u8[at] ?? 0) & ~(1 << (row & 7));
    arena.u8[at] = isSet ? others | (1 << (row & 7)) : others;
  }
}

export function tilesIn(arena: Arena): readonly number[] {
  const count = arena.u32[(HEAD_TILES + LIST_COUNT) >>> 2] ?? 0;
  const entries = (arena.u32[(HEAD_TILES + LIST_ENTRIES) >>> 2] ?? 0) >>> 2;
  return [...arena.u32.subarray(entries, entries + count)];
}
