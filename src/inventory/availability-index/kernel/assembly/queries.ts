import {
  AMENITY_BYTES,
  AMENITY_NUMBER,
  AMENITY_PLANE,
  BLOCK_DAYS,
  LIST_COUNT,
  LIST_ENTRIES,
  MATCH_BRAND,
  MATCH_BYTES,
  MATCH_ROW,
  MATCH_TIE,
  MATCH_TOTAL,
  MAX_TILE_ROWS,
  PRICE_BASE,
  PRICE_BLOCK_BASES,
  PRICE_FORM_MASK,
  PRICE_LISTED,
  PRICE_NUMBERS,
  PRICE_SAME,
  PRICE_STEP,
  PRICE_STEPS,
  QUERY_CHECK_OUT,
  QUERY_FROM,
  QUERY_HORIZON,
  QUERY_UNTIL,
  SCOPE_BYTES,
  SCOPE_PLACE,
  SCOPE_TILE,
  SCOPES_BYTES,
  TILE_AMENITIES,
  TILE_ARRIVALS,
  TILE_BRANDS,
  TILE_INDEX,
  TILE_PARTIES,
  TILE_PLANE_BYTES,
  TILE_PRICES,
  TILE_TIES,
  TILE_UNPUBLISHED,
} from '../layout';
import { filterHomes, filterHomesForParty, keepLead, leadEnds, todayOf } from './filter';
import { followDate } from './horizon';
import { markDeparturesOf, matchFiltered } from './matches';
import { atMost, copyPlane, countCommon, none, planeOf, ring } from './planes';
import { filterPlane, leadPlane, matchPlane, missingList } from './scratch';

export { moveTiles } from './horizon';
export { leastFactOf, missesOf } from './obstacles';
export { setRing } from './planes';
export { listPrices, stepPrices } from './prices';
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
  let marked = 0;
  let firstMissing = 1;
  for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
    const tile = load<u32>(scope + SCOPE_TILE);
    const today = todayOf(tile, query);
    const maxNights = today + load<i32>(query + QUERY_HORIZON) - checkIn;
    if (checkIn < today || marked >= maxNights || !filterHomesForParty(scope, query)) continue;
    keepLead(tile, checkIn, today);
    marked += markDeparturesOf(tile, query, checkIn, firstMissing, maxNights, found);
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
  const prices = load<u32>(tile + TILE_PRICES);
  const ties = load<u32>(tile + TILE_TIES);
  const checkIn = load<i32>(query + QUERY_FROM);
  const nights = load<i32>(query + QUERY_CHECK_OUT) - checkIn;
  let entry = list;
  for (let at: u32 = 0; at < bytes; at += 8) {
    for (let rows = load<u64>(matchPlane() + at); rows !== 0; rows &= rows - 1) {
      const row = (at << 3) + <u32>ctz(rows);
      const total = totalOf(load<u32>(prices + (row << 2)), checkIn, nights);
      store<f64>(entry + MATCH_TOTAL, total);
      store<u32>(entry + MATCH_ROW, firstRow + row);
      store<u32>(entry + MATCH_TIE, load<u32>(ties + (row << 2)));
      store<u32>(entry + MATCH_BRAND, load<u16>(brands + (row << 1)));
      entry += MATCH_BYTES;
    }
  }
}

/** What the nights cost by the calendar; negative when it has no prices. */
function totalOf(prices: u32, checkIn: i32, nights: i32): f64 {
  const form = prices & PRICE_FORM_MASK;
  const block = prices - form;
  if (block === 0) return -1;
  const base = <f64>load<u32>(block + PRICE_BASE);
  if (form === PRICE_SAME) return base * <f64>nights;
  if (form === PRICE_LISTED) return sumOfListed(block, checkIn % ring(), nights);
  const step = <f64>load<u32>(block + PRICE_STEP);
  return base * <f64>nights + step * sumOfSteps(block, form - PRICE_STEPS, checkIn % ring(), nights);
}

function sumOfListed(block: u32, firstDay: i32, nights: i32): f64 {
  let sum: u64 = 0;
  let day = firstDay;
  for (let night = 0; night < nights; night++, day++) {
    if (day === ring()) day = 0;
    const number = (<u32>load<u8>(block + PRICE_NUMBERS + (day >> 1)) >> ((day & 1) << 2)) & 15;
    sum += <u64>load<u32>(block + (number << 2));
  }
  return <f64>sum;
}

function sumOfSteps(block: u32, width: u32, firstDay: i32, nights: i32): f64 {
  const bases = block + PRICE_BLOCK_BASES;
  const data = bases + stepsOffset();
  let steps: f64 = 0;
  let day = firstDay;
  for (let left = nights; left > 0; ) {
    const number = day / BLOCK_DAYS;
    const run = min(left, (number + 1) * BLOCK_DAYS - day);
    steps += <f64>(<u32>load<u16>(bases + (number << 1))) * <f64>run;
    let weight: f64 = 1;
    for (let byte: u32 = 0; byte < width; byte++, weight *= 256) {
      let sum: u32 = 0;
      const nightly = data + byte * ring() + day;
      for (let night = 0; night < run; night++) sum += <u32>load<u8>(nightly + night);
      steps += weight * <f64>sum;
    }
    left -= run;
    day += run;
    if (day === ring()) day = 0;
  }
  return steps;
}

/** The bases of all blocks of days, before the nights. */
function stepsOffset(): u32 {
  return (ring() / BLOCK_DAYS) << 1;
}

/** Whether a tile has any home that the query is about, whatever the dates and the party. */
export function hasHomes(scope: u32, query: u32): bool {
  return filterHomes(scope, query);
}
