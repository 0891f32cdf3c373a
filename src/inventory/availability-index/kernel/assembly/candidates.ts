import {
  CANDIDATE_BRAND,
  CANDIDATE_BYTES,
  CANDIDATE_ID,
  CANDIDATE_ID_BYTES,
  CANDIDATE_PLACE,
  CANDIDATE_TOTAL,
  MATCH_ROW,
  MATCH_TOTAL,
  MAX_TILE_ROWS,
  TILE_BRANDS,
  TILE_IDS,
  TILE_PLACES,
} from '../layout';
import { tileOf } from './groups';

/** Writes what a candidate is known by, but not how long its id is. */
export function writeCandidate(candidate: u32, match: u32): void {
  const tile = tileOf(load<u32>(match + MATCH_ROW));
  const row = load<u32>(match + MATCH_ROW) % MAX_TILE_ROWS;
  store<f64>(candidate + CANDIDATE_TOTAL, load<f64>(match + MATCH_TOTAL));
  store<u32>(candidate + CANDIDATE_BRAND, load<u16>(load<u32>(tile + TILE_BRANDS) + (row << 1)));
  store<u32>(candidate + CANDIDATE_PLACE, load<u16>(load<u32>(tile + TILE_PLACES) + (row << 1)));
  store<u32>(candidate + CANDIDATE_ID, load<u32>(load<u32>(tile + TILE_IDS) + (row << 2)) + 2);
}

/** Ids are all over the memory. Read one after the other in a short loop, many of them are on their way at once. */
export function measureIds(candidates: u32, count: u32): void {
  const end = candidates + count * CANDIDATE_BYTES;
  for (let candidate = candidates; candidate < end; candidate += CANDIDATE_BYTES) {
    store<u32>(candidate + CANDIDATE_ID_BYTES, load<u16>(load<u32>(candidate + CANDIDATE_ID) - 2));
  }
}
