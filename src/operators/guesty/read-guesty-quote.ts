import type { FailureKind, OperatorQuote } from '../../quotes/booking-system.ts';
import { parseDay } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { createLabelCleaner, type LabelCleaner } from '../model-text/label-cleaner.ts';
import { roundedSumOf } from '../prices/amount.ts';
import { type PublishedLine, readRoundedPriceLines } from '../prices/price-lines.ts';
import {
  isLooseRecord,
  type LooseRecord,
  looseList,
  looseNumber,
  looseRecord,
  looseText,
} from '../vendors/loose-values.ts';
import { type GuestyRefusal, readGuestyRefusal } from './guesty-refusals.ts';

export type GuestyQuoteParameters = {
  /** Of the answer: any other than 200 brings a refusal. */
  readonly status: number;
  readonly currency: string;
};

export type GuestyQuoteReading =
  | { readonly kind: 'quoted'; readonly quote: OperatorQuote }
  | { readonly kind: 'failed'; readonly failure: FailureKind }
  | GuestyRefusal;

const MAX_PLANS = 50;
const MAX_ITEMS = 200;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;
/** Given back after the stay, so neither in the total nor among its lines. */
const DEPOSITS = new Set(['SECURITY_DEPOSIT', 'DAMAGE_DEPOSIT', 'REFUNDABLE_DEPOSIT']);

/** A task of the intake: the answer to `POST /api/reservations/quotes`, a quote or a refusal. */
export function* readGuestyQuote(
  document: Uint8Array,
  { status, currency }: GuestyQuoteParameters,
): Generator<GuestyQuoteReading, null> {
  const answer = parseDocument(document);
  yield status === 200 ? readQuote(looseRecord(answer), currency) : readGuestyRefusal(answer);
  return null;
}

function readQuote(answer: LooseRecord, currency: string): GuestyQuoteReading {
  const plans = looseList(looseRecord(answer.rates).ratePlans).slice(0, MAX_PLANS);
  const labels = createLabelCleaner();
  const priced = plans.map((plan) => readMoney(moneyOf(plan), currency, labels));
  const quotes = priced.flatMap((plan) => (plan.kind === 'priced' ? [plan.price] : []));
  // Which plan is booked is chosen on the operator's page; the lowest total is the one that can be had.
  const [cheapest] = quotes.toSorted((one, other) => one.total - other.total);
  if (!cheapest) {
    const isForeign = priced.some(({ kind }) => kind === 'wrong_currency');
    return { kind: 'failed', failure: isForeign ? 'wrong_currency' : 'garbled' };
  }
  return { kind: 'quoted', quote: { currency, ...cheapest, heldUntil: instantOf(answer.expiresAt) } };
}

/** Documented beside the plan's name; answers have it in a plan within the plan, or in a money within the money. */
function moneyOf(published: unknown): LooseRecord {
  const plan = looseRecord(published);
  const money = looseRecord(looseRecord(plan.ratePlan).money ?? plan.money);
  return isLooseRecord(money.money) ? money.money : money;
}

type PlanPrice = Pick<OperatorQuote, 'total' | 'lines' | 'linesFault' | 'deposit'>;
type PricedPlan =
  | { readonly kind: 'priced'; readonly price: PlanPrice }
  | { readonly kind: 'wrong_currency' | 'garbled' };

function readMoney(money: LooseRecord, currency: string, labels: LabelCleaner): PricedPlan {
  if (typeof money.currency !== 'string') return { kind: 'garbled' };
  if (money.currency !== currency) return { kind: 'wrong_currency' };
  const items = looseList(money.invoiceItems)
    .slice(0, MAX_ITEMS + 1)
    .map(looseRecord);
  if (items.length > MAX_ITEMS) return { kind: 'garbled' };
  if (items.some((item) => (looseText(item.currency) ?? currency) !== currency)) return { kind: 'garbled' };
  const deposits = items.filter(isDeposit);
  const charged = items.filter((item) => !isDeposit(item));
  const total = charged.length > 0 ? sumOf(charged, currency) : totalWithoutItems(money, currency);
  const deposit = sumOf(deposits, currency);
  if (!isPrice(total) || deposit === undefined || !Number.isSafeInteger(deposit)) return { kind: 'garbled' };
  return {
    kind: 'priced',
    price: {
      total,
      ...readRoundedPriceLines(
        charged.filter((item) => looseNumber(item.amount) !== 0).map(lineOf),
        total,
        currency,
        labels,
      ),
      deposit: deposit > 0 ? { amount: deposit, refundable: true } : null,
    },
  };
}

function isPrice(total: MinorUnits | undefined): total is MinorUnits {
  return total !== undefined && total > 0 && Number.isSafeInteger(total);
}

function isDeposit(item: LooseRecord): boolean {
  return [item.type, item.normalType].some((type) => typeof type === 'string' && DEPOSITS.has(type));
}

/** Rounded as a whole, where single items have more decimals than the currency. */
function sumOf(items: readonly LooseRecord[], currency: string): MinorUnits | undefined {
  return roundedSumOf(
    items.map((item) => item.amount),
    currency,
  );
}

function totalWithoutItems(money: LooseRecord, currency: string): MinorUnits | undefined {
  return roundedSumOf([money.subTotalPrice, money.totalTaxes ?? 0], currency);
}

function lineOf(item: LooseRecord): PublishedLine {
  return {
    label: looseText(item.title) ?? inWords(looseText(item.type) ?? ''),
    amount: item.amount,
  };
}

/** CLEANING_FEE is "Cleaning fee". */
function inWords(type: string): string {
  const words = type.slice(0, 100).toLowerCase().replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Null when there is none, or none that can be understood: then nobody promises how long the price holds. */
function instantOf(published: unknown): number | null {
  const text = looseText(published) ?? '';
  if (!INSTANT.test(text) || parseDay(text.slice(0, 10)) === undefined) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
