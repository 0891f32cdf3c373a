import type { Arena } from './arena.ts';
import {
  BLOCK_BASE_BYTES,
  BLOCK_DAYS,
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
  LISTED_PRICES,
  MAX_LISTED_PRICES,
  TILE_CHUNKS,
  TILE_PRICE_BASE,
  TILE_PRICE_LANE,
  TILE_PRICE_STEP,
  TILE_UNPRICED,
} from './kernel/layout.ts';
import { laneWidthOf, type PackedPrices } from './packed-prices.ts';
import type { RowPlace, Tiles } from './tiles.ts';

/** The prices of homes, in lanes that are taken from chunks of their tile as they are needed. */
export type PriceChunks = {
  write(place: RowPlace, packed: PackedPrices | null): void;
  /** Gives the lanes of a home back. */
  release(place: RowPlace): void;
};

const LIST_BYTES = MAX_LISTED_PRICES * 4;

export function createPriceChunks(arena: Arena, tiles: Tiles): PriceChunks {
  const word = (address: number) => arena.u32[address >> 2] ?? 0;
  const days = word(HEAD_RING_DAYS);
  const blockBytes = Math.ceil(days / BLOCK_DAYS) * CHUNK_DAY_BYTES * BLOCK_BASE_BYTES;

  function lanesAt({ tile, row }: RowPlace): number {
    return word(word(tile + TILE_PRICE_LANE) + row * 4);
  }

  function chunkAt(tile: number, lanes: number): number {
    const number = Math.floor((lanes & LANE_MASK) / LANES_A_CHUNK);
    return word(tile + TILE_CHUNKS + LIST_ENTRIES) + number * CHUNK_BYTES;
  }

  function mark(tile: number, lanes: number, isTaken: boolean): void {
    const taken = chunkAt(tile, lanes) + CHUNK_TAKEN;
    const first = (lanes & LANE_MASK) % LANES_A_CHUNK;
    for (let lane = first; lane < first + lanesFor(lanes >>> LANE_WIDTH_SHIFT); lane++) {
      tiles.setBit(taken, lane, isTaken);
    }
  }

  /** The first of as many free lanes in a row. */
  function freeLanes(chunk: number, width: number): number | undefined {
    const lanes = width === LISTED_PRICES ? LANES_A_CHUNK : CHUNK_DAY_BYTES;
    let run = 0;
    for (let lane = 0; lane < lanes; lane++) {
      run = tiles.hasBit(chunk + CHUNK_TAKEN, lane) ? 0 : run + 1;
      if (run === lanesFor(width)) return lane - run + 1;
    }
    return undefined;
  }

  function findLanes(tile: number, width: number): number {
    const wantsNibbles = width === LISTED_PRICES ? 1 : 0;
    const count = word(tile + TILE_CHUNKS + LIST_COUNT);
    for (let number = count - 1; number >= 0; number--) {
      const chunk = chunkAt(tile, number * LANES_A_CHUNK);
      if (word(chunk + CHUNK_IS_NIBBLES) !== wantsNibbles) continue;
      const lane = freeLanes(chunk, width);
      if (lane !== undefined) return number * LANES_A_CHUNK + lane;
    }
    const data = arena.allocate(CHUNK_DAY_BYTES * days + (wantsNibbles === 1 ? 0 : blockBytes));
    const chunk = arena.append(tile + TILE_CHUNKS, CHUNK_BYTES);
    arena.u8.fill(0, chunk, chunk + CHUNK_BYTES);
    arena.u32[(chunk + CHUNK_DATA) >> 2] = data;
    arena.u32[(chunk + CHUNK_IS_NIBBLES) >> 2] = wantsNibbles;
    return count * LANES_A_CHUNK;
  }

  /** Gives a home lanes of that width instead of those that it has, or leaves it those that are as wide. */
  function takeLanes(place: RowPlace, width: number): number {
    const before = lanesAt(place);
    if (before >>> LANE_WIDTH_SHIFT === width) return before;
    release(place);
    if (width === 0) return 0;
    const lanes = ((width << LANE_WIDTH_SHIFT) | findLanes(place.tile, width)) >>> 0;
    mark(place.tile, lanes, true);
    arena.u32[(word(place.tile + TILE_PRICE_LANE) >> 2) + place.row] = lanes;
    if (width === LISTED_PRICES) setBase(place, arena.allocate(LIST_BYTES));
    return lanes;
  }

  function release(place: RowPlace): void {
    const lanes = lanesAt(place);
    if (lanes === 0) return;
    mark(place.tile, lanes, false);
    if (lanes >>> LANE_WIDTH_SHIFT === LISTED_PRICES) {
      arena.release(word(word(place.tile + TILE_PRICE_BASE) + place.row * 4), LIST_BYTES);
    }
    arena.u32[(word(place.tile + TILE_PRICE_LANE) >> 2) + place.row] = 0;
  }

  function setBase({ tile, row }: RowPlace, base: number): void {
    arena.u32[(word(tile + TILE_PRICE_BASE) >> 2) + row] = base;
  }

  function writeNumbers(tile: number, lanes: number, numbers: Uint32Array): void {
    const lane = (lanes & LANE_MASK) % LANES_A_CHUNK;
    const isHigh = lane >= CHUNK_DAY_BYTES;
    const { u8 } = arena;
    let at = word(chunkAt(tile, lanes) + CHUNK_DATA) + (lane % CHUNK_DAY_BYTES);
    for (let day = 0; day < days; day++, at += CHUNK_DAY_BYTES) {
      const number = numbers[day] ?? 0;
      const both = u8[at] ?? 0;
      u8[at] = isHigh ? (both & 0x0f) | (number << 4) : (both & 0xf0) | number;
    }
  }

  function writeSteps(tile: number, lanes: number, steps: Uint32Array, blocks: Uint16Array): void {
    const lane = (lanes & LANE_MASK) % LANES_A_CHUNK;
    const data = word(chunkAt(tile, lanes) + CHUNK_DATA);
    const { u8, u16 } = arena;
    for (let byte = 0; byte < lanes >>> LANE_WIDTH_SHIFT; byte++) {
      let at = data + lane + byte;
      for (let day = 0; day < days; day++, at += CHUNK_DAY_BYTES) u8[at] = (steps[day] ?? 0) >>> (byte * 8);
    }
    const bases = (data + CHUNK_DAY_BYTES * days) / BLOCK_BASE_BYTES + lane;
    for (const [block, base] of blocks.entries()) u16[bases + block * CHUNK_DAY_BYTES] = base;
  }

  return {
    write(place, packed) {
      const { tile, row } = place;
      const lanes = takeLanes(place, laneWidthOf(packed));
      tiles.setBit(word(tile + TILE_UNPRICED), row, packed === null);
      if (packed === null) return;
      if (packed.kind === 'same') setBase(place, packed.price);
      else if (packed.kind === 'listed') {
        arena.u32.set(packed.prices, word(word(tile + TILE_PRICE_BASE) + row * 4) >> 2);
        writeNumbers(tile, lanes, packed.numbers);
      } else {
        setBase(place, packed.base);
        arena.u32[(word(tile + TILE_PRICE_STEP) >> 2) + row] = packed.step;
        writeSteps(tile, lanes, packed.steps, packed.blocks);
      }
    },
    release,
  };
}

function lanesFor(width: number): number {
  return width === LISTED_PRICES ? 1 : width;
}
