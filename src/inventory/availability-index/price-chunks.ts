import type { Arena } from './arena.ts';
import {
  CHUNK_BYTES,
  CHUNK_DATA,
  CHUNK_DAY_BYTES,
  CHUNK_IS_NIBBLES,
  CHUNK_TAKEN,
  HEAD_RING_DAYS,
  LANE_MASK,
  LANE_WIDTH_SHIFT,
  LANES_A_CHUNK,
  LIST_COUNT,
  LIST_ENTRIES,
  NIBBLE_LANE,
  TILE_CHUNKS,
  TILE_PRICE_LANE,
} from './kernel/layout.ts';
import type { RowPlace } from './tiles.ts';

/** Lanes for the prices of homes, taken from chunks of their tile as they are needed. */
export type PriceChunks = {
  /** Gives a home lanes for steps of that width, instead of those that it has. Keeps them when they are as wide. */
  takeLanes(place: RowPlace, width: number): void;
  /** Writes how many steps the home's price is above the lowest one on a day of the ring. */
  writeSteps(place: RowPlace, slot: number, steps: number): void;
};

export function createPriceChunks(arena: Arena): PriceChunks {
  const word = (address: number) => arena.u32[address >> 2] ?? 0;

  function lanesAt({ tile, row }: RowPlace): number {
    return word(word(tile + TILE_PRICE_LANE) + row * 4);
  }

  function chunkAt(tile: number, number: number): number {
    return word(tile + TILE_CHUNKS + LIST_ENTRIES) + number * CHUNK_BYTES;
  }

  function mark(tile: number, lanes: number, isTaken: boolean): void {
    const width = lanes >>> LANE_WIDTH_SHIFT;
    const first = lanes & LANE_MASK;
    const taken = chunkAt(tile, Math.floor(first / LANES_A_CHUNK)) + CHUNK_TAKEN;
    for (let lane = first % LANES_A_CHUNK, left = bytesOf(width); left > 0; left--, lane++) {
      const bit = 1 << (lane & 7);
      const others = (arena.u8[taken + (lane >> 3)] ?? 0) & ~bit;
      arena.u8[taken + (lane >> 3)] = isTaken ? others | bit : others;
    }
  }

  /** The first of as many free lanes in a row. */
  function freeLanes(chunk: number, width: number): number | undefined {
    const lanes = width === NIBBLE_LANE ? LANES_A_CHUNK : CHUNK_DAY_BYTES;
    let run = 0;
    for (let lane = 0; lane < lanes; lane++) {
      const isTaken = (((arena.u8[chunk + CHUNK_TAKEN + (lane >> 3)] ?? 0) >> (lane & 7)) & 1) === 1;
      run = isTaken ? 0 : run + 1;
      if (run === bytesOf(width)) return lane - run + 1;
    }
    return undefined;
  }

  function findLanes(tile: number, width: number): number {
    const wantsNibbles = width === NIBBLE_LANE ? 1 : 0;
    const count = word(tile + TILE_CHUNKS + LIST_COUNT);
    for (let number = count - 1; number >= 0; number--) {
      const chunk = chunkAt(tile, number);
      if (word(chunk + CHUNK_IS_NIBBLES) !== wantsNibbles) continue;
      const lane = freeLanes(chunk, width);
      if (lane !== undefined) return number * LANES_A_CHUNK + lane;
    }
    const data = arena.allocate(CHUNK_DAY_BYTES * word(HEAD_RING_DAYS));
    const chunk = arena.append(tile + TILE_CHUNKS, CHUNK_BYTES);
    arena.u8.fill(0, chunk, chunk + CHUNK_BYTES);
    arena.u32[(chunk + CHUNK_DATA) >> 2] = data;
    arena.u32[(chunk + CHUNK_IS_NIBBLES) >> 2] = wantsNibbles;
    return count * LANES_A_CHUNK;
  }

  return {
    takeLanes(place, width) {
      const before = lanesAt(place);
      if (before >>> LANE_WIDTH_SHIFT === width) return;
      if (before !== 0) mark(place.tile, before, false);
      const lanes = width === 0 ? 0 : ((width << LANE_WIDTH_SHIFT) | findLanes(place.tile, width)) >>> 0;
      if (lanes !== 0) mark(place.tile, lanes, true);
      arena.u32[(word(place.tile + TILE_PRICE_LANE) >> 2) + place.row] = lanes;
    },
    writeSteps(place, slot, steps) {
      const lanes = lanesAt(place);
      const width = lanes >>> LANE_WIDTH_SHIFT;
      const lane = (lanes & LANE_MASK) % LANES_A_CHUNK;
      const chunk = chunkAt(place.tile, Math.floor((lanes & LANE_MASK) / LANES_A_CHUNK));
      const at = word(chunk + CHUNK_DATA) + slot * CHUNK_DAY_BYTES + (lane % CHUNK_DAY_BYTES);
      if (width === NIBBLE_LANE) {
        const both = arena.u8[at] ?? 0;
        arena.u8[at] = lane < CHUNK_DAY_BYTES ? (both & 0xf0) | steps : (both & 0x0f) | (steps << 4);
        return;
      }
      for (let byte = 0, left = steps; byte < width; byte++, left >>>= 8) arena.u8[at + byte] = left & 0xff;
    },
  };
}

function bytesOf(width: number): number {
  return width === NIBBLE_LANE ? 1 : width;
}
