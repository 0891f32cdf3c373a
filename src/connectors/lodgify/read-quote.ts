import { labelCleaner } from '../../catalogue/text/operator-text.ts';
import type { FailureKind } from '../../limits/booking-system-failure.ts';
import type { Deposit, OperatorQuote, QuoteOutcome, UnavailableReason } from '../../quotes/booking-system.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { roundedAmountOf, roundedSumOf } from '../shared/prices/amount.ts';
import { type PublishedLine, readRoundedPriceLines } from '../shared/prices/quote-parts.ts';
import { cutText, looseList, looseNumber, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';

export type LodgifyQuoteParameters = {
  readonly property: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly currency: string;
};

export type LodgifyQuoteReading = {
  /** Null when the document is neither a quote nor a refusal. */
  readonly outcome: QuoteOutcome | null;
  /** What the quote says about cancelling; empty when it says nothing. */
  readonly policy: string;
};

/** The vendor's error codes, where they say why there is no such stay. Any other says only that there is none. */
const REFUSALS: ReadonlyMap<number, UnavailableReason> = new Map([
  // Unknown: what the vendor sends, with a sentence for the guest, where none of the others fits.
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
/** And where they mean that the call itself was wrong: its arguments, a thing that does not exist, the key. */
const REJECTIONS: ReadonlySet<number> = new Set([996, 998, 999]);

/** In the languages in which the vendor answers. */
const DEPOSIT_WORDS = /deposit|kaution|caution|fianza|cauzione|cau[cç][aã]o|waarborg/i;
const ROOM_RATE = 0;
const MAX_POLICY_LENGTH = 4000;
const MAX_LABEL = 240;

/** A task of the intake: the answer of `GET /v2/quote/{property}`, in either shape. It is one item. */
export function* readLodgifyQuote(
  document: Uint8Array,
  parameters: LodgifyQuoteParameters,
): Generator<LodgifyQuoteReading, null> {
  const answer = parseDocument(document);
  const quote = Array.isArray(answer) ? answer[0] : answer;
  const code = looseNumber(memberOf(quote, 'code'));
  if (code !== undefined) yield { outcome: refusalOf(code, parameters.property), policy: '' };
  else {
    const policy = cutText(memberOf(quote, 'cancellation_policy_text'), MAX_POLICY_LENGTH);
    yield { outcome: quotedOf(quote, parameters), policy };
  }
  return null;
}

function refusalOf(code: number, reference: string): QuoteOutcome {
  if (REJECTIONS.has(code)) return failed(reference, 'rejected');
  return { kind: 'unavailable', reference, reason: REFUSALS.get(code) ?? 'not_offered' };
}

function quotedOf(
  quote: unknown,
  { property, checkIn, checkOut, currency }: LodgifyQuoteParameters,
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
  return {
    kind: 'quoted',
    reference: property,
    quote: { currency, total, ...linesOf(quote, lines, total, currency), heldUntil: null, deposit },
  };
}

function isDay(published: unknown, day: Day): boolean {
  return cutText(published, 10) === formatDay(day);
}

/**
 * Accounts show their totals with VAT or without it; the gross amount is the same in both. Undefined when the amounts contradict each
 * other by anything but the deposit, which is not a part of the price.
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

/** What the lines come to, without VAT that is shown apart and with it; empty when they cannot be added. */
function pricesOf(lines: readonly PublishedLine[], vat: unknown, currency: string): readonly MinorUnits[] {
  const amounts = lines.map(({ amount }) => amount);
  if (amounts.length === 0) return [];
  return [amounts, [...amounts, vat]].flatMap((parts) => roundedSumOf(parts, currency) ?? []);
}

/** The lines prove whether the deposit is in a total. Undefined when they say neither, or when there are none to ask. */
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
  /** A line that is rounded is off by less than the smallest unit. */
  readonly spread: number;
}): MinorUnits | undefined {
  // The vendor has a member for the deposit beside a total. Of the gross amount it does not say what is in it.
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

/** Without the deposit, should it be listed. */
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
  // An account that shows VAT apart was seen with prices that hold it; one whose prices do not would be no surprise.
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
        // Of a room rate the single price is named after a class of the vendor's.
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

/** What is taken off is negative already in the answers that were seen. */
function signed(amount: unknown, isNegative: boolean): unknown {
  const number = looseNumber(amount);
  return isNegative && number !== undefined && number > 0 ? -number : amount;
}

function failed(reference: string, failure: FailureKind): QuoteOutcome {
  return { kind: 'failed', reference, failure };
}
