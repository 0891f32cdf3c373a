import { LADDER_PLANE_COUNT, LADDER_PLANES, LIST_COUNT, LIST_ENTRIES } from '../layout';

/** Number of days of the ring. */
let ringDays: i32 = 0;

export function setRing(days: i32): void {
  ringDays = days;
}

export function ring(): i32 {
  return ringDays;
}

export function none(): v128 {
  return i64x2.splat(0);
}

export function all(): v128 {
  return i64x2.splat(-1);
}

/** Address of a day in a calendar plane. */
export function planeOf(plane: u32, day: i32, planeBytes: u32): u32 {
  return plane + (day % ringDays) * planeBytes;
}

export function clearPlane(plane: u32, planeBytes: u32): void {
  for (let at: u32 = 0; at < planeBytes; at += 16) v128.store(plane + at, none());
}

export function isEqual(one: u32, other: u32, planeBytes: u32): bool {
  let difference = none();
  for (let at: u32 = 0; at < planeBytes; at += 16) {
    difference = v128.or(difference, v128.xor(v128.load(one + at), v128.load(other + at)));
  }
  return !v128.any_true(difference);
}

/** Also for a part of two planes. A byte of the sums can hold the ones of a whole plane. */
export function countCommon(one: u32, other: u32, planeBytes: u32): i32 {
  let sums = none();
  for (let at: u32 = 0; at < planeBytes; at += 16) {
    sums = i8x16.add(sums, i8x16.popcnt(v128.and(v128.load(one + at), v128.load(other + at))));
  }
  return sumOfBytes(sums);
}

export function sumOfBytes(bytes: v128): i32 {
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
  const halves = i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1);
  return <i32>(halves + (halves >> 32));
}

export function clearRow(plane: u32, row: u32): void {
  const at = plane + (row >> 3);
  store<u8>(at, load<u8>(at) & ~((<u8>1) << (<u8>(row & 7))));
}

export function hasRow(plane: u32, row: u32): bool {
  return ((load<u8>(plane + (row >> 3)) >> (row & 7)) & 1) !== 0;
}

/**
 * The rows whose code is at most `code`, 128 rows at a time. From the lowest bit up: where bits differ, the higher one overrules the
 * lower ones.
 */
export function atMost(ladder: u32, code: i32, at: u32): v128 {
  const planes = load<i32>(ladder + LADDER_PLANE_COUNT);
  let within = all();
  for (let bit = 0; bit < planes; bit++) {
    const ones = v128.load(load<u32>(ladder + LADDER_PLANES + (bit << 2)) + at);
    within = (code >> bit) & 1 ? v128.or(within, v128.not(ones)) : v128.andnot(within, ones);
  }
  return within;
}

/** The value of a row on a ladder of plain values. */
export function rowValue(ladder: u32, row: u32): i32 {
  let code = 0;
  for (let bit = 0; bit < load<i32>(ladder + LADDER_PLANE_COUNT); bit++) {
    if (hasRow(load<u32>(ladder + LADDER_PLANES + (bit << 2)), row)) code |= 1 << bit;
  }
  return load<i32>(load<u32>(ladder + LIST_ENTRIES) + (code << 2));
}

/** The number of rungs up to the limit, on a ladder of plain ascending values. */
export function rungsUpTo(ladder: u32, limit: i32): i32 {
  const count = load<i32>(ladder + LIST_COUNT);
  const entries = load<u32>(ladder + LIST_ENTRIES);
  let rungs = 0;
  while (rungs < count && load<i32>(entries + (rungs << 2)) <= limit) rungs++;
  return rungs;
}
