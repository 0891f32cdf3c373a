import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { LabelCleaner } from '../../../catalogue/text/operator-text.ts';
import { verbatimText } from '../../../catalogue/text/operator-text.ts';
import type { Deposit, OperatorQuote, QuotedPolicy } from '../../../quotes/booking-system.ts';
import { type MinorUnits, parseAmount } from '../../../stay/money.ts';
import { MAX_POLICY_LENGTH, POLICY_NOT_PUBLISHED } from '../listings/listing.ts';
import { amountOf, roundedAmountOf } from './amount.ts';

/** A line of a breakdown as a vendor publishes it. */
export type PublishedLine = { readonly label: string; readonly amount: unknown };

/** The limit of the open protocol; travellers read no more, and cleaning each label takes time. */
const MAX_LINES = 50;
/** All labels of an answer: 40 homes with 12 lines of 50 characters each. Labels made to be slow then take a few tenths of a second. */
const MAX_LABELS_LENGTH = 24_000;

/** The rest of that limit in one answer. Labels that repeat those of the previous price cost nothing. */
export type LabelAllowance = { left: number };
export const labelAllowance = (): LabelAllowance => ({ left: MAX_LABELS_LENGTH });

/** All lines or none, because they must add up: none when there are too many, an amount is unreadable, or a label cannot be shown. */
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

/** Most prices of an answer repeat the labels of the previous one. The result depends only on the labels and the cleaner. */
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

/** For a vendor that sends more decimals than the currency has: rounds each amount, if they still add up to the total. */
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

/** For a price whose policy the booking system does not state, while other prices of the home may differ. */
export const UNSTATED_POLICY: QuotedPolicy = {
  summary: POLICY_NOT_PUBLISHED,
  free: null,
  refundable: null,
};

/** The listing's policy may differ, so it cannot replace this one; and without this price a dearer one would seem the lowest. */
const POLICY_DROPPED: QuotedPolicy = {
  summary: 'The policy of this price could not be shown; read it on the operator’s website before booking.',
  free: null,
  refundable: null,
  isRejected: true,
};

/** Cleans the text of a policy like that of a listing. */
export function readQuotedPolicy(words: string): QuotedPolicy {
  const policy = verbatimText(words, MAX_POLICY_LENGTH);
  if (policy.kind === 'invalid' || policy.value.text === '') return POLICY_DROPPED;
  const { text, wasCut } = policy.value;
  return { summary: text, free: null, refundable: null, ...(wasCut ? { wasCut } : {}) };
}

export const DepositTerms = Type.Object(
  {
    amount: Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
      description: 'A decimal string with the decimals of the currency.',
    }),
    refundable: Type.Boolean({ description: 'Whether it is given back after the stay.' }),
  },
  { description: 'A deposit. A refundable one is not part of the total.' },
);

const depositTerms = Compile(DepositTerms);

/** Undefined when unreadable, null when there is none. The price does not depend on it. */
export function readDeposit(published: unknown, currency: string): Deposit | null | undefined {
  if (published === undefined || published === null) return null;
  if (!depositTerms.Check(published)) return undefined;
  const amount = parseAmount(published.amount, currency);
  return amount === undefined ? undefined : { amount, refundable: published.refundable };
}
