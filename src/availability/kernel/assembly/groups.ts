import {
  GROUP_COUNT,
  GROUP_MATCHES,
  HEAD_TILES,
  LIST_ENTRIES,
  MATCH_BRAND,
  MATCH_BYTES,
  MATCH_ROW,
  MATCH_TOTAL,
  MAX_TILE_ROWS,
  TILE_IDS,
  TILE_TIES,
} from '../layout';
import { offeredMatch } from './scratch';

/**
 * Adds a match to a group of limited size, if it ranks before the last of them, which is dropped. Until it is sorted, a group is a
 * heap with its last match on top. Returns whether the group is full.
 */
export function offer(group: u32, most: u32, total: f64, row: u32, brand: u32): bool {
  const match = offeredMatch();
  store<f64>(match + MATCH_TOTAL, total);
  store<u32>(match + MATCH_ROW, row);
  store<u32>(match + MATCH_BRAND, brand);
  const count = load<u32>(group + GROUP_COUNT);
  if (count < most) {
    store<u32>(group + GROUP_COUNT, count + 1);
    rise(group, match, count);
    return count + 1 === most;
  }
  if (isBefore(match, matchOf(group, 0))) sink(group, match, most);
  return true;
}

/** Adds a match at the end of the heap and sifts it up. */
function rise(group: u32, match: u32, end: u32): void {
  let place = end;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(matchOf(group, parent), match)) break;
    copyMatch(matchOf(group, place), matchOf(group, parent));
    place = parent;
  }
  copyMatch(matchOf(group, place), match);
}

/** Replaces the top of the heap by a match and sifts it down. */
function sink(group: u32, match: u32, count: u32): void {
  let place: u32 = 0;
  for (let child: u32 = 1; child < count; child = place * 2 + 1) {
    if (child + 1 < count && isBefore(matchOf(group, child), matchOf(group, child + 1))) child++;
    if (!isBefore(match, matchOf(group, child))) break;
    copyMatch(matchOf(group, place), matchOf(group, child));
    place = child;
  }
  copyMatch(matchOf(group, place), match);
}

export function sortGroup(group: u32): void {
  const match = offeredMatch();
  for (let count = load<u32>(group + GROUP_COUNT); count > 1; count--) {
    copyMatch(match, matchOf(group, count - 1));
    copyMatch(matchOf(group, count - 1), matchOf(group, 0));
    sink(group, match, count - 1);
  }
}

export function matchOf(group: u32, place: u32): u32 {
  return group + GROUP_MATCHES + place * MATCH_BYTES;
}

function copyMatch(to: u32, from: u32): void {
  v128.store(to, v128.load(from));
}

/** Lowest total first, then by tie order, then by id. */
export function isBefore(one: u32, other: u32): bool {
  const total = load<f64>(one + MATCH_TOTAL);
  const otherTotal = load<f64>(other + MATCH_TOTAL);
  if (total !== otherTotal) return total < otherTotal;
  const row = load<u32>(one + MATCH_ROW);
  const otherRow = load<u32>(other + MATCH_ROW);
  const tie = load<u32>(columnAt(row, TILE_TIES));
  const otherTie = load<u32>(columnAt(otherRow, TILE_TIES));
  if (tie !== otherTie) return tie < otherTie;
  return isIdBefore(load<u32>(columnAt(row, TILE_IDS)), load<u32>(columnAt(otherRow, TILE_IDS)));
}

/** The address of a row in a column of words. */
function columnAt(row: u32, column: u32): u32 {
  return load<u32>(tileOf(row) + column) + ((row % MAX_TILE_ROWS) << 2);
}

export function tileOf(row: u32): u32 {
  return load<u32>(load<u32>(HEAD_TILES + LIST_ENTRIES) + ((row / MAX_TILE_ROWS) << 2));
}

/** In JavaScript's order of UTF-16, though ids are UTF-8: characters of two units come before the last ones of one unit. */
function isIdBefore(one: u32, other: u32): bool {
  const bytes: u32 = load<u16>(one);
  const otherBytes: u32 = load<u16>(other);
  for (let at: u32 = 2; at < 2 + min(bytes, otherBytes); at++) {
    const weight = weightOf(load<u8>(one + at));
    const otherWeight = weightOf(load<u8>(other + at));
    if (weight !== otherWeight) return weight < otherWeight;
  }
  return bytes < otherBytes;
}

function weightOf(byte: u32): u32 {
  return byte === 0xee || byte === 0xef ? byte + 0x10 : byte;
}
