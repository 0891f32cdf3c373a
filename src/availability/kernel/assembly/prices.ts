import {
  BLOCK_DAYS,
  PRICE_BASE,
  PRICE_FORM_MASK,
  PRICE_LISTED,
  PRICE_NIGHTS,
  PRICE_NUMBERS,
  PRICE_SAME,
  PRICE_STEP,
  PRICE_STEPS,
  TILE_LOWEST,
  TILE_PRICES,
  TILE_ROWS,
} from '../layout';
import { firstPrice } from './pack-prices';
import { ring, sumOfBytes } from './planes';

/** The price of the nights by the calendar; infinite without prices. */
export function totalOf(tile: u32, row: u32, checkIn: i32, nights: i32): f64 {
  const prices = load<u32>(load<u32>(tile + TILE_PRICES) + (row << 2));
  const form = prices & PRICE_FORM_MASK;
  const block = prices - form;
  if (block === 0) return Infinity;
  if (form === PRICE_SAME) return <f64>load<u32>(block + PRICE_BASE) * <f64>nights;
  if (form === PRICE_LISTED) return sumOfListed(block, checkIn % ring(), nights);
  return sumOfSteps(tile, row, block, form - PRICE_STEPS, checkIn % ring(), nights);
}

/** Prefetches what `totalOf` reads first. */
export function touchPrices(tile: u32, row: u32, checkIn: i32): u32 {
  const prices = load<u32>(load<u32>(tile + TILE_PRICES) + (row << 2));
  const form = prices & PRICE_FORM_MASK;
  const block = prices - form;
  const night: u32 = checkIn % ring();
  return load<u32>(block) + load<u8>(block + (form > <u32>PRICE_LISTED ? PRICE_NIGHTS + night : 0));
}

function sumOfListed(block: u32, firstDay: i32, nights: i32): f64 {
  let sum: u64 = 0;
  let day = firstDay;
  for (let night = 0; night < nights; night++, day++) {
    if (day === ring()) day = 0;
    const number = (<u32>load<u8>(block + PRICE_NUMBERS + (day >> 1)) >> ((day & 1) << 2)) & 15;
    sum += <u64>load<u32>(block + (number << 2));
  }
  return <f64>sum;
}

function sumOfSteps(tile: u32, row: u32, block: u32, width: u32, firstDay: i32, nights: i32): f64 {
  const base = load<u32>(block + PRICE_BASE);
  const step = load<u32>(block + PRICE_STEP);
  const codes = load<u32>(tile + TILE_LOWEST) + (row << 1);
  const columnBytes = load<u32>(tile + TILE_ROWS) << 1;
  let total: f64 = 0;
  let day = firstDay;
  for (let left = nights; left > 0; ) {
    const number = day / BLOCK_DAYS;
    const run = min(left, min((number + 1) * BLOCK_DAYS, ring()) - day);
    total += <f64>run * <f64>firstPrice(base, step, load<u16>(codes + number * columnBytes));
    let weight = <f64>step;
    for (let byte: u32 = 0; byte < width; byte++, weight *= 256) {
      total += weight * <f64>sumOfFirst(block + PRICE_NIGHTS + byte * ring() + day, run);
    }
    left -= run;
    day += run;
    if (day === ring()) day = 0;
  }
  return total;
}

/** Sums this many bytes, 16 at a time, ignoring bytes behind them. */
function sumOfFirst(bytes: u32, count: i32): i32 {
  let sum = 0;
  for (; count > 0; count -= 16, bytes += 16) {
    const isCounted = i8x16.lt_u(
      i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
      i8x16.splat(<i8>count),
    );
    sum += sumOfBytes(v128.and(v128.load(bytes), isCounted));
  }
  return sum;
}
