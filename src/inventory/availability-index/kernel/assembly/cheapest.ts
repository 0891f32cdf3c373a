import {
  BLOCK_DAYS,
  BOUND_SHIFT,
  BOUNDS,
  CANDIDATE_BYTES,
  FOUND_BRAND_NUMBERS,
  FOUND_BRANDS,
  FOUND_BY_BOUND,
  FOUND_CANDIDATE_COUNT,
  FOUND_CANDIDATES,
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
  TILE_LOWEST,
  TILE_PLANE_BYTES,
  TILE_ROWS,
} from '../layout';
import { measureIds, writeCandidate } from './candidates';
import { isBefore, matchOf, offer, sortGroup, tileOf } from './groups';
import { none, ring } from './planes';
import { priceCode, totalOf, touchPrices } from './prices';
import { batchList, codeList, MAX_BATCH, matchPlane } from './scratch';

/**
 * Chooses the cheapest matches without reading the prices of the others, which are all over the memory. The codes of the lowest
 * prices lie together; the lowest one of a stay's blocks of days is a lower bound of its nights. Matches are pending until they
 * are looked at in the order of these bounds, and a group that is full needs no match with a bound above its dearest.
 */
let found: u32 = 0;
let checkIn: i32 = 0;
let nights: i32 = 0;
/** The blocks of days of the first and of the last night. */
let firstBlock: i32 = 0;
let lastBlock: i32 = 0;
let pending: u32 = 0;
let batched: u32 = 0;
let listed: u32 = 0;

export function beginChoice(query: u32, into: u32): void {
  found = into;
  checkIn = load<i32>(query + QUERY_FROM);
  nights = load<i32>(query + QUERY_CHECK_OUT) - checkIn;
  pending = 0;
  firstBlock = (checkIn % ring()) / BLOCK_DAYS;
  lastBlock = ((checkIn + nights - 1) % ring()) / BLOCK_DAYS;
  emptyGroup(load<u32>(found + FOUND_OF_ALL), NO_PRICE - 1);
}

/** Makes the rows of the match plane pending that may be among the cheapest. */
export function choose(tile: u32): void {
  const isByBrand = load<u32>(found + FOUND_BRAND_NUMBERS) !== 0;
  if (!isByBrand && load<u32>(found + FOUND_MOST) === 0) return;
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const firstRow = load<u32>(tile + TILE_INDEX) * MAX_TILE_ROWS;
  const brands = load<u32>(tile + TILE_BRANDS);
  const list = load<u32>(found + FOUND_PENDING);
  const byBound = load<u32>(found + FOUND_BY_BOUND);
  const limit = i16x8.splat(<i16>(isByBrand ? NO_PRICE : limitOf(load<u32>(found + FOUND_OF_ALL))));
  const codes = codeList();
  const first = columnOf(tile, firstBlock);
  for (let at: u32 = 0; at < bytes; at++) {
    let rows: u32 = load<u8>(matchPlane() + at);
    if (rows === 0) continue;
    let bounds = v128.load(first + (at << 4));
    for (let block = firstBlock; block !== lastBlock; ) {
      block = blockAfter(block);
      bounds = i16x8.min_u(bounds, v128.load(columnOf(tile, block) + (at << 4)));
    }
    rows &= i16x8.bitmask(i16x8.le_u(bounds, limit));
    v128.store(codes, bounds);
    for (; rows !== 0; rows &= rows - 1) {
      const number = ctz(rows);
      const row = (at << 3) + number;
      const code: u32 = load<u16>(codes + (number << 1));
      const entry = list + pending * PENDING_BYTES;
      const head = byBound + ((code >> BOUND_SHIFT) << 2);
      pending++;
      store<u32>(entry + PENDING_NEXT, load<u32>(head));
      store<u32>(head, pending);
      store<u32>(entry + PENDING_ROW, firstRow + row);
      store<u16>(entry + PENDING_BOUND, <u16>code);
      if (isByBrand) store<u16>(entry + PENDING_BRAND, <u16>brandNumber(load<u16>(brands + (row << 1))));
    }
  }
  if (!isByBrand && pending >= <u32>MAX_PENDING) lookAtPending();
}

/** Where the codes of a block of days are. */
function columnOf(tile: u32, block: i32): u32 {
  return load<u32>(tile + TILE_LOWEST) + block * (load<u32>(tile + TILE_ROWS) << 1);
}

function blockAfter(block: i32): i32 {
  return (block + 1) * BLOCK_DAYS >= ring() ? 0 : block + 1;
}

/** Brands are numbered as they are found. */
function brandNumber(brand: u32): u32 {
  const at = load<u32>(found + FOUND_BRAND_NUMBERS) + (brand << 2);
  if (load<u32>(at) === 0) {
    const brands = load<u32>(found + FOUND_BRANDS) + 1;
    store<u32>(found + FOUND_BRANDS, brands);
    store<u32>(at, brands);
  }
  return load<u32>(at) - 1;
}

/** Writes the candidates: the cheapest of each brand, and those of all that are not among them, each in their order. */
export function endChoice(): void {
  const brands: u32 = load<u32>(found + FOUND_MOST_OF_BRAND) === 0 ? 0 : load<u32>(found + FOUND_BRANDS);
  const groups = load<u32>(found + FOUND_OF_BRANDS);
  const end = groups + brands * 2 * groupBytes();
  for (let group = groups; group < end; group += groupBytes()) emptyGroup(group, NO_PRICE);
  lookAtPending();
  listed = 0;
  for (let group = groups; group < end; group += groupBytes()) {
    sortGroup(group);
    for (let place: u32 = 0; place < load<u32>(group + GROUP_COUNT); place++) list(matchOf(group, place));
  }
  const ofAll = load<u32>(found + FOUND_OF_ALL);
  sortGroup(ofAll);
  for (let place: u32 = 0; place < load<u32>(ofAll + GROUP_COUNT); place++) {
    const match = matchOf(ofAll, place);
    if (brands === 0 || !isOfBrand(match)) list(match);
  }
  measureIds(load<u32>(found + FOUND_CANDIDATES), listed);
  store<u32>(found + FOUND_CANDIDATE_COUNT, listed);
}

function list(match: u32): void {
  writeCandidate(load<u32>(found + FOUND_CANDIDATES) + listed * CANDIDATE_BYTES, match);
  listed++;
}

/** Whether a match is among the cheapest of its brand: unless it is behind them. */
function isOfBrand(match: u32): bool {
  const group = groupOfBrand(load<u32>(match + MATCH_BRAND), true);
  const count = load<u32>(group + GROUP_COUNT);
  return count < load<u32>(found + FOUND_MOST_OF_BRAND) || !isBefore(matchOf(group, count - 1), match);
}

function lookAtPending(): void {
  const byBound = load<u32>(found + FOUND_BY_BOUND);
  const end = byBound + (BOUNDS << 2);
  const list = load<u32>(found + FOUND_PENDING);
  for (let heads = byBound; heads < end; heads += 16) {
    // Four at once, because most are of no match.
    if (!v128.any_true(v128.load(heads))) continue;
    for (let head = heads; head < heads + 16; head += 4) {
      for (let number = load<u32>(head); number !== 0; ) {
        const entry = list + (number - 1) * PENDING_BYTES;
        if (isForAll(entry) || isForBrand(entry)) addToBatch(entry);
        number = load<u32>(entry + PENDING_NEXT);
      }
    }
    v128.store(heads, none());
  }
  priceBatch();
  pending = 0;
}

function isForAll(entry: u32): bool {
  const code: u32 = load<u16>(entry + PENDING_BOUND);
  return load<u32>(found + FOUND_MOST) !== 0 && code <= limitOf(load<u32>(found + FOUND_OF_ALL));
}

function isForBrand(entry: u32): bool {
  if (load<u32>(found + FOUND_MOST_OF_BRAND) === 0) return false;
  const code: u32 = load<u16>(entry + PENDING_BOUND);
  return code <= limitOf(groupOfBrand(load<u16>(entry + PENDING_BRAND), code !== NO_PRICE));
}

function addToBatch(entry: u32): void {
  store<u32>(batchList() + (batched << 2), entry);
  batched++;
  if (batched === MAX_BATCH) priceBatch();
}

/** Prices are all over the memory. Those of a batch are touched in a short loop first, so that many are on their way at once. */
function priceBatch(): void {
  const end = batchList() + (batched << 2);
  let touched: u32 = 0;
  for (let at = batchList(); at < end; at += 4) {
    const row = load<u32>(load<u32>(at) + PENDING_ROW);
    touched += touchPrices(tileOf(row), row % MAX_TILE_ROWS, checkIn);
  }
  store<u32>(found + FOUND_CANDIDATE_COUNT, touched);
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
  const ofAll = load<u32>(found + FOUND_OF_ALL);
  if (forAll && offer(ofAll, load<u32>(found + FOUND_MOST), total, row, brand)) lowerLimit(ofAll);
  if (!forBrand) return;
  const isPriced = load<u16>(entry + PENDING_BOUND) !== NO_PRICE;
  const ofBrand = groupOfBrand(brand, isPriced);
  const isFull = offer(ofBrand, load<u32>(found + FOUND_MOST_OF_BRAND), total, row, brand);
  if (isFull && isPriced) lowerLimit(ofBrand);
}

function groupOfBrand(number: u32, isPriced: bool): u32 {
  return load<u32>(found + FOUND_OF_BRANDS) + (number * 2 + (isPriced ? 0 : 1)) * groupBytes();
}

function groupBytes(): u32 {
  return GROUP_MATCHES + load<u32>(found + FOUND_MOST_OF_BRAND) * MATCH_BYTES;
}

function emptyGroup(group: u32, limit: u32): void {
  store<u32>(group + GROUP_COUNT, 0);
  store<u32>(group + GROUP_LIMIT, limit);
}

function limitOf(group: u32): u32 {
  return load<u32>(group + GROUP_LIMIT);
}

/** The dearest match of a full group is the first one: nobody whose nights cost more on average at least can replace it. */
function lowerLimit(group: u32): void {
  const dearest = load<f64>(group + GROUP_MATCHES);
  store<u32>(group + GROUP_LIMIT, priceCode(<u32>(dearest / <f64>nights)));
}
