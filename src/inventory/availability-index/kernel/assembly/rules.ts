import {
  CLOSED_TO_ARRIVAL,
  LIST_COUNT,
  LIST_ENTRIES,
  MAX_STAY,
  MIN_STAY,
  RULE_BYTES,
  RULE_CLOSED,
  RULE_MAX,
  RULE_MIN,
  TILE_MAXES,
  TILE_MINS,
  TILE_PLANE_BYTES,
  TILE_RULES,
} from '../layout';
import { all, atMost, none, planeOf, rungsUpTo } from './planes';
import { MAX_RANGES, rangeCounts, rangeList } from './scratch';

/** Rules that admit a stay, beside the kinds of rules that it can break. */
const ADMITTING: i32 = -1;

/** Codes are selected outright, if the usual minimum says so too, if the usual maximum does, or if both do: ranges for each of the four. */
const BY_MIN: i32 = 1;
const BY_MAX: i32 = 2;
const CLASSES: i32 = 4;

let ladder: u32 = 0;
let mins: u32 = 0;
let maxes: u32 = 0;
let kind: i32 = 0;
let minRungs: i32 = 0;
let maxRungs: i32 = 0;
let changesAt: i32 = 0;

/** Prepares `selected` for the rows that may arrive for a stay of as many nights. */
export function admitNights(tile: u32, nights: i32): void {
  select(tile, ADMITTING, nights);
}

/** Prepares `selected` for the rows that break one rule with a stay of as many nights: minimum, maximum, closed to arrival. */
export function breakRule(tile: u32, rule: i32, nights: i32): void {
  select(tile, rule, nights);
}

/** The number of nights from which on other rows may be admitted. */
export function nightsOfNextChange(): i32 {
  return changesAt;
}

function select(tile: u32, wanted: i32, nights: i32): void {
  ladder = tile + TILE_RULES;
  mins = tile + TILE_MINS;
  maxes = tile + TILE_MAXES;
  kind = wanted;
  minRungs = rungsUpTo(mins, nights);
  maxRungs = rungsUpTo(maxes, -nights);
  changesAt = min(nextMin(), nextMax());
  for (let number = 0; number < CLASSES; number++) store<i32>(rangeCounts() + (number << 2), 0);
  const count = load<i32>(ladder + LIST_COUNT);
  let rule = load<u32>(ladder + LIST_ENTRIES);
  let first = -1;
  let openClass = -1;
  for (let code = 0; code <= count; code++, rule += RULE_BYTES) {
    const ofCode = code < count ? classOf(rule, nights) : -1;
    if (ofCode === openClass) continue;
    if (openClass >= 0) addRange(openClass, first, code - 1);
    openClass = ofCode;
    first = code;
  }
}

/** -1 when the rule is not selected. */
function classOf(rule: u32, nights: i32): i32 {
  const min = load<i32>(rule + RULE_MIN);
  const max = load<i32>(rule + RULE_MAX);
  const isClosed = load<i32>(rule + RULE_CLOSED) !== 0;
  if (min > nights && min < changesAt) changesAt = min;
  if (max >= nights && max < changesAt - 1) changesAt = max + 1;
  if (kind === CLOSED_TO_ARRIVAL) return isClosed ? 0 : -1;
  if (kind === MIN_STAY) return min === 0 ? BY_MIN : min > nights ? 0 : -1;
  if (kind === MAX_STAY) return max === 0 ? BY_MAX : max < nights ? 0 : -1;
  if (isClosed || (min !== 0 && min > nights) || (max !== 0 && max < nights)) return -1;
  return (min === 0 ? BY_MIN : 0) | (max === 0 ? BY_MAX : 0);
}

function nextMin(): i32 {
  const count = load<i32>(mins + LIST_COUNT);
  return minRungs < count ? load<i32>(load<u32>(mins + LIST_ENTRIES) + (minRungs << 2)) : i32.MAX_VALUE;
}

/** Maximums are in the ladder as negative numbers, so the strictest that is still kept is the last one. */
function nextMax(): i32 {
  if (maxRungs === 0) return i32.MAX_VALUE;
  const strictest = -load<i32>(load<u32>(maxes + LIST_ENTRIES) + ((maxRungs - 1) << 2));
  return strictest === i32.MAX_VALUE ? i32.MAX_VALUE : strictest + 1;
}

function addRange(ofClass: i32, first: i32, last: i32): void {
  const count = rangeCounts() + (ofClass << 2);
  const range = rangeList() + ((<u32>ofClass * MAX_RANGES + load<u32>(count)) << 3);
  store<i32>(range, first);
  store<i32>(range + 4, last);
  store<i32>(count, load<i32>(count) + 1);
}

/** The rows selected, 128 at once; `at` is where they are in a plane, and `arrival` where the day of arrival begins in a calendar plane. */
export function selected(at: u32, arrival: u32): v128 {
  let rows = rowsOf(0, at + arrival);
  const isByBoth = has(BY_MIN | BY_MAX);
  const isByMin = isByBoth || has(BY_MIN);
  const isByMax = isByBoth || has(BY_MAX);
  if (!isByMin && !isByMax) return rows;
  const byMin = isByMin ? usual(mins, minRungs, at, kind === MIN_STAY) : none();
  const byMax = isByMax ? usual(maxes, maxRungs, at, kind === MAX_STAY) : none();
  if (isByMin) rows = v128.or(rows, v128.and(byMin, rowsOf(BY_MIN, at + arrival)));
  if (isByMax) rows = v128.or(rows, v128.and(byMax, rowsOf(BY_MAX, at + arrival)));
  return v128.or(rows, v128.and(v128.and(byMin, byMax), rowsOf(BY_MIN | BY_MAX, at + arrival)));
}

function has(ofClass: i32): bool {
  return load<i32>(rangeCounts() + (ofClass << 2)) !== 0;
}

/** The rows whose usual rule is kept, or those whose is broken. */
function usual(values: u32, rungs: i32, at: u32, isBroken: bool): v128 {
  const count = load<i32>(values + LIST_COUNT);
  const kept = rungs >= count ? all() : rungs === 0 ? none() : atMost(values, rungs - 1, at);
  return isBroken ? v128.not(kept) : kept;
}

function rowsOf(ofClass: i32, at: u32): v128 {
  const count = load<i32>(rangeCounts() + (ofClass << 2));
  const codes = load<i32>(ladder + LIST_COUNT);
  let rows = none();
  for (let number = 0; number < count; number++) {
    const range = rangeList() + ((<u32>ofClass * MAX_RANGES + <u32>number) << 3);
    const first = load<i32>(range);
    const last = load<i32>(range + 4);
    let within = last === codes - 1 ? all() : atMost(ladder, last, at);
    if (first > 0) within = v128.andnot(within, atMost(ladder, first - 1, at));
    rows = v128.or(rows, within);
  }
  return rows;
}

/** Where the day of an arrival begins in a calendar plane of the tile. */
export function arrivalOffset(tile: u32, checkIn: i32): u32 {
  return planeOf(0, checkIn, load<u32>(tile + TILE_PLANE_BYTES));
}
