import {
  BOUND_SHIFT,
  BOUNDS,
  FOUND_BRAND_NUMBERS,
  FOUND_BRANDS,
  FOUND_BY_BOUND,
  FOUND_MOST,
  FOUND_MOST_OF_BRAND,
  FOUND_OF_ALL,
  FOUND_OF_BRANDS,
  FOUND_PENDING,
  GROUP_COUNT,
  GROUP_LIMIT,
  GROUP_MATCHES,
  MATCH_BRAND,
  MATCH_BYTES,
  MAX_PENDING,
  MAX_TILE_ROWS,
  NO_PRICE,
  PENDING_BOUND,
  PENDING_BRAND,
  PENDING_BYTES,
  PENDING_NEXT,
  PENDING_ROW,
  QUERY_CHECK_OUT,
  QUERY_FROM,
  TILE_BRANDS,
  TILE_INDEX,
  TILE_PLANE_BYTES,
} from '../layout';
import { boundsOf, keepWithin, setStay } from './bounds';
import { listCandidate, writeCandidates } from './candidates';
import { isBefore, matchOf, offer, sortGroup, tileOf } from './groups';
import { codeUpTo } from './pack-prices';
import { totalOf, touchPrices } from './prices';
import { batchList, MAX_BATCH, matchPlane, touchedWord } from './scratch';

/**
 * Chooses the cheapest matches without reading the prices of the others, which are scattered over the memory. The lower bounds of the
 * nights lie together (`bounds.ts`): matches are pending until they are evaluated in the order of these bounds, and a full group
 * needs no match with a bound above its most expensive one.
 */
let found: u32 = 0;
let checkIn: i32 = 0;
let nights: i32 = 0;
let ofAll: u32 = 0;
let most: u32 = 0;
let ofBrands: u32 = 0;
let mostOfBrand: u32 = 0;
let pending: u32 = 0;
let batched: u32 = 0;
let listed: u32 = 0;

export function beginChoice(query: u32, into: u32): void {
  found = into;
  checkIn = load<i32>(query + QUERY_FROM);
  nights = load<i32>(query + QUERY_CHECK_OUT) - checkIn;
  ofAll = load<u32>(found + FOUND_OF_ALL);
  most = load<u32>(found + FOUND_MOST);
  mostOfBrand = 0;
  pending = 0;
  setStay(checkIn, nights);
  // Homes without prices exceed the overall limit from the start.
  emptyGroup(ofAll, NO_PRICE - 1);
}

/** Makes rows of the match plane pending that may be among the cheapest, and removes the others. */
export function choose(tile: u32): void {
  const isByBrand = load<u32>(found + FOUND_BRAND_NUMBERS) !== 0;
  if (!isByBrand && most === 0) return;
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const firstRow = load<u32>(tile + TILE_INDEX) * MAX_TILE_ROWS;
  const byBound = load<u32>(found + FOUND_BY_BOUND);
  const bounds = boundsOf(tile, matchPlane());
  if (!isByBrand) keepWithin(matchPlane(), bounds, limitOf(ofAll), bytes);
  const entries = load<u32>(found + FOUND_PENDING) + pending * PENDING_BYTES;
  let entry = entries;
  for (let at: u32 = 0; at < bytes; at += 8) {
    for (let rows = load<u64>(matchPlane() + at); rows !== 0; rows &= rows - 1, entry += PENDING_BYTES) {
      const row = (at << 3) + <u32>ctz(rows);
      const bound: u32 = load<u16>(bounds + (row << 1));
      const first = byBound + ((bound >> BOUND_SHIFT) << 2);
      store<u32>(entry + PENDING_NEXT, load<u32>(first));
      store<u32>(first, entry);
      store<u32>(entry + PENDING_ROW, firstRow + row);
      store<u16>(entry + PENDING_BOUND, <u16>bound);
    }
  }
  pending += (entry - entries) / PENDING_BYTES;
  // The requested number of each brand is known once all matches are.
  if (isByBrand) numberBrands(tile, entries, entry);
  else if (pending >= <u32>MAX_PENDING) lookAtPending();
}

/** Brands are numbered from 1, in the order in which they are found. */
function numberBrands(tile: u32, entries: u32, end: u32): void {
  const brandNumbers = load<u32>(found + FOUND_BRAND_NUMBERS);
  const brands = load<u32>(tile + TILE_BRANDS);
  for (let entry = entries; entry < end; entry += PENDING_BYTES) {
    const row = load<u32>(entry + PENDING_ROW) % MAX_TILE_ROWS;
    const number = brandNumbers + ((<u32>load<u16>(brands + (row << 1))) << 2);
    if (load<u32>(number) === 0) numberBrand(number);
    store<u16>(entry + PENDING_BRAND, <u16>(load<u32>(number) - 1));
  }
}

function numberBrand(number: u32): void {
  const brands = load<u32>(found + FOUND_BRANDS) + 1;
  store<u32>(found + FOUND_BRANDS, brands);
  store<u32>(number, brands);
}

/** Writes the candidates: the cheapest of each brand, then the remaining cheapest overall. */
export function endChoice(): void {
  mostOfBrand = load<u32>(found + FOUND_MOST_OF_BRAND);
  ofBrands = load<u32>(found + FOUND_OF_BRANDS);
  const brands: u32 = mostOfBrand === 0 ? 0 : load<u32>(found + FOUND_BRANDS);
  const end = groupOfBrand(brands, true);
  for (let group = ofBrands; group < end; group += groupBytes()) emptyGroup(group, NO_PRICE);
  lookAtPending();
  listed = 0;
  for (let group = ofBrands; group < end; group += groupBytes()) {
    sortGroup(group);
    for (let place: u32 = 0; place < load<u32>(group + GROUP_COUNT); place++) list(matchOf(group, place));
  }
  sortGroup(ofAll);
  for (let place: u32 = 0; place < load<u32>(ofAll + GROUP_COUNT); place++) {
    const match = matchOf(ofAll, place);
    if (mostOfBrand === 0 || isBehindItsBrand(match)) list(match);
  }
  writeCandidates(found, listed);
}

function list(match: u32): void {
  listCandidate(found, listed, match);
  listed++;
}

/** Whether a match comes after the cheapest of its brand, the only reason not to be among them. */
function isBehindItsBrand(match: u32): bool {
  const group = groupOfBrand(load<u32>(match + MATCH_BRAND), true);
  const count = load<u32>(group + GROUP_COUNT);
  return count === mostOfBrand && isBefore(matchOf(group, count - 1), match);
}

function lookAtPending(): void {
  const byBound = load<u32>(found + FOUND_BY_BOUND);
  for (let firsts = byBound; firsts < byBound + BOUNDS * 4; firsts += 16) {
    // Four at a time, because most bounds have no match.
    if (!v128.any_true(v128.load(firsts))) continue;
    if (!isWanted((firsts - byBound) >> 2)) break;
    for (let first = firsts; first < firsts + 16; first += 4) {
      for (let entry = load<u32>(first); entry !== 0; entry = load<u32>(entry + PENDING_NEXT)) {
        if (isForAll(entry) || isForBrand(entry)) addToBatch(entry);
      }
    }
  }
  memory.fill(byBound, 0, BOUNDS * 4);
  priceBatch();
  pending = 0;
}

/** Whether matches with this bound or a higher one may still be among the cheapest. Each brand has its own limit. */
function isWanted(place: u32): bool {
  return mostOfBrand !== 0 || place << BOUND_SHIFT <= limitOf(ofAll);
}

function isForAll(entry: u32): bool {
  return most !== 0 && <u32>load<u16>(entry + PENDING_BOUND) <= limitOf(ofAll);
}

function isForBrand(entry: u32): bool {
  const bound: u32 = load<u16>(entry + PENDING_BOUND);
  return (
    mostOfBrand !== 0 && bound <= limitOf(groupOfBrand(load<u16>(entry + PENDING_BRAND), bound !== NO_PRICE))
  );
}

function addToBatch(entry: u32): void {
  store<u32>(batchList() + (batched << 2), entry);
  batched++;
  if (batched === MAX_BATCH) priceBatch();
}

/** Touches the prices of a batch in a short loop first, which keeps many reads in flight. */
function priceBatch(): void {
  const end = batchList() + (batched << 2);
  let touched: u32 = 0;
  for (let at = batchList(); at < end; at += 4) {
    const row = load<u32>(load<u32>(at) + PENDING_ROW);
    touched += touchPrices(tileOf(row), row % MAX_TILE_ROWS, checkIn);
  }
  store<u32>(touchedWord(), touched);
  for (let at = batchList(); at < end; at += 4) price(load<u32>(at));
  batched = 0;
}

function price(entry: u32): void {
  const forAll = isForAll(entry);
  const forBrand = isForBrand(entry);
  if (!forAll && !forBrand) return;
  const row = load<u32>(entry + PENDING_ROW);
  const brand: u32 = load<u16>(entry + PENDING_BRAND);
  const total = totalOf(tileOf(row), row % MAX_TILE_ROWS, checkIn, nights);
  if (forAll && offer(ofAll, most, total, row, brand)) lowerLimit(ofAll);
  if (!forBrand) return;
  const isPriced = load<u16>(entry + PENDING_BOUND) !== NO_PRICE;
  const group = groupOfBrand(brand, isPriced);
  if (offer(group, mostOfBrand, total, row, brand) && isPriced) lowerLimit(group);
}

function groupOfBrand(number: u32, isPriced: bool): u32 {
  return ofBrands + (number * 2 + (isPriced ? 0 : 1)) * groupBytes();
}

function groupBytes(): u32 {
  return GROUP_MATCHES + mostOfBrand * MATCH_BYTES;
}

function emptyGroup(group: u32, limit: u32): void {
  store<u32>(group + GROUP_COUNT, 0);
  store<u32>(group + GROUP_LIMIT, limit);
}

function limitOf(group: u32): u32 {
  return load<u32>(group + GROUP_LIMIT);
}

/** The first match of a full group is the most expensive. One with an equal total may still rank before it. */
function lowerLimit(group: u32): void {
  const dearest = load<f64>(matchOf(group, 0));
  store<u32>(group + GROUP_LIMIT, codeUpTo(<u32>(dearest / <f64>nights)));
}
