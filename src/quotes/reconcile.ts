import type { MinorUnits } from '../stay/money.ts';
import type { BreakdownFault, OperatorQuote } from './booking-system.ts';

export type QuoteLine = OperatorQuote['lines'][number];

/** Twice what a rate card's largest discount needs. Two great lines that cancel each other out can spell a phone number. */
const MAX_LINE_TIMES_TOTAL = 20;

/** Why a breakdown is not shown; undefined when it adds up to the total to the minor unit, and when there is none. */
export function breakdownFault(lines: readonly QuoteLine[], total: MinorUnits): BreakdownFault | undefined {
  if (lines.length === 0) return undefined;
  const maxLine = total * MAX_LINE_TIMES_TOTAL;
  let sum = 0;
  let isInProportion = true;
  for (const { amount } of lines) {
    sum += amount;
    // Beyond safe integers an addition may be rounded, and match by accident.
    if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(sum)) return 'does_not_add_up';
    if (Math.abs(amount) > maxLine) isInProportion = false;
  }
  if (sum !== total) return 'does_not_add_up';
  return isInProportion ? undefined : 'out_of_proportion';
}
