import {
  AMENITY_BYTES,
  CITY_BYTES,
  CITY_FROM,
  CITY_NUMBER,
  CITY_PLANE,
  CITY_TO,
  FOUND_AMENITIES,
  FOUND_TOTAL,
  FOUND_UNPUBLISHED,
  LIST_COUNT,
  LIST_ENTRIES,
  QUERY_FROM,
  QUERY_HORIZON,
  QUERY_UNTIL,
  SCOPE_BYTES,
  SCOPE_TILE,
  TILE_AMENITIES,
  TILE_ARRIVALS,
  TILE_CITIES,
  TILE_PARTIES,
  TILE_PLACES,
  TILE_PLANE_BYTES,
  TILE_UNPUBLISHED,
} from '../layout';
import { beginChoice, choose } from './cheapest';
import { filterHomes, filterHomesForParty, keepLead, leadEnds, todayOf } from './filter';
import { isSettled, markFirstStays, moveBack } from './horizon';
import { markDeparturesOf, matchFiltered } from './matches';
import { atMost, countCommon, none, planeOf } from './planes';
import { filterPlane, leadPlane, matchPlane, missingList } from './scratch';
import { countAmenities } from './whole-planes';

export { endChoice } from './cheapest';
export { moveTiles } from './horizon';
export { leastFactOf, missesOf } from './obstacles';
export { orderCounts } from './order';
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

/** Counts the matches of each city, by the number of the place. */
export function countByCity(scopes: u32, count: u32, query: u32, counts: u32): void {
  const end = scopes + count * SCOPE_BYTES;
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    if (filterHomesForParty(scope, query) && matchFiltered(scope, query))
      countCities(load<u32>(scope + SCOPE_TILE), counts);
  }
}

function countCities(tile: u32, counts: u32): void {
  const list = tile + TILE_CITIES;
  if (load<u32>(list + LIST_COUNT) > MAX_CITY_PLANES) {
    countCitiesOfRows(tile, counts);
    return;
  }
  const end = load<u32>(list + LIST_ENTRIES) + load<u32>(list + LIST_COUNT) * CITY_BYTES;
  for (let entry = load<u32>(list + LIST_ENTRIES); entry < end; entry += CITY_BYTES) {
    const from = load<u32>(entry + CITY_FROM);
    const plane = load<u32>(entry + CITY_PLANE);
    const having = countCommon(matchPlane() + from, plane + from, load<u32>(entry + CITY_TO) - from);
    addTo(counts, load<u32>(entry + CITY_NUMBER), having);
  }
}

/** For tiles with more cities, counting row by row is quicker. */
const MAX_CITY_PLANES: u32 = 64;

function countCitiesOfRows(tile: u32, counts: u32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const cities = load<u32>(tile + TILE_PLACES);
  for (let at: u32 = 0; at < bytes; at += 8) {
    for (let rows = load<u64>(matchPlane() + at); rows !== 0; rows &= rows - 1) {
      const row = (at << 3) + <u32>ctz(rows);
      addTo(counts, load<u16>(cities + (row << 1)), 1);
    }
  }
}

function addTo(counts: u32, number: u32, more: i32): void {
  const count = counts + (number << 2);
  store<i32>(count, load<i32>(count) + more);
}

/** Marks the days of `[from, until)` on which a stay can begin, a byte each. */
export function markArrivals(scopes: u32, count: u32, query: u32, found: u32): void {
  const end = scopes + count * SCOPE_BYTES;
  listMissing(load<i32>(query + QUERY_UNTIL) - load<i32>(query + QUERY_FROM));
  for (let scope = scopes; scope < end && missing > 0; scope += SCOPE_BYTES) markKnown(scope, query, found);
  // After midnight, arrivals that the tiles do not have yet are computed only for days that no tile has.
  for (let scope = scopes; scope < end && missing > 0; scope += SCOPE_BYTES) markUnknown(scope, query, found);
}

/** The arrivals stored in a tile: those for an earlier horizon are a subset of those for the date's. */
function markKnown(scope: u32, query: u32, found: u32): void {
  if (!filterHomesForParty(scope, query)) return;
  const tile = load<u32>(scope + SCOPE_TILE);
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const today = todayOf(tile, query);
  const horizon = today + load<i32>(query + QUERY_HORIZON);
  const first = load<i32>(query + QUERY_FROM);
  const leads = leadEnds(tile, today);
  moveBack(tile, query, horizon);
  for (let number = 0; number < missing; number++) {
    const day = first + <i32>load<u16>(missingList() + (number << 1));
    if (day < today || day >= horizon) continue;
    let rows = filterPlane();
    if (day < leads) {
      keepLead(tile, day, today);
      rows = leadPlane();
    }
    if (meets(rows, planeOf(load<u32>(tile + TILE_ARRIVALS), day, bytes), bytes))
      store<u8>(found + (day - first), 1);
  }
  dropFound(found);
}

function markUnknown(scope: u32, query: u32, found: u32): void {
  const tile = load<u32>(scope + SCOPE_TILE);
  const horizon = todayOf(tile, query) + load<i32>(query + QUERY_HORIZON);
  const first = load<i32>(query + QUERY_FROM);
  const until = lastMissingBefore(horizon, first) + 1;
  if (until <= first || isSettled(tile, until, horizon) || !filterHomesForParty(scope, query)) return;
  markFirstStays(tile, query, first, until, found);
  dropFound(found);
}

/** Days that no tile has marked yet. */
let missing: i32 = 0;

function listMissing(days: i32): void {
  missing = days;
  for (let day = 0; day < days; day++) store<u16>(missingList() + (day << 1), <u16>day);
}

/** The last of them before the day; if there is none, the day before the first. */
function lastMissingBefore(until: i32, first: i32): i32 {
  let number = missing - 1;
  while (number >= 0 && first + <i32>load<u16>(missingList() + (number << 1)) >= until) number--;
  return number < 0 ? first - 1 : first + <i32>load<u16>(missingList() + (number << 1));
}

function dropFound(found: u32): void {
  let left = 0;
  for (let number = 0; number < missing; number++) {
    const day = load<u16>(missingList() + (number << 1));
    store<u16>(missingList() + (left << 1), day);
    if (load<u8>(found + day) === 0) left++;
  }
  missing = left;
}

function meets(one: u32, other: u32, bytes: u32): bool {
  for (let at: u32 = 0; at < bytes; at += 16) {
    if (v128.any_true(v128.and(v128.load(one + at), v128.load(other + at)))) return true;
  }
  return false;
}

/** Marks the possible numbers of nights of stays that begin on the first day of the query, a byte each. */
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

/** Counts all matches and those with each amenity, and starts choosing the cheapest. */
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
    const amenities = load<u32>(tile + TILE_AMENITIES + LIST_ENTRIES);
    const amenitiesEnd = amenities + load<u32>(tile + TILE_AMENITIES + LIST_COUNT) * AMENITY_BYTES;
    countAmenities(matchPlane(), amenities, amenitiesEnd, load<u32>(found + FOUND_AMENITIES), bytes);
    choose(tile);
  }
  store<i32>(found + FOUND_TOTAL, total);
  store<i32>(found + FOUND_UNPUBLISHED, unpublished);
}

/** Whether a tile has any home that fits the query, ignoring dates and party. */
export function hasHomes(scope: u32, query: u32): bool {
  return filterHomes(scope, query);
}
