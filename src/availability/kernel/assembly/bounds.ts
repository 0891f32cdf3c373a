import { BLOCK_DAYS, TILE_LOWEST, TILE_PLANE_BYTES, TILE_ROWS } from '../layout';
import { ring } from './planes';
import { lowestBounds } from './scratch';
import { copyPlane } from './whole-planes';

/** Bytes of the bounds of 64 rows, 16 bits each. */
const BOUNDS_BYTES: u32 = 128;

/** The blocks of days of a stay: the first, and their number. */
let firstBlock: i32 = 0;
let blocks: i32 = 0;

export function setStay(checkIn: i32, nights: i32): void {
  const day = checkIn % ring();
  firstBlock = day / BLOCK_DAYS;
  blocks = 1;
  let reached = blockEnd(firstBlock) - day;
  for (let block = firstBlock; reached < nights; blocks++) {
    block = blockAfter(block);
    reached += blockEnd(block) - block * BLOCK_DAYS;
  }
}

/**
 * The address of the bounds of a plane's rows, 16 bits for each row of the tile. A bound is the lowest price code of the blocks of the stay: no night
 * is cheaper. For a stay in one block, the bounds are stored in the tile.
 */
export function boundsOf(tile: u32, plane: u32): u32 {
  const column = columnOf(tile, firstBlock);
  if (blocks === 1) return column;
  for (let at: u32 = 0; at < load<u32>(tile + TILE_PLANE_BYTES); at += 8) {
    if (load<u64>(plane + at) !== 0) writeBounds(tile, lowestBounds() + (at << 4), column + (at << 4));
  }
  return lowestBounds();
}

/** Writes the bounds of 64 rows. */
function writeBounds(tile: u32, into: u32, first: u32): void {
  copyPlane(into, first, BOUNDS_BYTES);
  let block = firstBlock;
  for (let number = 1; number < blocks; number++) {
    block = blockAfter(block);
    lowerBounds(into, first + columnOf(tile, block) - columnOf(tile, firstBlock));
  }
}

function columnOf(tile: u32, block: i32): u32 {
  return load<u32>(tile + TILE_LOWEST) + block * (load<u32>(tile + TILE_ROWS) << 1);
}

function lowerBounds(bounds: u32, others: u32): void {
  for (let at: u32 = 0; at < BOUNDS_BYTES; at += 16)
    v128.store(bounds + at, i16x8.min_u(v128.load(bounds + at), v128.load(others + at)));
}

/** Keeps the rows whose bounds are within a limit. Iterations are independent, so that the processor runs several in parallel. */
export function keepWithin(plane: u32, bounds: u32, limit: u32, bytes: u32): void {
  const limits = i16x8.splat(<i16>limit);
  for (let at: u32 = 0; at < bytes; at += 8) {
    const rows = load<u64>(plane + at);
    if (rows !== 0) store<u64>(plane + at, rows & rowsWithin(bounds + (at << 4), limits));
  }
}

/** For 64 rows, without extracting bits from vectors, which is slow. */
function rowsWithin(bounds: u32, limits: v128): u64 {
  let bits = i16x8.neg(i16x8.le_u(v128.load(bounds, 112), limits));
  bits = i16x8.sub(i16x8.shl(bits, 1), i16x8.le_u(v128.load(bounds, 96), limits));
  bits = i16x8.sub(i16x8.shl(bits, 1), i16x8.le_u(v128.load(bounds, 80), limits));
  bits = i16x8.sub(i16x8.shl(bits, 1), i16x8.le_u(v128.load(bounds, 64), limits));
  bits = i16x8.sub(i16x8.shl(bits, 1), i16x8.le_u(v128.load(bounds, 48), limits));
  bits = i16x8.sub(i16x8.shl(bits, 1), i16x8.le_u(v128.load(bounds, 32), limits));
  bits = i16x8.sub(i16x8.shl(bits, 1), i16x8.le_u(v128.load(bounds, 16), limits));
  bits = i16x8.sub(i16x8.shl(bits, 1), i16x8.le_u(v128.load(bounds), limits));
  return transposed(i64x2.extract_lane(i8x16.narrow_i16x8_u(bits, bits), 0));
}

/** Multiplying 32 bits by this copies them to both halves. */
const TWICE: u64 = 0x1_0000_0001;

/** Transposes eight by eight bits: bit r of byte c becomes bit c of byte r. */
function transposed(bits: u64): u64 {
  let swapped = (bits ^ (bits >> 7)) & (TWICE * 0x00aa00aa);
  bits ^= swapped ^ (swapped << 7);
  swapped = (bits ^ (bits >> 14)) & (TWICE * 0x0000cccc);
  bits ^= swapped ^ (swapped << 14);
  swapped = (bits ^ (bits >> 28)) & 0xf0f0f0f0;
  return bits ^ swapped ^ (swapped << 28);
}

/** The ring continues with its first block after the last. */
function blockAfter(block: i32): i32 {
  return blockEnd(block) === ring() ? 0 : block + 1;
}

function blockEnd(block: i32): i32 {
  return min((block + 1) * BLOCK_DAYS, ring());
}
