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
import { all, none, planeOf, rungsUpTo } from './planes';
import {
  belowPlane,
  classPlane,
  MAX_RANGES,
  maxPlane,
  minPlane,
  rangeCounts,
  rangeList,
  rangePlane,
  selectedPlane,
} from './scratch';
import { fillPlane, intersect, invert, remove, unite, writeAtMost } from './whole-planes';

/** Selects rules that admit a stay, in addition to the kinds of rules that it can break. */
const ADMITTING: i32 = -1;

/** A code is selected always, or if the usual minimum, the usual maximum, or both are selected too: ranges for each of the four classes. */
const BY_MIN: i32 = 1;
const BY_MAX: i32 = 2;
const CLASSES: i32 = 4;

let bytes: u32 = 0;
let ladder: u32 = 0;
let mins: u32 = 0;
let maxes: u32 = 0;
let kind: i32 = 0;
let minRungs: i32 = 0;
let maxRungs: i32 = 0;
let changesAt: i32 = 0;

/** Prepares `writeSelected` for the rows that admit a stay of this many nights. */
export function admitNights(tile: u32, nights: i32): void {
  select(tile, ADMITTING, nights);
}

/** Prepares `writeSelected` for the rows where a stay of this many nights breaks one rule: minimum, maximum or closed to arrival. */
export function breakRule(tile: u32, rule: i32, nights: i32): void {
  select(tile, rule, nights);
}

/** The number of nights from which on other rows may be admitted. */
export function nightsOfNextChange(): i32 {
  return changesAt;
}

function select(tile: u32, wanted: i32, nights: i32): void {
  bytes = load<u32>(tile + TILE_PLANE_BYTES);
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
    const isEnd = code === count || (kind === ADMITTING && admitsNoMore(rule, nights));
    const ofCode = isEnd ? -1 : classOf(rule, nights);
    if (ofCode !== openClass) {
      if (openClass >= 0) addRange(openClass, first, code - 1);
      openClass = ofCode;
      first = code;
    }
    if (isEnd) return;
  }
}

/** Rules are sorted by their minimums, closed ones last: after the first closed rule no other admits the stay. */
function admitsNoMore(rule: u32, nights: i32): bool {
  if (load<i32>(rule + RULE_CLOSED) !== 0) return true;
  const minimum = load<i32>(rule + RULE_MIN);
  if (minimum > nights) changesAt = min(changesAt, minimum);
  return minimum > nights;
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
  if (max !== 0 && max < nights) return -1;
  return (min === 0 ? BY_MIN : 0) | (max === 0 ? BY_MAX : 0);
}

function nextMin(): i32 {
  const count = load<i32>(mins + LIST_COUNT);
  return minRungs < count ? load<i32>(load<u32>(mins + LIST_ENTRIES) + (minRungs << 2)) : i32.MAX_VALUE;
}

/** Maximums are negative in the ladder, so the last one that admits the stay is the strictest. */
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

/** Writes the selected rows into the selected plane; `arrival` is the offset of the day of arrival in calendar planes. */
export function writeSelected(arrival: u32): void {
  if (has(BY_MIN) || has(BY_MIN | BY_MAX)) writeUsual(minPlane(), mins, minRungs, kind === MIN_STAY);
  if (has(BY_MAX) || has(BY_MIN | BY_MAX)) writeUsual(maxPlane(), maxes, maxRungs, kind === MAX_STAY);
  let into = selectedPlane();
  for (let number = 0; number < CLASSES; number++) {
    if (!has(number)) continue;
    writeClass(into, number, arrival);
    if (number & BY_MIN) intersect(into, minPlane(), bytes);
    if (number & BY_MAX) intersect(into, maxPlane(), bytes);
    if (into !== selectedPlane()) unite(selectedPlane(), into, bytes);
    into = classPlane();
  }
  if (into === selectedPlane()) fillPlane(into, none(), bytes);
}

function has(ofClass: i32): bool {
  return load<i32>(rangeCounts() + (ofClass << 2)) !== 0;
}

/** The rows whose usual rule admits the stay, or those whose usual rule the stay breaks. */
function writeUsual(into: u32, values: u32, rungs: i32, isBroken: bool): void {
  writeUpTo(into, values, rungs, 0);
  if (isBroken) invert(into, bytes);
}

/** The rows with one of the first codes. */
function writeUpTo(into: u32, values: u32, codes: i32, day: u32): void {
  if (codes >= load<i32>(values + LIST_COUNT)) fillPlane(into, all(), bytes);
  else if (codes === 0) fillPlane(into, none(), bytes);
  else writeAtMost(into, values, codes - 1, day, bytes);
}

/** The rows with a code in one of the ranges of the class, which has at least one. */
function writeClass(into: u32, ofClass: i32, arrival: u32): void {
  const count = load<i32>(rangeCounts() + (ofClass << 2));
  for (let number = 0; number < count; number++) {
    const range = rangeList() + ((<u32>ofClass * MAX_RANGES + <u32>number) << 3);
    const rows = number === 0 ? into : rangePlane();
    writeRange(rows, load<i32>(range), load<i32>(range + 4), arrival);
    if (number > 0) unite(into, rows, bytes);
  }
}

function writeRange(into: u32, first: i32, last: i32, arrival: u32): void {
  writeUpTo(into, ladder, last + 1, arrival);
  if (first === 0) return;
  writeUpTo(belowPlane(), ladder, first, arrival);
  remove(into, belowPlane(), bytes);
}

/** The offset of a day of arrival in a calendar plane of the tile. */
export function arrivalOffset(tile: u32, checkIn: i32): u32 {
  return planeOf(0, checkIn, load<u32>(tile + TILE_PLANE_BYTES));
}
