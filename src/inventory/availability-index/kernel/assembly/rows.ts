import { LADDER_PLANE_COUNT, LADDER_PLANES } from '../layout';
import { all, atMost, ring } from './planes';

/** Writes one row of a calendar plane: on each day one bit of the source, which has a word of 16 bits for each day of the ring. */
export function writePlane(plane: u32, planeBytes: u32, row: u32, source: u32, bit: u32): void {
  const mask: u8 = (<u8>1) << (<u8>(row & 7));
  let at = plane + (row >> 3);
  for (let day = 0; day < ring(); day++, at += planeBytes) {
    const isSet = (load<u16>(source + (day << 1)) >> <u16>bit) & 1;
    const others = load<u8>(at) & ~mask;
    store<u8>(at, isSet ? others | mask : others);
  }
}

/** Makes room for a new rung: every code from `code` on becomes one larger, in each of the planes' days. */
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
