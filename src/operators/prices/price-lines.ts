import type { OperatorQuote } from '../../quotes/booking-system.ts';
import type { MinorUnits } from '../../stay/money.ts';
import type { LabelCleaner } from '../model-text/label-cleaner.ts';
import { amountOf, roundedAmountOf } from './amount.ts';

/** A line of a breakdown as a vendor publishes it. */
export type PublishedLine = { readonly label: string; readonly amount: unknown };

/** As many as the open protocol has; nobody reads more, and each label takes time to clean. */
const MAX_LINES = 50;

/** All or none, because it has to add up: none when there are too many, an amount cannot be read, or the labels cannot be shown. */
export function readPriceLines(
  lines: readonly PublishedLine[],
  currency: string,
  labels: LabelCleaner,
  readAmount: typeof amountOf = amountOf,
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  if (lines.length > MAX_LINES) return { lines: [], linesFault: 'too_many_lines' };
  const amounts: { label: string; amount: MinorUnits }[] = [];
  for (const line of lines) {
    const amount = readAmount(line.amount, currency);
    if (amount === undefined) return { lines: [], linesFault: 'inexact_amount' };
    amounts.push({ label: line.label, amount });
  }
  const read: { label: string; amount: MinorUnits }[] = [];
  for (const line of amounts) {
    const label = labels.clean(line.label);
    if (label === '') return { lines: [], linesFault: 'label_held_back' };
    read.push({ label, amount: line.amount });
  }
  const canBeShown = labels.canStandTogether(read.map(({ label }) => label));
  return canBeShown ? { lines: read } : { lines: [], linesFault: 'labels_held_back_together' };
}

/** For a vendor that sends more decimals than the currency has: each amount rounded, where they still add up to the total. */
export function readRoundedPriceLines(
  lines: readonly PublishedLine[],
  total: MinorUnits,
  currency: string,
  labels: LabelCleaner,
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  const read = readPriceLines(lines, currency, labels, roundedAmountOf);
  const addsUp = read.lines.reduce((sum, { amount }) => sum + amount, 0) === total;
  return addsUp || read.lines.length === 0 ? read : { lines: [], linesFault: 'does_not_add_up' };
}
