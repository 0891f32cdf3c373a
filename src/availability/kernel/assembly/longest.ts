import { HEAD_RING_START, TILE_FREE, TILE_LONGEST, TILE_PLANE_BYTES } from '../layout';
import { all, ring } from './planes';
import { nightsBehind, runLengths } from './scratch';

/**
 * A tile has a bound for every day of arrival: no stay of its homes has more nights, so questions about longer stays skip the tile.
 * Writing a calendar only raises the bounds, because those of other homes are not known then; they are lowered when the tile follows
 * the date.
 */
export function longestStay(tile: u32, day: i32): i32 {
  return load<u16>(load<u32>(tile + TILE_LONGEST) + ((day % ring()) << 1));
}

export function raiseLongest(tile: u32, slot: i32, nights: i32): void {
  const known = load<u32>(tile + TILE_LONGEST) + (slot << 1);
  if (nights > <i32>load<u16>(known)) store<u16>(known, <u16>nights);
}

export function forgetLongest(tile: u32, slot: u32): void {
  store<u16>(load<u32>(tile + TILE_LONGEST) + (slot << 1), 0);
}

/** Sets a bound to the most nights for which some home is free from the day on. */
export function lowerLongest(tile: u32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  memory.fill(runLengths(), 0, ring() << 1);
  for (let at: u32 = 0; at < bytes; at += 16) measureRuns(load<u32>(tile + TILE_FREE) + at, bytes);
  for (let slot = 0; slot < ring(); slot++) {
    const known = load<u32>(tile + TILE_LONGEST) + (slot << 1);
    store<u16>(known, min(load<u16>(known), load<u16>(runLengths() + (slot << 1))));
  }
}

/**
 * Finds for 128 rows how long any of them is free from each day on, the last day first, so that the end of the longest run only moves
 * back. One vector covers the day to a middle, another the middle to each later day, so that no night is read often.
 */
function measureRuns(free: u32, bytes: u32): void {
  const days = ring();
  let slot = load<i32>(HEAD_RING_START) % days;
  let middle = days;
  let end = days;
  let toMiddle = all();
  v128.store(nightsBehind() + (end << 4), all());
  for (let day = days - 1; day >= 0; day--) {
    slot = slot === 0 ? days - 1 : slot - 1;
    toMiddle = v128.and(toMiddle, v128.load(free + slot * bytes));
    while (end > day && !v128.any_true(v128.and(toMiddle, v128.load(nightsBehind() + (end << 4))))) {
      end--;
      if (end >= middle) continue;
      middle = day;
      toMiddle = all();
      listNightsBehind(free, bytes, slot, middle, end);
    }
    const longest = runLengths() + (slot << 1);
    if (end - day > <i32>load<u16>(longest)) store<u16>(longest, <u16>(end - day));
  }
}

function listNightsBehind(free: u32, bytes: u32, slot: i32, from: i32, to: i32): void {
  let rows = all();
  for (let day = from; day <= to; day++) {
    v128.store(nightsBehind() + (day << 4), rows);
    rows = v128.and(rows, v128.load(free + slot * bytes));
    slot = slot + 1 === ring() ? 0 : slot + 1;
  }
}
