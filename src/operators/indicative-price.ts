import type { MinorUnits } from '../stay/money.ts';

const MAX_COLUMN_VALUE = 2 ** 32 - 1;

/** A calendar keeps 32 bits a price. What lies above only orders candidates, so it may stop at the top; it must not wrap around. */
export function indicativePrice(amount: MinorUnits): number {
  return Math.min(amount, MAX_COLUMN_VALUE);
}
