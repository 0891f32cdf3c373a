import { labelCleaner } from '../../catalogue/text/operator-text.ts';
import type { FailureKind } from '../../limits/booking-system-failure.ts';
import type { Deposit, OperatorQuote, QuoteOutcome, UnavailableReason } from '../../quotes/booking-system.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { roundedAmountOf, roundedSumOf } from '../shared/prices/amount.ts';
import {
  type PublishedLine,
  readQuotedPolicy,
  readRoundedPriceLines,
  UNSTATED_POLICY,
} from '../shared/prices/quote-parts.ts';
import { cutText, looseList, looseNumber, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { readLodgifyAvailability, readLodgifyRates } from './calendar.ts';
import { readLodgifyProperties, readLodgifyRoom, readLodgifySettings } from './catalogue.ts';

export type LodgifyQuoteParameters = {
  readonly property: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly currency: string;
  /** The operator's words for prices that state no policy; null when the entry has none. */
  readonly cancellationText: string | null;
};

/** The vendor's error codes that state why a stay is unavailable. Any other code states no reason. */
const REFUSALS: ReadonlyMap<number, UnavailableReason> = new Map([
  // The vendor's generic code, sent with a sentence for the guest.
  [666, 'not_offered'],
  // No rate is defined.
  [901, 'not_offered'],
  [902, 'minimum_stay'],
  // No rooms are left.
  [905, 'booked'],
  [909, 'closed_to_arrival'],
  [910, 'closed_to_departure'],
  [911, 'booked'],
  // Validation, of guests for instance.
  [940, 'not_offered'],
  [997, 'unknown_property'],
]);
/** Error codes for an invalid call: wrong arguments, a missing object, the key. */
const REJECTIONS: ReadonlySet<number> = new Set([996, 998, 999]);

/** Words for a deposit in the vendor's languages. */
const DEPOSIT_WORDS = /deposit|kaution|caution|fianza|cauzione|cau[cç][aã]o|waarborg/i;
const ROOM_RATE = 0;
const MAX_POLICY_LENGTH = 4000;
const MAX_LABEL = 240;

/** Intake task: reads the answer of `GET /v2/quote/{property}`, in either of its shapes. Yields one item. */
export function* readLodgifyQuote(
  document: Uint8Array,
  parameters: LodgifyQuoteParameters,
): Generator<QuoteOutcome, null> {
  const answer = parseDocument(document);
  const quote = Array.isArray(answer) ? answer[0] : answer;
  const code = looseNumber(memberOf(quote, 'code'));
  const outcome = code === undefined ? quotedOf(quote, parameters) : refusalOf(code, parameters.property);
  // A document that is neither a quote nor a refusal yields nothing.
  if (outcome) yield outcome;
  return null;
}

function refusalOf(code: number, reference: string): QuoteOutcome {
  if (REJECTIONS.has(code)) return failed(reference, 'rejected');
  return { kind: 'unavailable', reference, reason: REFUSALS.get(code) ?? 'not_offered' };
}

function quotedOf(
  quote: unknown,
  { property, checkIn, checkOut, currency, cancellationText }: LodgifyQuoteParameters,
): QuoteOutcome | null {
  const quotedIn = memberOf(quote, 'currency_code');
  if (typeof quotedIn !== 'string') return null;
  const isAsked =
    recordNumber(memberOf(quote, 'property_id')) === property &&
    isDay(memberOf(quote, 'date_arrival'), checkIn) &&
    isDay(memberOf(quote, 'date_departure'), checkOut);
  if (!isAsked) return failed(property, 'garbled');
  if (quotedIn !== currency) return failed(property, 'wrong_currency');
  const deposit = depositOf(quote, currency);
  const lines = chargedLines(quote, deposit, currency);
  const total = totalOf(quote, { deposit: deposit?.amount ?? 0, lines, currency });
  if (total === undefined || total <= 0) return failed(property, 'garbled');
  const policy = cutText(memberOf(quote, 'cancellation_policy_text'), MAX_POLICY_LENGTH).trim();
  const cancellation = policy === '' ? {} : { cancellation: readQuotedPolicy(policy) };
  const unstated = policy === '' && cancellationText === null ? { cancellation: UNSTATED_POLICY } : {};
  return {
    kind: 'quoted',
    reference: property,
    quote: {
      currency,
      total,
      ...linesOf(quote, lines, total, currency),
      heldUntil: null,
      deposit,
      ...cancellation,
      ...unstated,
    },
  };
}

function isDay(published: unknown, day: Day): boolean {
  return cutText(published, 10) === formatDay(day);
}

/**
 * Accounts show their totals with or without VAT; the gross amount is the same in both. Undefined when the amounts differ by anything
 * but the deposit, which is not part of the price.
 */
function totalOf(
  quote: unknown,
  {
    deposit,
    lines,
    currency,
  }: { readonly deposit: MinorUnits; readonly lines: readonly PublishedLine[]; readonly currency: string },
): MinorUnits | undefined {
  const amount = (name: string) => roundedAmountOf(memberOf(quote, name), currency);
  const [gross, withVat] = [amount('amount_gross'), amount('total_including_vat')];
  const [withoutVat, vat] = ['total_excluding_vat', 'total_vat'].map((name) => memberOf(quote, name));
  const stated = withVat ?? roundedSumOf([withoutVat, vat ?? 0], currency);
  const total =
    deposit === 0
      ? (stated ?? gross)
      : withoutDeposit({
          stated,
          gross,
          deposit,
          prices: pricesOf(lines, vat, currency),
          spread: lines.length,
        });
  const isConsistent = gross === undefined || gross === total || gross === (total ?? 0) + deposit;
  return isConsistent ? total : undefined;
}

/** The sum of the lines, without and with separately shown VAT; empty when they cannot be added. */
function pricesOf(lines: readonly PublishedLine[], vat: unknown, currency: string): readonly MinorUnits[] {
  const amounts = lines.map(({ amount }) => amount);
  if (amounts.length === 0) return [];
  return [amounts, [...amounts, vat]].flatMap((parts) => roundedSumOf(parts, currency) ?? []);
}

/** The lines prove whether a total includes the deposit. Undefined when they do not. */
function withoutDeposit({
  stated,
  gross,
  deposit,
  prices,
  spread,
}: {
  readonly stated: MinorUnits | undefined;
  readonly gross: MinorUnits | undefined;
  readonly deposit: MinorUnits;
  readonly prices: readonly MinorUnits[];
  /** The largest rounding error: each line is off by less than the smallest unit. */
  readonly spread: number;
}): MinorUnits | undefined {
  // The vendor states the deposit beside the total, and does not document what the gross amount includes.
  if (prices.length === 0) return stated;
  const total = stated ?? gross;
  if (total === undefined) return undefined;
  const isPrice = (amount: MinorUnits) => prices.some((price) => Math.abs(amount - price) <= spread);
  if (isPrice(total)) return total;
  return isPrice(total - deposit) ? total - deposit : undefined;
}

function depositOf(quote: unknown, currency: string): Deposit | null {
  const amount = roundedAmountOf(memberOf(quote, 'security_deposit'), currency);
  return amount === undefined || amount <= 0 ? null : { amount, refundable: true };
}

/** The published lines without the deposit. */
function chargedLines(quote: unknown, deposit: Deposit | null, currency: string): readonly PublishedLine[] {
  const isDeposit = ({ label, amount }: PublishedLine) =>
    deposit !== null && DEPOSIT_WORDS.test(label) && roundedAmountOf(amount, currency) === deposit.amount;
  return publishedLines(quote).filter((line) => looseNumber(line.amount) !== 0 && !isDeposit(line));
}

function linesOf(
  quote: unknown,
  lines: readonly PublishedLine[],
  total: MinorUnits,
  currency: string,
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  if (lines.length === 0) return { lines: [] };
  const read = readRoundedPriceLines(lines, total, currency, labelCleaner);
  if (read.linesFault !== 'does_not_add_up') return read;
  // An account that shows VAT separately was seen with prices that include it; other accounts may exclude it.
  const vat = { label: 'VAT', amount: memberOf(quote, 'total_vat') };
  const withVat = readRoundedPriceLines([...lines, vat], total, currency, labelCleaner);
  return withVat.lines.length > 0 ? withVat : read;
}

function publishedLines(quote: unknown): readonly PublishedLine[] {
  const label = (value: unknown, name: string) => cutText(memberOf(value, name), MAX_LABEL);
  const rooms = looseList(memberOf(quote, 'room_types')).flatMap((room) =>
    looseList(memberOf(room, 'price_types')).flatMap((group) => {
      const isRoomRate = looseNumber(memberOf(group, 'type')) === ROOM_RATE;
      const name = label(group, 'description') || 'Price';
      return looseList(memberOf(group, 'prices')).map((price) => ({
        // A single price of a room rate carries the name of an internal class of the vendor.
        label: isRoomRate ? name : label(price, 'description') || name,
        amount: signed(memberOf(price, 'amount'), memberOf(group, 'is_negative') === true),
      }));
    }),
  );
  const addOns = looseList(memberOf(quote, 'add_ons')).map((addOn) => ({
    label: label(addOn, 'name') || 'Extra',
    amount: memberOf(addOn, 'amount'),
  }));
  const others = looseList(memberOf(quote, 'other_items')).map((item) => ({
    label: label(item, 'description') || 'Other',
    amount: memberOf(item, 'amount'),
  }));
  return [...rooms, ...addOns, ...others];
}

/** Discounts were seen with a negative amount already. */
function signed(amount: unknown, isNegative: boolean): unknown {
  const number = looseNumber(amount);
  return isNegative && number !== undefined && number > 0 ? -number : amount;
}

function failed(reference: string, failure: FailureKind): QuoteOutcome {
  return { kind: 'failed', reference, failure };
}

/** How the intake reads each document of this booking system. */
export const lodgifyTasks = {
  lodgify_properties: readLodgifyProperties,
  lodgify_room: readLodgifyRoom,
  lodgify_settings: readLodgifySettings,
  lodgify_availability: readLodgifyAvailability,
  lodgify_rates: readLodgifyRates,
  lodgify_quote: readLodgifyQuote,
} as const;
