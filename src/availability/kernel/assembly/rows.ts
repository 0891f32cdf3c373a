import {
  AMENITY_BYTES,
  AMENITY_NUMBER,
  AMENITY_PLANE,
  HEAD_RING_START,
  HEAD_TILES,
  HEAD_WITHDRAWN,
  LADDER_PLANE_COUNT,
  LADDER_PLANES,
  LATEST_EPOCH,
  LIST_COUNT,
  LIST_ENTRIES,
  MAX_TILE_ROWS,
  RULE_BYTES,
  RULE_CLOSED,
  RULE_MAX,
  RULE_MIN,
  TILE_AMENITIES,
  TILE_ARRIVALS,
  TILE_CLOSED_DEPARTURES,
  TILE_FREE,
  TILE_HORIZON,
  TILE_INDEX,
  TILE_LATEST,
  TILE_LEADS,
  TILE_MAXES,
  TILE_MINS,
  TILE_PLANE_BYTES,
  TILE_RULES,
  TILE_WITHDRAWN,
  WITHDRAWN_BYTES,
  WITHDRAWN_FROM,
  WITHDRAWN_ROW,
  WITHDRAWN_TO,
  WORD_ARRIVAL,
  WORD_CLOSED_DEPARTURE,
  WORD_CODE,
  WORD_FREE,
} from '../layout';
import { all, atMost, clearPlane, ring, rowValue } from './planes';
import { departureList, refusalList } from './scratch';

const MIN_LATEST: i32 = -32768;
const MAX_LATEST: i32 = 32767;

/** Writes all days of a row, from a word for each day of the ring, and computes its days of arrival. */
export function writeRow(tile: u32, row: u32, words: u32): void {
  findArrivals(tile, row, words);
  writeBits(tile, load<u32>(tile + TILE_FREE), row, words, WORD_FREE);
  writeBits(tile, load<u32>(tile + TILE_ARRIVALS), row, words, WORD_ARRIVAL);
  const closed = load<u32>(tile + TILE_CLOSED_DEPARTURES);
  if (closed !== 0) writeBits(tile, closed, row, words, WORD_CLOSED_DEPARTURE);
  const ladder = tile + TILE_RULES;
  for (let bit = 0; bit < load<i32>(ladder + LADDER_PLANE_COUNT); bit++)
    writeBits(tile, load<u32>(ladder + LADDER_PLANES + (bit << 2)), row, words, WORD_CODE + bit);
}

/** Recomputes the days of arrival of a row, for the horizon of its tile and without the withdrawn stays. */
export function refreshArrivals(tile: u32, row: u32, words: u32): void {
  memory.fill(words, 0, ring() << 1);
  readBits(tile, load<u32>(tile + TILE_FREE), row, words, WORD_FREE);
  const closed = load<u32>(tile + TILE_CLOSED_DEPARTURES);
  if (closed !== 0) readBits(tile, closed, row, words, WORD_CLOSED_DEPARTURE);
  const ladder = tile + TILE_RULES;
  for (let bit = 0; bit < load<i32>(ladder + LADDER_PLANE_COUNT); bit++)
    readBits(tile, load<u32>(ladder + LADDER_PLANES + (bit << 2)), row, words, WORD_CODE + bit);
  findArrivals(tile, row, words);
  writeBits(tile, load<u32>(tile + TILE_ARRIVALS), row, words, WORD_ARRIVAL);
}

function writeBits(tile: u32, plane: u32, row: u32, words: u32, bit: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  for (let day = 0; day < ring(); day++, plane += bytes)
    writeBit(plane, row, (<u32>load<u16>(words + (day << 1)) >> bit) & 1);
}

/** Writes only changed bits: most stay the same, and an unwritten cache line need not be written back. */
function writeBit(plane: u32, row: u32, wanted: u32): void {
  const at = plane + (row >> 3);
  const before = <u32>load<u8>(at);
  if (((before >> (row & 7)) & 1) !== wanted) store<u8>(at, <u8>(before ^ (1 << (row & 7))));
}

function readBits(tile: u32, plane: u32, row: u32, words: u32, bit: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  let at = plane + (row >> 3);
  for (let day = 0; day < ring(); day++, at += bytes) {
    const isSet = (<u32>load<u8>(at) >> (row & 7)) & 1;
    const word = words + (day << 1);
    store<u16>(word, <u16>(<u32>load<u16>(word) | (isSet << bit)));
  }
}

/**
 * Marks the days on which some stay can begin, the last day of the ring first, so that the free nights and the first departure behind
 * each day are known. Positions count from the first day of the ring.
 */
function findArrivals(tile: u32, row: u32, words: u32): void {
  const days = ring();
  const start = load<i32>(HEAD_RING_START);
  const usualMin = rowValue(tile + TILE_MINS, row);
  const usualMax = -rowValue(tile + TILE_MAXES, row);
  const rules = load<u32>(tile + TILE_RULES + LIST_ENTRIES);
  const hasRefusals = listRefusals(tile, row, start);
  let lastDeparture = load<i32>(tile + TILE_HORIZON) - start;
  let freeUntil = days;
  let departure = days;
  let last = -1;
  store<u16>(departureList() + (days << 1), <u16>days);
  let slot = (start + days) % days;
  for (let day = days - 1; day >= 0; day--) {
    slot = slot === 0 ? days - 1 : slot - 1;
    const at = words + (slot << 1);
    const word = <u32>load<u16>(at) & ~(1 << WORD_ARRIVAL);
    store<u16>(at, <u16>word);
    if (((word >> WORD_CLOSED_DEPARTURE) & 1) === 0) departure = day;
    store<u16>(departureList() + (day << 1), <u16>departure);
    // A stay that arrives earlier and leaves as late contains the refused stay too.
    if (hasRefusals) lastDeparture = min(lastDeparture, <i32>load<u16>(refusalList() + (day << 1)));
    if (((word >> WORD_FREE) & 1) === 0) {
      freeUntil = day;
      continue;
    }
    const rule = rules + (word >> WORD_CODE) * RULE_BYTES;
    const shortest = load<i32>(rule + RULE_MIN);
    const earliest = day + (shortest === 0 ? usualMin : shortest);
    if (load<i32>(rule + RULE_CLOSED) !== 0 || earliest > freeUntil) continue;
    const ownMax = load<i32>(rule + RULE_MAX);
    const longest = ownMax === 0 ? usualMax : ownMax;
    const first = <i32>load<u16>(departureList() + (earliest << 1));
    if (first > freeUntil || first > lastDeparture || first - day > longest) continue;
    store<u16>(at, <u16>(word | (1 << WORD_ARRIVAL)));
    if (last < 0) last = day;
  }
  const latest = last < 0 ? MIN_LATEST : start + last - rowValue(tile + TILE_LEADS, row) - LATEST_EPOCH;
  store<i16>(load<u32>(tile + TILE_LATEST) + (row << 1), <i16>max(MIN_LATEST, min(MAX_LATEST, latest)));
}

/** By arrival, the last departure before a stay would contain a withdrawn stay of the row; false without any. */
function listRefusals(tile: u32, row: u32, start: i32): bool {
  if (load<u32>(tile + TILE_WITHDRAWN) === 0) return false;
  const globalRow = load<u32>(tile + TILE_INDEX) * MAX_TILE_ROWS + row;
  const entries = load<u32>(HEAD_WITHDRAWN + LIST_ENTRIES);
  const count = load<u32>(HEAD_WITHDRAWN + LIST_COUNT);
  memory.fill(refusalList(), 0xff, ring() << 1);
  for (let number = firstWithdrawn(entries, count, globalRow); number < count; number++) {
    const entry = entries + number * WITHDRAWN_BYTES;
    if (load<u32>(entry + WITHDRAWN_ROW) !== globalRow) break;
    const arrival = load<i32>(entry + WITHDRAWN_FROM) - start;
    // No stay contains one that begins before the ring.
    if (arrival < 0 || arrival >= ring()) continue;
    const departure = min(load<i32>(entry + WITHDRAWN_TO) - 1 - start, ring());
    const known = refusalList() + (arrival << 1);
    if (departure < <i32>load<u16>(known)) store<u16>(known, <u16>departure);
  }
  return true;
}

/** Empties one day of every tile. */
export function forgetDay(slot: u32): void {
  const tiles = load<u32>(HEAD_TILES + LIST_ENTRIES);
  for (let number: u32 = 0; number < load<u32>(HEAD_TILES + LIST_COUNT); number++) {
    const tile = load<u32>(tiles + (number << 2));
    const bytes = load<u32>(tile + TILE_PLANE_BYTES);
    clearPlane(load<u32>(tile + TILE_FREE) + slot * bytes, bytes);
    clearPlane(load<u32>(tile + TILE_ARRIVALS) + slot * bytes, bytes);
    const closed = load<u32>(tile + TILE_CLOSED_DEPARTURES);
    if (closed !== 0) clearPlane(closed + slot * bytes, bytes);
    const ladder = tile + TILE_RULES;
    for (let bit = 0; bit < load<i32>(ladder + LADDER_PLANE_COUNT); bit++)
      clearPlane(load<u32>(ladder + LADDER_PLANES + (bit << 2)) + slot * bytes, bytes);
  }
}

/** Sets the marked amenities of a row, a byte each by number, and clears the marks of those that the tile has. */
export function writeAmenities(tile: u32, row: u32, marks: u32): void {
  const list = tile + TILE_AMENITIES;
  const end = load<u32>(list + LIST_ENTRIES) + load<u32>(list + LIST_COUNT) * AMENITY_BYTES;
  for (let entry = load<u32>(list + LIST_ENTRIES); entry < end; entry += AMENITY_BYTES) {
    const mark = marks + load<u32>(entry + AMENITY_NUMBER);
    writeBit(load<u32>(entry + AMENITY_PLANE), row, load<u8>(mark));
    store<u8>(mark, 0);
  }
}

/** Inserts a rung: increments every code from `code` on, for each day of the planes. */
export function insertRung(ladder: u32, code: i32, bytes: u32): void {
  const planes = load<i32>(ladder + LADDER_PLANE_COUNT);
  for (let at: u32 = 0; at < bytes; at += 16) {
    let carry = code === 0 ? all() : v128.not(atMost(ladder, code - 1, at));
    for (let bit = 0; bit < planes; bit++) {
      const place = load<u32>(ladder + LADDER_PLANES + (bit << 2)) + at;
      const ones = v128.load(place);
      v128.store(place, v128.xor(ones, carry));
      carry = v128.and(ones, carry);
    }
  }
}

/** The number of the first withdrawn stay of this row or a later one. They are sorted by row. */
export function firstWithdrawn(entries: u32, count: u32, row: u32): u32 {
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(entries + middle * WITHDRAWN_BYTES + WITHDRAWN_ROW) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
