import { CODE_BITS, NO_PRICE } from '../layout';

/**
 * Prices in 16 bits, rounded down: the place of the highest bit, and the bits behind it. Codes are in the order of the prices, so
 * that they can be compared as they are.
 */

/** The first of base, base + step, … that a code allows, from which the prices of a block of days are counted. */
export function firstPrice(base: u32, step: u32, code: u32): u32 {
  const lowest = lowestPriceOf(code);
  return lowest <= base ? base : base + ((lowest - base - 1) / step + 1) * step;
}

function lowestPriceOf(code: u32): u32 {
  const place = <i32>(code >> CODE_BITS);
  const behind: u32 = (1 << CODE_BITS) | (code & ((1 << CODE_BITS) - 1));
  return place < CODE_BITS ? behind >> (CODE_BITS - place) : behind << (place - CODE_BITS);
}

/** The code of a price, which is the highest one of prices up to it. */
export function codeUpTo(price: u32): u32 {
  const place = 31 - <i32>clz(price);
  const behind = place < CODE_BITS ? price << (CODE_BITS - place) : price >> (place - CODE_BITS);
  return min((place << CODE_BITS) | (behind & ((1 << CODE_BITS) - 1)), NO_PRICE - 1);
}
