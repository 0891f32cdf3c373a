import type { MinorUnits } from '../../stay/money.ts';
import { CODE_BITS, NO_PRICE } from './kernel/layout.ts';

/**
 * A price in 16 bits, rounded down: the place of its highest bit, and the bits behind it. Codes are in the order of the prices, so
 * that they can be compared as they are; the kernels know them too.
 */
export function priceCode(price: MinorUnits): number {
  const place = 31 - Math.clz32(price);
  const behind = place < CODE_BITS ? price << (CODE_BITS - place) : price >>> (place - CODE_BITS);
  const code = (place << CODE_BITS) | (behind & ((1 << CODE_BITS) - 1));
  return Math.min(code, NO_PRICE - 1);
}

/** The lowest price with this code. */
export function lowestPriceOf(code: number): MinorUnits {
  const place = code >>> CODE_BITS;
  const behind = (1 << CODE_BITS) | (code & ((1 << CODE_BITS) - 1));
  return place < CODE_BITS ? behind >>> (CODE_BITS - place) : behind * 2 ** (place - CODE_BITS);
}
