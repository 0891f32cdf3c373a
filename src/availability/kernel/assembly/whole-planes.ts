import {
  AMENITY_BYTES,
  AMENITY_NUMBER,
  AMENITY_PLANE,
  LADDER_PLANE_COUNT,
  LADDER_PLANES,
  LIST_COUNT,
} from '../layout';
import { all, countCommon, none } from './planes';
import { rungPlane } from './scratch';

/**
 * Planes are processed by whole cache lines of four vectors, because the control of a loop takes longer than a vector. A tile has one
 * line or two. Results are zero behind the last row: they begin as a copy of one of the tile's planes and are only ANDed from
 * then on, so the memory behind other planes, which the arena makes readable, does not matter.
 */
const LINE: u32 = 64;

/** Copies a plane of a tile, with zeros behind its rows. */
export function copyOf(to: u32, from: u32, bytes: u32): void {
  copyPlane(to, from, bytes);
  for (let at = bytes; at % LINE !== 0; at += 16) v128.store(to + at, none());
}

export function copyPlane(to: u32, from: u32, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += LINE) {
    v128.store(to + at, v128.load(from + at));
    v128.store(to + at, v128.load(from + at, 16), 16);
    v128.store(to + at, v128.load(from + at, 32), 32);
    v128.store(to + at, v128.load(from + at, 48), 48);
  }
}

export function fillPlane(plane: u32, bits: v128, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += LINE) {
    v128.store(plane + at, bits);
    v128.store(plane + at, bits, 16);
    v128.store(plane + at, bits, 32);
    v128.store(plane + at, bits, 48);
  }
}

export function intersect(plane: u32, other: u32, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += LINE) {
    v128.store(plane + at, v128.and(v128.load(plane + at), v128.load(other + at)));
    v128.store(plane + at, v128.and(v128.load(plane + at, 16), v128.load(other + at, 16)), 16);
    v128.store(plane + at, v128.and(v128.load(plane + at, 32), v128.load(other + at, 32)), 32);
    v128.store(plane + at, v128.and(v128.load(plane + at, 48), v128.load(other + at, 48)), 48);
  }
}

/** Removes the rows of another plane. */
export function remove(plane: u32, other: u32, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += LINE) {
    v128.store(plane + at, v128.andnot(v128.load(plane + at), v128.load(other + at)));
    v128.store(plane + at, v128.andnot(v128.load(plane + at, 16), v128.load(other + at, 16)), 16);
    v128.store(plane + at, v128.andnot(v128.load(plane + at, 32), v128.load(other + at, 32)), 32);
    v128.store(plane + at, v128.andnot(v128.load(plane + at, 48), v128.load(other + at, 48)), 48);
  }
}

export function unite(plane: u32, other: u32, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += LINE) {
    v128.store(plane + at, v128.or(v128.load(plane + at), v128.load(other + at)));
    v128.store(plane + at, v128.or(v128.load(plane + at, 16), v128.load(other + at, 16)), 16);
    v128.store(plane + at, v128.or(v128.load(plane + at, 32), v128.load(other + at, 32)), 32);
    v128.store(plane + at, v128.or(v128.load(plane + at, 48), v128.load(other + at, 48)), 48);
  }
}

/** Adds the common rows of two other planes. */
export function uniteCommon(plane: u32, one: u32, other: u32, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += LINE) {
    v128.store(
      plane + at,
      v128.or(v128.load(plane + at), v128.and(v128.load(one + at), v128.load(other + at))),
    );
    v128.store(
      plane + at,
      v128.or(v128.load(plane + at, 16), v128.and(v128.load(one + at, 16), v128.load(other + at, 16))),
      16,
    );
    v128.store(
      plane + at,
      v128.or(v128.load(plane + at, 32), v128.and(v128.load(one + at, 32), v128.load(other + at, 32))),
      32,
    );
    v128.store(
      plane + at,
      v128.or(v128.load(plane + at, 48), v128.and(v128.load(one + at, 48), v128.load(other + at, 48))),
      48,
    );
  }
}

export function invert(plane: u32, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += LINE) {
    v128.store(plane + at, v128.not(v128.load(plane + at)));
    v128.store(plane + at, v128.not(v128.load(plane + at, 16)), 16);
    v128.store(plane + at, v128.not(v128.load(plane + at, 32)), 32);
    v128.store(plane + at, v128.not(v128.load(plane + at, 48)), 48);
  }
}

export function isEmpty(plane: u32, bytes: u32): bool {
  let rows = none();
  for (let at: u32 = 0; at < bytes; at += LINE) {
    rows = v128.or(rows, v128.or(v128.load(plane + at), v128.load(plane + at, 16)));
    rows = v128.or(rows, v128.or(v128.load(plane + at, 32), v128.load(plane + at, 48)));
  }
  return !v128.any_true(rows);
}

/** Keeps the rows that all of this many consecutive planes have. */
export function keepCommon(plane: u32, first: u32, count: i32, stride: u32, bytes: u32): void {
  keepLine(plane, first, count, stride);
  if (bytes > LINE) keepLine(plane + LINE, first + LINE, count, stride);
}

function keepLine(line: u32, other: u32, count: i32, stride: u32): void {
  let rows0 = v128.load(line);
  let rows1 = v128.load(line, 16);
  let rows2 = v128.load(line, 32);
  let rows3 = v128.load(line, 48);
  // With no row left, further planes need not be read.
  if (!v128.any_true(v128.or(v128.or(rows0, rows1), v128.or(rows2, rows3)))) return;
  for (; count > 0; count--, other += stride) {
    rows0 = v128.and(rows0, v128.load(other));
    rows1 = v128.and(rows1, v128.load(other, 16));
    rows2 = v128.and(rows2, v128.load(other, 32));
    rows3 = v128.and(rows3, v128.load(other, 48));
  }
  v128.store(line, rows0);
  v128.store(line, rows1, 16);
  v128.store(line, rows2, 32);
  v128.store(line, rows3, 48);
}

/** Adds the rows of a filter that any of this many consecutive planes has. */
export function uniteAny(plane: u32, filter: u32, first: u32, count: i32, bytes: u32): void {
  uniteLine(plane, filter, first, count, bytes);
  if (bytes > LINE) uniteLine(plane + LINE, filter + LINE, first + LINE, count, bytes);
}

function uniteLine(line: u32, filter: u32, other: u32, count: i32, stride: u32): void {
  let rows0 = none();
  let rows1 = none();
  let rows2 = none();
  let rows3 = none();
  for (; count > 0; count--, other += stride) {
    rows0 = v128.or(rows0, v128.load(other));
    rows1 = v128.or(rows1, v128.load(other, 16));
    rows2 = v128.or(rows2, v128.load(other, 32));
    rows3 = v128.or(rows3, v128.load(other, 48));
  }
  v128.store(line, v128.or(v128.load(line), v128.and(rows0, v128.load(filter))));
  v128.store(line, v128.or(v128.load(line, 16), v128.and(rows1, v128.load(filter, 16))), 16);
  v128.store(line, v128.or(v128.load(line, 32), v128.and(rows2, v128.load(filter, 32))), 32);
  v128.store(line, v128.or(v128.load(line, 48), v128.and(rows3, v128.load(filter, 48))), 48);
}

/** Writes the rows whose code is at most `code`; `day` is the offset of a day in the planes, if codes differ by day. */
export function writeAtMost(into: u32, ladder: u32, code: i32, day: u32, bytes: u32): void {
  writeLineAtMost(into, ladder, code, day);
  if (bytes > LINE) writeLineAtMost(into + LINE, ladder, code, day + LINE);
}

/** The same computation as `atMost`. */
function writeLineAtMost(into: u32, ladder: u32, code: i32, at: u32): void {
  const planes = load<i32>(ladder + LADDER_PLANE_COUNT);
  let rows0 = all();
  let rows1 = all();
  let rows2 = all();
  let rows3 = all();
  for (let bit = 0; bit < planes; bit++) {
    const ones = load<u32>(ladder + LADDER_PLANES + (bit << 2)) + at;
    if ((code >> bit) & 1) {
      rows0 = v128.or(rows0, v128.not(v128.load(ones)));
      rows1 = v128.or(rows1, v128.not(v128.load(ones, 16)));
      rows2 = v128.or(rows2, v128.not(v128.load(ones, 32)));
      rows3 = v128.or(rows3, v128.not(v128.load(ones, 48)));
    } else {
      rows0 = v128.andnot(rows0, v128.load(ones));
      rows1 = v128.andnot(rows1, v128.load(ones, 16));
      rows2 = v128.andnot(rows2, v128.load(ones, 32));
      rows3 = v128.andnot(rows3, v128.load(ones, 48));
    }
  }
  v128.store(into, rows0);
  v128.store(into, rows1, 16);
  v128.store(into, rows2, 32);
  v128.store(into, rows3, 48);
}

/** Keeps the rows on the first rungs of a ladder that is the same every day. */
export function keepRungs(plane: u32, ladder: u32, rungs: i32, bytes: u32): void {
  if (rungs >= load<i32>(ladder + LIST_COUNT)) return;
  if (rungs === 0) fillPlane(rungPlane(), none(), bytes);
  else writeAtMost(rungPlane(), ladder, rungs - 1, 0, bytes);
  intersect(plane, rungPlane(), bytes);
}

/** Adds the rows that a plane shares with that of each amenity to the amenity's count. */
export function countAmenities(plane: u32, entries: u32, end: u32, counts: u32, bytes: u32): void {
  for (let entry = entries; entry < end; entry += AMENITY_BYTES) {
    const count = counts + (load<u32>(entry + AMENITY_NUMBER) << 2);
    store<i32>(count, load<i32>(count) + countCommon(plane, load<u32>(entry + AMENITY_PLANE), bytes));
  }
}
