import {
  CANDIDATE_BRAND_RANK,
  CANDIDATE_BYTES,
  CANDIDATE_ID,
  CANDIDATE_ID_UNITS,
  CANDIDATE_PLACE,
  CANDIDATE_TOTAL,
  FOUND_BRAND_RANKS,
  FOUND_CANDIDATE_COUNT,
  FOUND_CANDIDATES,
  FOUND_ID_BYTES,
  FOUND_LISTED,
  FOUND_ORDER,
  KEY_BYTES,
  MATCH_ROW,
  MATCH_TOTAL,
  MAX_TILE_ROWS,
  TILE_BRANDS,
  TILE_IDS,
  TILE_PLACES,
} from '../layout';
import { tileOf } from './groups';
import { sortKeys } from './order';

/** Adds a match as the candidate with this number, which holds until they are sorted. */
export function listCandidate(found: u32, number: u32, match: u32): void {
  const isLast = load<f64>(match + MATCH_TOTAL) === Infinity;
  const group: u64 = (brandRank(found, match) << 1) | (isLast ? 1 : 0);
  store<u64>(load<u32>(found + FOUND_ORDER) + number * KEY_BYTES, (group << 32) | number);
  store<u32>(load<u32>(found + FOUND_LISTED) + (number << 2), match);
}

/** Sorts brand by brand, those without a total last; ties keep their order. */
export function writeCandidates(found: u32, count: u32): void {
  const order = load<u32>(found + FOUND_ORDER);
  const candidates = load<u32>(found + FOUND_CANDIDATES);
  sortKeys(order, count);
  for (let place: u32 = 0; place < count; place++) {
    const number = load<u32>(order + place * KEY_BYTES);
    const match = load<u32>(load<u32>(found + FOUND_LISTED) + (number << 2));
    writeCandidate(candidates + place * CANDIDATE_BYTES, match, brandRank(found, match));
  }
  store<u32>(found + FOUND_CANDIDATE_COUNT, count);
  store<u32>(found + FOUND_ID_BYTES, bytesOfIds(candidates, count));
}

function brandRank(found: u32, match: u32): u32 {
  const row = load<u32>(match + MATCH_ROW);
  const brand: u32 = load<u16>(load<u32>(tileOf(row) + TILE_BRANDS) + ((row % MAX_TILE_ROWS) << 1));
  return load<u32>(load<u32>(found + FOUND_BRAND_RANKS) + (brand << 2));
}

function writeCandidate(candidate: u32, match: u32, rank: u32): void {
  const tile = tileOf(load<u32>(match + MATCH_ROW));
  const row = load<u32>(match + MATCH_ROW) % MAX_TILE_ROWS;
  store<f64>(candidate + CANDIDATE_TOTAL, load<f64>(match + MATCH_TOTAL));
  store<u32>(candidate + CANDIDATE_BRAND_RANK, rank);
  store<u32>(candidate + CANDIDATE_PLACE, load<u16>(load<u32>(tile + TILE_PLACES) + (row << 1)));
  store<u32>(candidate + CANDIDATE_ID, load<u32>(load<u32>(tile + TILE_IDS) + (row << 2)));
}

/** Ids are scattered over the memory. A short loop over them keeps many reads in flight. */
function bytesOfIds(candidates: u32, count: u32): u32 {
  const end = candidates + count * CANDIDATE_BYTES;
  let bytes: u32 = 0;
  for (let candidate = candidates; candidate < end; candidate += CANDIDATE_BYTES)
    bytes += <u32>load<u16>(load<u32>(candidate + CANDIDATE_ID));
  return bytes;
}

/** Writes all ids as one text, because JavaScript decodes one text much faster than many, with the length of each. */
export function joinIds(candidates: u32, count: u32, text: u32): void {
  const end = candidates + count * CANDIDATE_BYTES;
  for (let candidate = candidates; candidate < end; candidate += CANDIDATE_BYTES) {
    const id = load<u32>(candidate + CANDIDATE_ID);
    const idEnd = id + 2 + <u32>load<u16>(id);
    let units: u32 = 0;
    for (let at = id + 2; at < idEnd; at++, text++) {
      const byte = load<u8>(at);
      store<u8>(text, byte);
      units += unitsBegunBy(byte);
    }
    store<u32>(candidate + CANDIDATE_ID_UNITS, units);
  }
}

/** Length in UTF-16: the first byte of a character counts one unit, or two if it has four bytes; other bytes count none. */
function unitsBegunBy(byte: u32): u32 {
  return (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}
