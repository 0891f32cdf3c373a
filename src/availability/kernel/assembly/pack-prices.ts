import {
  BLOCK_DAYS,
  CODE_BITS,
  MAX_LISTED_PRICES,
  NO_PRICE,
  STEPS_BASE,
  STEPS_MOST,
  STEPS_NIGHTS,
  STEPS_STEP,
} from '../layout';
import { ring } from './planes';

/**
 * Numbers the distinct prices of the days of the ring, and writes the number of each priced day. Returns the number of prices, or one
 * more than fit into a list. A price of 0 means none.
 */
export function listPrices(costs: u32, prices: u32, numbers: u32): i32 {
  let count = 0;
  let number = 0;
  let last: u32 = 0;
  for (let day = 0; day < ring(); day++) {
    const cost = load<u32>(costs + (day << 2));
    if (cost !== 0 && cost !== last) {
      last = cost;
      number = 0;
      while (number < count && load<u32>(prices + (number << 2)) !== cost) number++;
      if (number === MAX_LISTED_PRICES) return number + 1;
      store<u32>(prices + (number << 2), cost);
      count = max(count, number + 1);
    }
    store<u32>(numbers + (day << 2), cost === 0 ? 0 : number);
  }
  return count;
}

/** Writes the code of the lowest price of each block of days. A block without prices gets the lowest code: no stay has a night in it. */
export function codePrices(costs: u32, codes: u32): void {
  for (let from = 0; from < ring(); from += BLOCK_DAYS, codes += 2) {
    const lowest = lowestOf(costs + (from << 2), min(BLOCK_DAYS, ring() - from));
    store<u16>(codes, lowest === 0 ? 0 : <u16>codeUpTo(lowest));
  }
}

/** Writes the prices of the days as steps above the lowest price that the code of their block allows. */
export function stepPrices(costs: u32, codes: u32, packed: u32): void {
  const base = lowestOf(costs, ring());
  const step = commonStep(costs, base);
  let steps = packed + STEPS_NIGHTS;
  let most: u32 = 0;
  for (let from = 0; from < ring(); from += BLOCK_DAYS, codes += 2) {
    const first = firstPrice(base, step, load<u16>(codes));
    for (let day = from; day < min(from + BLOCK_DAYS, ring()); day++, steps += 4) {
      const cost = load<u32>(costs + (day << 2));
      const above = cost === 0 ? 0 : (cost - first) / step;
      store<u32>(steps, above);
      most = max(most, above);
    }
  }
  store<u32>(packed + STEPS_BASE, base);
  store<u32>(packed + STEPS_STEP, step);
  store<u32>(packed + STEPS_MOST, most);
}

/** The largest step of which all differences to the base are multiples. */
function commonStep(costs: u32, base: u32): u32 {
  let step: u32 = 0;
  for (let day = 0; day < ring(); day++) {
    const cost = load<u32>(costs + (day << 2));
    if (cost === 0) continue;
    // The greatest common divisor: one division where the price fits the step already.
    let rest = step;
    step = cost - base;
    while (rest !== 0) {
      const next = step % rest;
      step = rest;
      rest = next;
    }
  }
  return step;
}

/** 0 when no day has a price. */
function lowestOf(costs: u32, days: i32): u32 {
  let lowest: u32 = 0;
  for (let day = 0; day < days; day++) {
    const cost = load<u32>(costs + (day << 2));
    // Minus one, the 0 of a day without a price wraps to the highest value.
    if (cost - 1 < lowest - 1) lowest = cost;
  }
  return lowest;
}

/**
 * Prices in 16 bits, rounded down: the position of the highest bit, and the bits behind it. Codes have the order of their prices, so
 * that they can be compared directly.
 */

/** The first of base, base + step, … that a code allows. The steps of a block of days count from it. */
export function firstPrice(base: u32, step: u32, code: u32): u32 {
  const lowest = lowestPriceOf(code);
  return lowest <= base ? base : base + ((lowest - base - 1) / step + 1) * step;
}

function lowestPriceOf(code: u32): u32 {
  const place = <i32>(code >> CODE_BITS);
  const behind: u32 = (1 << CODE_BITS) | (code & ((1 << CODE_BITS) - 1));
  return place < CODE_BITS ? behind >> (CODE_BITS - place) : behind << (place - CODE_BITS);
}

/** The code of a price. */
export function codeUpTo(price: u32): u32 {
  const place = 31 - <i32>clz(price);
  const behind = place < CODE_BITS ? price << (CODE_BITS - place) : price >> (place - CODE_BITS);
  return min((place << CODE_BITS) | (behind & ((1 << CODE_BITS) - 1)), NO_PRICE - 1);
}
