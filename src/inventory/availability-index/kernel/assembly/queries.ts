import {
  AMENITY_BYTES,
  AMENITY_NUMBER,
  AMENITY_PLANE,
  FOUND_AMENITIES,
  FOUND_TOTAL,
  FOUND_UNPUBLISHED,
  LIST_COUNT,
  LIST_ENTRIES,
  MAX_TILE_ROWS,
  QUERY_FROM,
  QUERY_HORIZON,
  QUERY_UNTIL,
  SCOPE_BYTES,
  SCOPE_PLACE,
  SCOPE_TILE,
  SCOPES_BYTES,
  TILE_AMENITIES,
  TILE_ARRIVALS,
  TILE_INDEX,
  TILE_PARTIES,
  TILE_PLANE_BYTES,
  TILE_UNPUBLISHED,
} from '../layout';
import { beginChoice, choose } from './cheapest';
import { filterHomes, filterHomesForParty, keepLead, leadEnds, todayOf } from './filter';
import { followDate } from './horizon';
import { markDeparturesOf, matchFiltered } from './matches';
import { atMost, copyPlane, countCommon, none, planeOf } from './planes';
import { filterPlane, leadPlane, matchPlane, missingList } from './scratch';

export { endChoice } from './cheapest';
export { moveTiles } from './horizon';
export { leastFactOf, missesOf } from './obstacles';
export { codePrices, listPrices, stepPrices } from './pack-prices';
export { setRing } from './planes';
export { forgetDay, insertRung, refreshArrivals, writeAmenities, writeRow } from './rows';
export { setScratch } from './scratch';
export { findRules } from './stay-rules';

export function hasMatch(scopes: u32, count: u32, query: u32): bool {
  const end = scopes + count * SCOPE_BYTES;
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    if (filterHomesForParty(scope, query) && matchFiltered(scope, query)) return true;
  }
  return false;
}

/** Writes the matches of every tile, as a plane for each by its index. */
export function matchTiles(scopes: u32, count: u32, query: u32, planes: u32): void {
  const end = scopes + count * SCOPE_BYTES;
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    if (!filterHomesForParty(scope, query) || !matchFiltered(scope, query)) continue;
    const tile = load<u32>(scope + SCOPE_TILE);
    copyPlane(
      planes + load<u32>(tile + TILE_INDEX) * (MAX_TILE_ROWS / 8),
      matchPlane(),
      load<u32>(tile + TILE_PLANE_BYTES),
    );
  }
}

/** Counts the rows of such planes in places of a table of scopes, which are listed by number. */
export function countByPlace(table: u32, places: u32, placeCount: u32, planes: u32, counts: u32): void {
  for (let number: u32 = 0; number < placeCount; number++) {
    const place = load<u32>(places + (number << 2));
    if (place >= load<u32>(table + LIST_COUNT)) continue;
    const list = load<u32>(table + LIST_ENTRIES) + place * SCOPES_BYTES;
    const end = load<u32>(list + LIST_ENTRIES) + load<u32>(list + LIST_COUNT) * SCOPE_BYTES;
    let count = 0;
    for (let scope = load<u32>(list + LIST_ENTRIES); scope < end; scope += SCOPE_BYTES) {
      const tile = load<u32>(scope + SCOPE_TILE);
      const plane = planes + load<u32>(tile + TILE_INDEX) * (MAX_TILE_ROWS / 8);
      count += countCommon(plane, load<u32>(scope + SCOPE_PLACE), load<u32>(tile + TILE_PLANE_BYTES));
    }
    store<i32>(counts + (place << 2), count);
  }
}

/** Marks the days of `[from, until)` on which a stay can begin, a byte each. */
export function markArrivals(scopes: u32, count: u32, query: u32, found: u32): void {
  const end = scopes + count * SCOPE_BYTES;
  const first = load<i32>(query + QUERY_FROM);
  listMissing(load<i32>(query + QUERY_UNTIL) - first);
  for (let scope = scopes; scope < end && missing > 0; scope += SCOPE_BYTES) {
    if (!filterHomesForParty(scope, query)) continue;
    const tile = load<u32>(scope + SCOPE_TILE);
    const bytes = load<u32>(tile + TILE_PLANE_BYTES);
    const arrivals = load<u32>(tile + TILE_ARRIVALS);
    const today = todayOf(tile, query);
    const until = min(load<i32>(query + QUERY_UNTIL), today + load<i32>(query + QUERY_HORIZON));
    const leads = leadEnds(tile, today);
    followDate(tile, query, lastMissingBefore(until, first) + 1, today + load<i32>(query + QUERY_HORIZON));
    let left = 0;
    for (let number = 0; number < missing; number++) {
      const day = first + <i32>load<u16>(missingList() + (number << 1));
      store<u16>(missingList() + (left << 1), <u16>(day - first));
      left++;
      if (day < today || day >= until) continue;
      let rows = filterPlane();
      if (day < leads) {
        keepLead(tile, day, today);
        rows = leadPlane();
      }
      if (!meets(rows, planeOf(arrivals, day, bytes), bytes)) continue;
      store<u8>(found + (day - first), 1);
      left--;
    }
    missing = left;
  }
}

/** Days that no tile has marked yet. */
let missing: i32 = 0;

function listMissing(days: i32): void {
  missing = days;
  for (let day = 0; day < days; day++) store<u16>(missingList() + (day << 1), <u16>day);
}

/** The last of them that is before that day. */
function lastMissingBefore(until: i32, first: i32): i32 {
  let day = until;
  for (let number = missing - 1; number >= 0 && day >= until; number--)
    day = first + <i32>load<u16>(missingList() + (number << 1));
  return day;
}

function meets(one: u32, other: u32, bytes: u32): bool {
  for (let at: u32 = 0; at < bytes; at += 16) {
    if (v128.any_true(v128.and(v128.load(one + at), v128.load(other + at)))) return true;
  }
  return false;
}

/** Marks the numbers of nights after which a stay that begins on the first day of the query can end, a byte each. */
export function markDepartures(scopes: u32, count: u32, query: u32, found: u32): void {
  const end = scopes + count * SCOPE_BYTES;
  const checkIn = load<i32>(query + QUERY_FROM);
  let firstMissing = 1;
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    const tile = load<u32>(scope + SCOPE_TILE);
    const today = todayOf(tile, query);
    const maxNights = today + load<i32>(query + QUERY_HORIZON) - checkIn;
    if (checkIn < today || firstMissing > maxNights || !filterHomesForParty(scope, query)) continue;
    keepLead(tile, checkIn, today);
    markDeparturesOf(tile, query, checkIn, firstMissing, maxNights, found);
    while (load<u8>(found + firstMissing) !== 0) firstMissing++;
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

/** Counts all matches and those with each amenity, and begins to choose the cheapest of them. */
export function findMatches(scopes: u32, count: u32, query: u32, found: u32): void {
  const end = scopes + count * SCOPE_BYTES;
  let total = 0;
  let unpublished = 0;
  beginChoice(query, found);
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    if (!filterHomesForParty(scope, query) || !matchFiltered(scope, query)) continue;
    const tile = load<u32>(scope + SCOPE_TILE);
    const bytes = load<u32>(tile + TILE_PLANE_BYTES);
    total += countCommon(matchPlane(), matchPlane(), bytes);
    unpublished += countCommon(matchPlane(), load<u32>(tile + TILE_UNPUBLISHED), bytes);
    countAmenities(tile, load<u32>(found + FOUND_AMENITIES));
    choose(tile);
  }
  store<i32>(found + FOUND_TOTAL, total);
  store<i32>(found + FOUND_UNPUBLISHED, unpublished);
}

/** Adds the matches of a tile that have each amenity to its count. */
function countAmenities(tile: u32, counts: u32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const list = tile + TILE_AMENITIES;
  const end = load<u32>(list + LIST_ENTRIES) + load<u32>(list + LIST_COUNT) * AMENITY_BYTES;
  for (let entry = load<u32>(list + LIST_ENTRIES); entry < end; entry += AMENITY_BYTES) {
    const having = countCommon(matchPlane(), load<u32>(entry + AMENITY_PLANE), bytes);
    const amenity = counts + (load<u32>(entry + AMENITY_NUMBER) << 2);
    store<i32>(amenity, load<i32>(amenity) + having);
  }
}

/** Whether a tile has any home that the query is about, whatever the dates and the party. */
export function hasHomes(scope: u32, query: u32): bool {
  return filterHomes(scope, query);
}
