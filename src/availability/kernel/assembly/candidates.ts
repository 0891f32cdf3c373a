import {
  CANDIDATE_BRAND_RANK,
  CANDIDATE_BYTES,
  CANDIDATE_ID,
  CANDIDATE_PLACE,
  CANDIDATE_TOTAL,
  FOUND_BRAND_RANKS,
  FOUND_CANDIDATE_COUNT,
  FOUND_CANDIDATES,
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
