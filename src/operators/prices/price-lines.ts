import type { OperatorQuote } from '../../quotes/booking-system.ts';
import type { MinorUnits } from '../../stay/money.ts';
import type { LabelCleaner } from '../model-text/label-cleaner.ts';
import { amountOf } from './amount.ts';

/** A line of a breakdown as a vendor publishes it. */
export type PublishedLine = { readonly label: string; readonly amount: unknown };

/** As many as the open protocol has; nobody reads more, and each label takes time to clean. */
const MAX_LINES = 50;

/** All or none, because it has to add up: none when there are too many, an amount is not exact, or the labels cannot be shown. */
export function readPriceLines(
  lines: readonly PublishedLine[],
  currency: string,
  labels: LabelCleaner,
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  if (lines.length > MAX_LINES) return { lines: [], linesFault: 'too_many_lines' };
  const exact: { label: string; amount: MinorUnits }[] = [];
  for (const line of lines) {
    const amount = amountOf(line.amount, currency);
    if (amount === undefined) return { lines: [], linesFault: 'inexact_amount' };
    exact.push({ label: line.label, amount });
  }
  const read: { label: string; amount: MinorUnits }[] = [];
  for (const line of exact) {
    const label = labels.clean(line.label);
    if (label === '') return { lines: [], linesFault: 'label_held_back' };
    read.push({ label, amount: line.amount });
  }
  const canBeShown = labels.canStandTogether(read.map(({ label }) => label));
  return canBeShown ? { lines: read } : { lines: [], linesFault: 'labels_held_back_together' };
}
