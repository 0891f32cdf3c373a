import { MAX_TILE_ROWS } from '../layout';

/** Scratch memory, for results of one tile after another. */
let base: u32 = 0;

const PLANE: u32 = MAX_TILE_ROWS / 8;
/** Ranges of codes of four classes, as pairs of first and last. */
export const MAX_RANGES: u32 = 512;

/** More than a ring has. */
const MAX_DAYS: u32 = 1024;

export function setScratch(address: u32): void {
  base = address;
}

export function filterPlane(): u32 {
  return base;
}

export function matchPlane(): u32 {
  return base + PLANE;
}

export function runPlane(): u32 {
  return base + 2 * PLANE;
}

export function leadPlane(): u32 {
  return base + 3 * PLANE;
}

export function openPlane(): u32 {
  return base + 4 * PLANE;
}

export function rungPlane(): u32 {
  return base + 5 * PLANE;
}

/** Rows selected by their rules, with intermediate planes: rows of one class, of one of its ranges, and below that. */
export function selectedPlane(): u32 {
  return base + 6 * PLANE;
}

export function classPlane(): u32 {
  return base + 7 * PLANE;
}

export function rangePlane(): u32 {
  return base + 8 * PLANE;
}

export function belowPlane(): u32 {
  return base + 9 * PLANE;
}

/** The rows selected by their usual minimum stay, and those selected by the usual maximum. */
export function minPlane(): u32 {
  return base + 10 * PLANE;
}

export function maxPlane(): u32 {
  return base + 11 * PLANE;
}

/** One of some further planes. */
export function sparePlane(number: u32): u32 {
  return base + (12 + number) * PLANE;
}

export function rangeList(): u32 {
  return base + 24 * PLANE;
}

/** Numbers of days, 16 bits each. */
export function missingList(): u32 {
  return rangeCounts() + 16;
}

/** The same, for one day more than a ring has. */
export function departureList(): u32 {
  return missingList() + MAX_DAYS * 2;
}

export function refusalList(): u32 {
  return departureList() + MAX_DAYS * 2;
}

/** The days of one home, a word each. */
export function dayWords(): u32 {
  return refusalList() + MAX_DAYS * 2;
}

/** Numbers of nights, a byte each. */
export function stayMarks(): u32 {
  return dayWords() + MAX_DAYS * 2;
}

/** Number of ranges of each class. */
export function rangeCounts(): u32 {
  return rangeList() + 4 * MAX_RANGES * 8;
}

/** A match that is offered to a group. */
export function offeredMatch(): u32 {
  return sparePlane(0);
}

/** Addresses of matches that are priced together. */
export const MAX_BATCH: u32 = 32;
export function batchList(): u32 {
  return sparePlane(1);
}

/** Bounds of rows, 16 bits each. */
export function lowestBounds(): u32 {
  return stayMarks() + MAX_DAYS;
}

/** Prefetched values are written here, because the compiler would drop unused reads. */
export function touchedWord(): u32 {
  return sparePlane(2);
}
