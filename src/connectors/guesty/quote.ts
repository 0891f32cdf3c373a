import { labelCleaner } from '../../catalogue/text/operator-text.ts';
import type { FailureKind } from '../../limits/booking-system-failure.ts';
import type { OperatorQuote, QuotedPolicy, UnavailableReason } from '../../quotes/booking-system.ts';
import { parseDay } from '../../stay/day.ts';
import { decimalsOf, type MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { checkedListings } from '../shared/listings/checked-listings.ts';
import { roundedSumOf } from '../shared/prices/amount.ts';
import {
  type PublishedLine,
  readQuotedPolicy,
  readRoundedPriceLines,
  UNSTATED_POLICY,
} from '../shared/prices/quote-parts.ts';
import {
  isLooseRecord,
  type LooseRecord,
  looseList,
  looseNumber,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { readGuestyCalendar } from './calendar.ts';
import { guestyPolicyInWords, readGuestyListing, readGuestyListings, readGuestyRates } from './catalogue.ts';

/** The meaning of an answer with an error status. */
type GuestyRefusal =
  | { readonly kind: 'refused'; readonly reason: UnavailableReason }
  /** The error does not concern the stay. */
  | { readonly kind: 'not_understood' };

const REASON_OF_CODE: Readonly<Record<string, UnavailableReason>> = {
  LISTING_CALENDAR_BLOCKED: 'booked',
  MIN_NIGHT_MISMATCH: 'minimum_stay',
  // The listing does not exist in the account, or is not part of this booking engine.
  NOT_FOUND: 'unknown_property',
  FORBIDDEN: 'unknown_property',
};
const NOT_AVAILABLE = 'LISTING_IS_NOT_AVAILABLE';
const INVALID_REQUEST = 'VALIDATION_ERROR';

/** Why a rate plan cannot be booked; the first of several reasons is reported. */
const REASON_OF_FLAG: readonly (readonly [flag: string, UnavailableReason])[] = [
  ['closed', 'booked'],
  ['minNights', 'minimum_stay'],
  ['maxNights', 'maximum_stay'],
  ['cta', 'closed_to_arrival'],
  ['ctd', 'closed_to_departure'],
  ['advanceNotice', 'lead_time'],
  ['bookingWindow', 'not_offered'],
  ['manual', 'not_offered'],
];

const MAX_PARTS = 100;

/** Two envelopes are documented: one with the code at the top, one with everything inside `error`. */
function readGuestyRefusal(answer: unknown): GuestyRefusal {
  const outer = looseRecord(answer);
  const inner = looseRecord(outer.error);
  const data = looseRecord(inner.data ?? outer.data);
  const codes = [outer.error_code, outer.code, inner.code, ...looseList(data.errors).slice(0, MAX_PARTS)];
  for (const code of codes) {
    const reason =
      typeof code === 'string' && Object.hasOwn(REASON_OF_CODE, code) ? REASON_OF_CODE[code] : undefined;
    if (reason !== undefined) return { kind: 'refused', reason };
  }
  if (codes.includes(NOT_AVAILABLE)) return reasonOfPlans(looseRecord(data.moreDetails));
  const message = looseText(inner.message ?? outer.message) ?? '';
  // Seen for more guests than the listing takes. The same code also marks requests that are invalid in other ways.
  if (codes.includes(INVALID_REQUEST) && /guest|occupan/i.test(message)) {
    return { kind: 'refused', reason: 'too_many_guests' };
  }
  return { kind: 'not_understood' };
}

function reasonOfPlans(details: Readonly<Record<string, unknown>>): GuestyRefusal {
  const plans = looseList(details.notApplicableRatePlans).slice(0, MAX_PARTS);
  for (const [flag, reason] of REASON_OF_FLAG) {
    const isStated = plans.some((plan) => looseRecord(looseRecord(plan).notApplicable)[flag] === true);
    if (isStated) return { kind: 'refused', reason };
  }
  return { kind: 'refused', reason: 'not_offered' };
}

export type GuestyQuoteParameters = {
  /** Of the answer: any other than 200 is a refusal. */
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
/** Refunded after the stay, so neither in the total nor among its lines. Guesty documents no type for them. */
const DEPOSITS = new Set(['SECURITY_DEPOSIT', 'DAMAGE_DEPOSIT', 'REFUNDABLE_DEPOSIT']);
/** Types that are certainly not refunded: the fare, cleaning, and the taxes in Guesty's table of types. */
const CHARGES = new Set([
  ...['ACCOMMODATION_FARE', 'CLEANING_FEE', 'TAX', 'AF', 'CF'],
  ...['CT', 'COT', 'GST', 'HST', 'HSHAT', 'LT', 'MAT', 'OCT', 'ST', 'TOT', 'TT', 'VAT'],
]);
/** Words for a deposit, without accents, in the languages of operators' invoices. */
const SAYS_DEPOSIT = /deposit|\bdepot\b|\bcaution\b|cauzione|caucao|fianza|kaution|\bbond\b/i;
const ACCENTS = /\p{M}/gu;
const MAX_TITLE = 240;

/** Intake task: reads the answer to `POST /api/reservations/quotes`, a quote or a refusal. */
export function* readGuestyQuote(
  document: Uint8Array,
  { status, currency }: GuestyQuoteParameters,
): Generator<GuestyQuoteReading, null> {
  const answer = parseDocument(document);
  yield status === 200 ? readQuote(looseRecord(answer), currency) : readGuestyRefusal(answer);
  return null;
}

function readQuote(answer: LooseRecord, currency: string): GuestyQuoteReading {
  const plans = looseList(looseRecord(answer.rates).ratePlans).slice(0, MAX_PLANS).filter(isLooseRecord);
  const priced = plans.map((plan) => readMoney(plan, currency));
  const prices = priced.flatMap((plan) => (plan.kind === 'priced' ? [plan.price] : []));
  // The traveller chooses the plan on the operator's page; show the lowest total that is available there.
  const [cheapest] = prices.toSorted((one, other) => one.total - other.total);
  if (!cheapest) {
    const isForeign = priced.some(({ kind }) => kind === 'wrong_currency');
    return { kind: 'failed', failure: isForeign ? 'wrong_currency' : 'garbled' };
  }
  const { total, deposit, charged, plan } = cheapest;
  const policy = policyOf(plan, plans.length);
  return {
    kind: 'quoted',
    quote: {
      currency,
      total,
      ...readRoundedPriceLines(charged.filter(hasAmount).map(lineOf), total, currency, labelCleaner),
      deposit: deposit > 0 ? { amount: deposit, refundable: true } : null,
      heldUntil: instantOf(answer.expiresAt),
      ...(policy === 'of_the_listing' ? {} : { cancellation: policy }),
    },
  };
}

/** The listing's policy applies to a single plan that states none. */
function policyOf(plan: LooseRecord, plans: number): QuotedPolicy | 'of_the_listing' {
  const published = looseRecord(plan.ratePlan).cancellationPolicy ?? plan.cancellationPolicy;
  const words = guestyPolicyInWords(published);
  if (words !== undefined) return readQuotedPolicy(words);
  const saysNothing =
    published === undefined || published === null || published === '' || looseList(published).length === 0;
  return plans === 1 && saysNothing ? 'of_the_listing' : UNSTATED_POLICY;
}

/** Documented beside the plan's name; answers nest it in an inner plan, or in an inner `money`. */
function moneyOf(plan: LooseRecord): LooseRecord {
  const money = looseRecord(looseRecord(plan.ratePlan).money ?? plan.money);
  return isLooseRecord(money.money) ? money.money : money;
}

/** The price of a plan. Its labels are not cleaned yet, because only one of many plans is shown. */
type PlanPrice = {
  readonly total: MinorUnits;
  readonly deposit: MinorUnits;
  readonly charged: readonly LooseRecord[];
  readonly plan: LooseRecord;
};
type PricedPlan =
  | { readonly kind: 'priced'; readonly price: PlanPrice }
  | { readonly kind: 'wrong_currency' | 'garbled' };

function readMoney(plan: LooseRecord, currency: string): PricedPlan {
  const money = moneyOf(plan);
  if (typeof money.currency !== 'string') return { kind: 'garbled' };
  if (money.currency !== currency) return { kind: 'wrong_currency' };
  const published = looseList(money.invoiceItems);
  if (published.length > MAX_ITEMS) return { kind: 'garbled' };
  const items = published.map(looseRecord);
  if (items.some((item) => (looseText(item.currency) ?? currency) !== currency)) return { kind: 'garbled' };
  const deposits = items.filter(isDeposit);
  const charged = items.filter((item) => !isDeposit(item));
  if (charged.filter(hasAmount).some(mayBeDeposit)) return { kind: 'garbled' };
  const total = charged.length > 0 ? sumOf(charged, currency) : totalWithoutItems(money, currency);
  const deposit = sumOf(deposits, currency);
  if (!isPrice(total) || deposit === undefined || !Number.isSafeInteger(deposit)) return { kind: 'garbled' };
  if (charged.length > 0 && contradictsTotals(items, money, currency)) return { kind: 'garbled' };
  return { kind: 'priced', price: { total, deposit, charged, plan } };
}

function isPrice(total: MinorUnits | undefined): total is MinorUnits {
  return total !== undefined && total > 0 && Number.isSafeInteger(total);
}

function hasAmount({ amount }: LooseRecord): boolean {
  return looseNumber(amount) !== 0;
}

function isDeposit(item: LooseRecord): boolean {
  return isOneOf(DEPOSITS, item.type, item.normalType, item.secondIdentifier);
}

/** Named like a deposit but without a known type, so it is unclear whether the total includes it. */
function mayBeDeposit({ title, type, normalType }: LooseRecord): boolean {
  if (isOneOf(CHARGES, type, normalType)) return false;
  const name = (looseText(title) ?? '').slice(0, MAX_TITLE).normalize('NFKD').replace(ACCENTS, '');
  return SAYS_DEPOSIT.test(name);
}

function isOneOf(types: ReadonlySet<string>, ...published: readonly unknown[]): boolean {
  return published.some((type) => typeof type === 'string' && types.has(type));
}

/**
 * Whether the items of an invoice contradict its totals. Every amount may be rounded separately; the totals may or may not include a
 * deposit; a tax that an item includes may be counted among the taxes again.
 */
function contradictsTotals(items: readonly LooseRecord[], money: LooseRecord, currency: string): boolean {
  const [subTotal, taxes] = [looseNumber(money.subTotalPrice), looseNumber(money.totalTaxes)];
  if (subTotal === undefined || taxes === undefined) return false;
  const sum = (some: readonly LooseRecord[]) =>
    some.reduce((total, { amount }) => total + (looseNumber(amount) ?? 0), 0);
  const rounded = ((items.length + 2) * 0.5) / 10 ** decimalsOf(currency);
  const lowest = items.some(includesTaxes) ? Math.min(subTotal, subTotal + taxes) : subTotal + taxes;
  const highest = Math.max(subTotal + taxes, lowest);
  const charged = sum(items.filter((item) => !isDeposit(item)));
  return ![charged, sum(items)].some((total) => total >= lowest - rounded && total <= highest + rounded);
}

function includesTaxes({ includedTaxesList }: LooseRecord): boolean {
  return looseList(includedTaxesList).length > 0;
}

/** Rounds only the sum, because items can have more decimals than the currency. */
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

/** Turns CLEANING_FEE into "Cleaning fee". */
function inWords(type: string): string {
  const words = type.slice(0, 100).toLowerCase().replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Null when it is missing or invalid: then the price is not held. */
function instantOf(published: unknown): number | null {
  const text = looseText(published) ?? '';
  if (!INSTANT.test(text) || parseDay(text.slice(0, 10)) === undefined) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

/** How the intake reads each document of this booking system. */
export const guestyTasks = {
  guesty_listings: checkedListings(readGuestyListings, ({ hasTerms }) => !hasTerms),
  guesty_listing: readGuestyListing,
  guesty_rates: readGuestyRates,
  guesty_calendar: readGuestyCalendar,
  guesty_quote: readGuestyQuote,
} as const;
