import { BLOCK_DAYS, TILE_LOWEST, TILE_ROWS } from '../layout';
import { ring } from './planes';

/** The blocks of days of a stay: the first, and how many. */
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

/** The code of a price that no night of the stay is below: the lowest one of its blocks. */
export function boundOf(tile: u32, row: u32): u32 {
  let bound: u32 = load<u16>(columnOf(tile, firstBlock) + (row << 1));
  let block = firstBlock;
  for (let number = 1; number < blocks; number++) {
    block = blockAfter(block);
    bound = min(bound, load<u16>(columnOf(tile, block) + (row << 1)));
  }
  return bound;
}

/** Those of 64 rows whose bounds are within a limit, without a branch for each. */
export function rowsWithin(tile: u32, firstRow: u32, limit: v128): u64 {
  let rows: u64 = 0;
  for (let part: u32 = 0; part < 64; part += 16) {
    const low = i16x8.le_u(boundsFrom(tile, firstRow + part), limit);
    const high = i16x8.le_u(boundsFrom(tile, firstRow + part + 8), limit);
    rows |= (<u64>(<u32>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)))) << part;
  }
  return rows;
}

/** The bounds of eight rows. */
function boundsFrom(tile: u32, row: u32): v128 {
  let bounds = v128.load(columnOf(tile, firstBlock) + (row << 1));
  let block = firstBlock;
  for (let number = 1; number < blocks; number++) {
    block = blockAfter(block);
    bounds = i16x8.min_u(bounds, v128.load(columnOf(tile, block) + (row << 1)));
  }
  return bounds;
}

function columnOf(tile: u32, block: i32): u32 {
  return load<u32>(tile + TILE_LOWEST) + block * (load<u32>(tile + TILE_ROWS) << 1);
}

/** The ring begins anew after its last block. */
function blockAfter(block: i32): i32 {
  return blockEnd(block) === ring() ? 0 : block + 1;
}

function blockEnd(block: i32): i32 {
  return min((block + 1) * BLOCK_DAYS, ring());
}
