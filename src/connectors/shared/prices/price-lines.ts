import type { LabelCleaner } from '../../../catalogue/text/label-cleaner.ts';
import type { OperatorQuote } from '../../../quotes/booking-system.ts';
import type { MinorUnits } from '../../../stay/money.ts';
import { amountOf, roundedAmountOf } from './amount.ts';

/** A line of a breakdown as a vendor publishes it. */
export type PublishedLine = { readonly label: string; readonly amount: unknown };

/** As many as the open protocol has; nobody reads more, and each label takes time to clean. */
const MAX_LINES = 50;
/** Of the labels of an answer together: 40 homes with 12 lines of 50 characters each. Labels made to be slow take a few tenths of a second. */
const MAX_LABELS_LENGTH = 24_000;

/** What one answer has left of it. Labels that repeat those of the price before cost no time and take nothing. */
export type LabelAllowance = { left: number };
export const labelAllowance = (): LabelAllowance => ({ left: MAX_LABELS_LENGTH });

/** All or none, because it has to add up: none when there are too many, an amount cannot be read, or the labels cannot be shown. */
export function readPriceLines(
  lines: readonly PublishedLine[],
  currency: string,
  labels: LabelCleaner,
  { readAmount = amountOf, allowance = labelAllowance() } = {},
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  if (lines.length > MAX_LINES) return { lines: [], linesFault: 'too_many_lines' };
  const amounts: MinorUnits[] = [];
  for (const line of lines) {
    const amount = readAmount(line.amount, currency);
    if (amount === undefined) return { lines: [], linesFault: 'inexact_amount' };
    amounts.push(amount);
  }
  const shown = shownLabels(lines, labels, allowance);
  return shown.fault === null
    ? { lines: amounts.map((amount, line) => ({ label: shown.labels[line] ?? '', amount })) }
    : { lines: [], linesFault: shown.fault };
}

type ShownLabels = {
  readonly labels: readonly string[];
  readonly fault: 'labels_too_long' | 'label_held_back' | 'labels_held_back_together' | null;
};

/** Most prices of an answer have the labels of the one before. What they are judged to be depends on them and the cleaner alone. */
let last:
  | { readonly published: readonly string[]; readonly cleaner: LabelCleaner; readonly shown: ShownLabels }
  | undefined;

function shownLabels(
  lines: readonly PublishedLine[],
  cleaner: LabelCleaner,
  allowance: LabelAllowance,
): ShownLabels {
  if (last?.cleaner === cleaner && haveLabels(lines, last.published)) return last.shown;
  const published = lines.map(({ label }) => label);
  const length = published.reduce((sum, label) => sum + label.length, 0);
  if (length > allowance.left) return { labels: [], fault: 'labels_too_long' };
  allowance.left -= length;
  const shown = judgeLabels(published, cleaner);
  last = { published, cleaner, shown };
  return shown;
}

function haveLabels(lines: readonly PublishedLine[], labels: readonly string[]): boolean {
  return lines.length === labels.length && lines.every(({ label }, line) => label === labels[line]);
}

function judgeLabels(published: readonly string[], cleaner: LabelCleaner): ShownLabels {
  const labels: string[] = [];
  for (const label of published) {
    const cleaned = cleaner.clean(label);
    if (cleaned === '') return { labels: [], fault: 'label_held_back' };
    labels.push(cleaned);
  }
  return { labels, fault: cleaner.canStandTogether(labels) ? null : 'labels_held_back_together' };
}

/** For a vendor that sends more decimals than the currency has: each amount rounded, where they still add up to the total. */
export function readRoundedPriceLines(
  lines: readonly PublishedLine[],
  total: MinorUnits,
  currency: string,
  labels: LabelCleaner,
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  const read = readPriceLines(lines, currency, labels, { readAmount: roundedAmountOf });
  const addsUp = read.lines.reduce((sum, { amount }) => sum + amount, 0) === total;
  return addsUp || read.lines.length === 0 ? read : { lines: [], linesFault: 'does_not_add_up' };
}
