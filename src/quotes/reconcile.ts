import type { MinorUnits } from '../stay/money.ts';
import type { OperatorQuote } from './booking-system.ts';

export type QuoteLine = OperatorQuote['lines'][number];

/** Twice what a rate card's largest discount needs. Two great lines that cancel each other out can spell a phone number. */
const MAX_LINE_TIMES_TOTAL = 20;

/** The operator's breakdown when it adds up to the total to the minor unit, otherwise nothing. */
export function reconciledLines(lines: readonly QuoteLine[], total: MinorUnits): readonly QuoteLine[] {
  const maxLine = total * MAX_LINE_TIMES_TOTAL;
  let sum = 0;
  for (const { amount } of lines) {
    sum += amount;
    // Beyond safe integers an addition may be rounded, and match by accident.
    if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(sum)) return [];
    if (Math.abs(amount) > maxLine) return [];
  }
  return sum === total ? lines : [];
}
