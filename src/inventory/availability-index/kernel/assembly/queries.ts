import {
  AMENITY_BYTES,
  AMENITY_NUMBER,
  AMENITY_PLANE,
  LANE_MASK,
  LANE_WIDTH_SHIFT,
  LANES_A_CHUNK,
  LIST_COUNT,
  LIST_ENTRIES,
  MATCH_BRAND,
  MATCH_BYTES,
  MATCH_ROW,
  MATCH_TOTAL,
  MAX_TILE_ROWS,
  NIBBLE_LANE,
  QUERY_CHECK_OUT,
  QUERY_FROM,
  QUERY_HORIZON,
  QUERY_UNTIL,
  SCOPE_BYTES,
  SCOPE_TILE,
  TILE_AMENITIES,
  TILE_ARRIVALS,
  TILE_BRANDS,
  TILE_CHUNKS,
  TILE_INDEX,
  TILE_LAST_END,
  TILE_MAX_SHORTEST,
  TILE_PARTIES,
  TILE_PLACES,
  TILE_PLANE_BYTES,
  TILE_PRICE_BASE,
  TILE_PRICE_LANE,
  TILE_PRICE_STEP,
  TILE_UNPRICED,
  TILE_UNPUBLISHED,
  CHUNK_BYTES,
  CHUNK_DATA,
  CHUNK_DAY_BYTES,
} from '../layout';
import { filterHomes, filterHomesForParty, keepLead, leadEnds, todayOf } from './filter';
import { addStaysFrom, matchFiltered } from './matches';
import { atMost, clearPlane, copyPlane, countCommon, hasRow, isEmpty, none, planeOf, ring } from './planes';
import { filterPlane, leadPlane, matchPlane, openPlane } from './scratch';

export { setRing } from './planes';
export { setScratch } from './scratch';
export { leastFactOf, missesOf } from './obstacles';
export { insertRung, writePlane } from './rows';

export function hasMatch(scopes: u32, count: u32, query: u32): bool {
  const end = scopes + count * SCOPE_BYTES;
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    if (filterHomesForParty(scope, query) && matchFiltered(scope, query)) return true;
  }
  return false;
}

/** Adds the matches of each place to its count. */
export function countByPlace(scopes: u32, count: u32, query: u32, counts: u32): void {
  const end = scopes + count * SCOPE_BYTES;
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    if (!filterHomesForParty(scope, query) || !matchFiltered(scope, query)) continue;
    const tile = load<u32>(scope + SCOPE_TILE);
    const bytes = load<u32>(tile + TILE_PLANE_BYTES);
    const places = load<u32>(tile + TILE_PLACES);
    for (let at: u32 = 0; at < bytes; at += 8) {
      for (let rows = load<u64>(matchPlane() + at); rows !== 0; rows &= rows - 1) {
        const row = (at << 3) + <u32>ctz(rows);
        const place = counts + (<u32>load<u16>(places + (row << 1)) << 2);
        store<i32>(place, load<i32>(place) + 1);
      }
    }
  }
}

/** Marks the days of `[from, until)` on which a stay can begin, a byte each, and says how many were new. */
export function markArrivals(scopes: u32, count: u32, query: u32, found: u32): i32 {
  const end = scopes + count * SCOPE_BYTES;
  const first = load<i32>(query + QUERY_FROM);
  let missing = load<i32>(query + QUERY_UNTIL) - first;
  let marked = 0;
  for (let scope = scopes; scope < end && missing > 0; scope += SCOPE_BYTES) {
    if (!filterHomesForParty(scope, query)) continue;
    const tile = load<u32>(scope + SCOPE_TILE);
    const bytes = load<u32>(tile + TILE_PLANE_BYTES);
    const arrivals = load<u32>(tile + TILE_ARRIVALS);
    const today = todayOf(tile, query);
    const horizon = today + load<i32>(query + QUERY_HORIZON);
    const until = min(load<i32>(query + QUERY_UNTIL), horizon);
    const isSure = load<i32>(tile + TILE_LAST_END) <= horizon;
    const sureUntil = isSure ? until : horizon - load<i32>(tile + TILE_MAX_SHORTEST) + 1;
    const leads = leadEnds(tile, today);
    for (let day = max(first, today); day < until; day++) {
      if (load<u8>(found + (day - first)) !== 0) continue;
      let rows = filterPlane();
      if (day < leads) {
        keepLead(tile, day, today);
        rows = leadPlane();
      }
      if (day < sureUntil) {
        if (!meets(rows, planeOf(arrivals, day, bytes), bytes)) continue;
      } else {
        copyPlane(openPlane(), rows, bytes);
        clearPlane(matchPlane(), bytes);
        addStaysFrom(tile, query, day, horizon, 0);
        if (isEmpty(matchPlane(), bytes)) continue;
      }
      store<u8>(found + (day - first), 1);
      marked++;
      missing--;
    }
  }
  return marked;
}

function meets(one: u32, other: u32, bytes: u32): bool {
  for (let at: u32 = 0; at < bytes; at += 16) {
    if (v128.any_true(v128.and(v128.load(one + at), v128.load(other + at)))) return true;
  }
  return false;
}

/** Marks the numbers of nights after which a stay that begins on the first day of the query can end. */
export function markDepartures(scopes: u32, count: u32, query: u32, found: u32): void {
  const end = scopes + count * SCOPE_BYTES;
  const checkIn = load<i32>(query + QUERY_FROM);
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    if (!filterHomesForParty(scope, query)) continue;
    const tile = load<u32>(scope + SCOPE_TILE);
    const bytes = load<u32>(tile + TILE_PLANE_BYTES);
    const today = todayOf(tile, query);
    const horizon = today + load<i32>(query + QUERY_HORIZON);
    if (checkIn < today || checkIn >= horizon) continue;
    keepLead(tile, checkIn, today);
    copyPlane(openPlane(), leadPlane(), bytes);
    addStaysFrom(tile, query, checkIn, horizon, found);
  }
}

/** The most lenient rung of the party ladder among the matches: the negative of the largest party; 0 when nothing matches. */
export function largestParty(scopes: u32, count: u32, query: u32): i32 {
  const end = scopes + count * SCOPE_BYTES;
  let best = 0;
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    const tile = load<u32>(scope + SCOPE_TILE);
    const ladder = tile + TILE_PARTIES;
    const values = load<u32>(ladder + LIST_ENTRIES);
    if (load<i32>(ladder + LIST_COUNT) === 0 || load<i32>(values) >= best) continue;
    if (!filterHomes(scope, query) || !matchFiltered(scope, query)) continue;
    const bytes = load<u32>(tile + TILE_PLANE_BYTES);
    for (let rung = 0; rung < load<i32>(ladder + LIST_COUNT); rung++) {
      if (load<i32>(values + (rung << 2)) >= best) break;
      if (!hasRung(ladder, rung, bytes)) continue;
      best = load<i32>(values + (rung << 2));
      break;
    }
  }
  return best;
}

function hasRung(ladder: u32, rung: i32, bytes: u32): bool {
  let isSome = none();
  for (let at: u32 = 0; at < bytes; at += 16) {
    isSome = v128.or(isSome, v128.and(v128.load(matchPlane() + at), atMost(ladder, rung, at)));
  }
  return v128.any_true(isSome);
}

/** Matches of one tile into the match plane; says how many there are. */
export function matchTile(scope: u32, query: u32): i32 {
  if (!filterHomesForParty(scope, query) || !matchFiltered(scope, query)) return 0;
  return countCommon(matchPlane(), matchPlane(), load<u32>(load<u32>(scope + SCOPE_TILE) + TILE_PLANE_BYTES));
}

export function countUnpublished(tile: u32): i32 {
  return countCommon(matchPlane(), load<u32>(tile + TILE_UNPUBLISHED), load<u32>(tile + TILE_PLANE_BYTES));
}

/** Adds the matches of a tile that have each amenity to its count. */
export function countAmenities(tile: u32, counts: u32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const list = tile + TILE_AMENITIES;
  const end = load<u32>(list + LIST_ENTRIES) + load<u32>(list + LIST_COUNT) * AMENITY_BYTES;
  for (let entry = load<u32>(list + LIST_ENTRIES); entry < end; entry += AMENITY_BYTES) {
    const having = countCommon(matchPlane(), load<u32>(entry + AMENITY_PLANE), bytes);
    const amenity = counts + (load<u32>(entry + AMENITY_NUMBER) << 2);
    store<i32>(amenity, load<i32>(amenity) + having);
  }
}

/** Lists the matches of a tile with their totals for the nights of the stay. */
export function listMatches(tile: u32, query: u32, list: u32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const firstRow = load<u32>(tile + TILE_INDEX) * MAX_TILE_ROWS;
  const brands = load<u32>(tile + TILE_BRANDS);
  const unpriced = load<u32>(tile + TILE_UNPRICED);
  const checkIn = load<i32>(query + QUERY_FROM);
  const nights = load<i32>(query + QUERY_CHECK_OUT) - checkIn;
  let entry = list;
  for (let at: u32 = 0; at < bytes; at += 8) {
    for (let rows = load<u64>(matchPlane() + at); rows !== 0; rows &= rows - 1) {
      const row = (at << 3) + <u32>ctz(rows);
      const total = hasRow(unpriced, row) ? -1 : totalOf(tile, row, checkIn, nights);
      store<f64>(entry + MATCH_TOTAL, total);
      store<u32>(entry + MATCH_ROW, firstRow + row);
      store<u32>(entry + MATCH_BRAND, load<u16>(brands + (row << 1)));
      entry += MATCH_BYTES;
    }
  }
}

/** Every night costs the home's lowest price and as many steps as its lanes say. */
function totalOf(tile: u32, row: u32, checkIn: i32, nights: i32): f64 {
  const base = <f64>load<u32>(load<u32>(tile + TILE_PRICE_BASE) + (row << 2));
  const step = <f64>load<u32>(load<u32>(tile + TILE_PRICE_STEP) + (row << 2));
  const lanes = load<u32>(load<u32>(tile + TILE_PRICE_LANE) + (row << 2));
  const width = lanes >> LANE_WIDTH_SHIFT;
  if (width === 0) return base * <f64>nights;
  const lane = lanes & LANE_MASK;
  const chunk = load<u32>(tile + TILE_CHUNKS + LIST_ENTRIES) + (lane / LANES_A_CHUNK) * CHUNK_BYTES;
  const column = load<u32>(chunk + CHUNK_DATA) + (lane & (CHUNK_DAY_BYTES - 1));
  const slot = checkIn % ring();
  if (width === NIBBLE_LANE) {
    const shift = (lane & CHUNK_DAY_BYTES) >> 4;
    return base * <f64>nights + step * sumOf(column, slot, nights, shift, 15);
  }
  let steps: f64 = 0;
  let weight: f64 = 1;
  for (let byte: u32 = 0; byte < width; byte++) {
    steps += weight * sumOf(column + byte, slot, nights, 0, 255);
    weight *= 256;
  }
  return base * <f64>nights + step * steps;
}

function sumOf(column: u32, slot: i32, nights: i32, shift: u32, mask: u32): f64 {
  let sum: u32 = 0;
  let left = nights;
  let at = column + slot * CHUNK_DAY_BYTES;
  for (let run = min(left, ring() - slot); run > 0; run--, left--, at += CHUNK_DAY_BYTES) {
    sum += (<u32>load<u8>(at) >> shift) & mask;
  }
  at = column;
  for (; left > 0; left--, at += CHUNK_DAY_BYTES) sum += (<u32>load<u8>(at) >> shift) & mask;
  return <f64>sum;
}

/** Whether a tile has any home that the query is about, whatever the dates and the party. */
export function hasHomes(scope: u32, query: u32): bool {
  return filterHomes(scope, query);
}
