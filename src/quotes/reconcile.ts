import type { MinorUnits } from '../stay/money.ts';
import type { OperatorQuote } from './booking-system.ts';

export type QuoteLine = OperatorQuote['lines'][number];

/** The operator's breakdown when it adds up to the total to the minor unit, otherwise nothing. */
export function reconciledLines(lines: readonly QuoteLine[], total: MinorUnits): readonly QuoteLine[] {
  let sum = 0;
  for (const { amount } of lines) {
    sum += amount;
    // Beyond safe integers an addition may be rounded, and match by accident.
    if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(sum)) return [];
  }
  return sum === total ? lines : [];
}
