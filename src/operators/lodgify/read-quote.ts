import type {
  Deposit,
  FailureKind,
  OperatorQuote,
  QuoteOutcome,
  UnavailableReason,
} from '../../quotes/booking-system.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { createLabelCleaner } from '../model-text/label-cleaner.ts';
import { amountOf } from '../prices/amount.ts';
import { type PublishedLine, readPriceLines } from '../prices/price-lines.ts';
import { looseList, looseNumber } from '../vendors/loose-values.ts';
import { cutText, memberOf, recordNumber } from '../vendors/numbered-records.ts';

export type LodgifyQuoteParameters = {
  readonly property: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly currency: string;
};

export type LodgifyQuoteReading = {
  /** Null when the document is neither a quote nor a refusal that is known. */
  readonly outcome: QuoteOutcome | null;
  /** What the quote says about cancelling; empty when it says nothing. */
  readonly policy: string;
};

/** The vendor's error codes, where they mean that there is no such stay. */
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

function refusalOf(code: number, reference: string): QuoteOutcome | null {
  const reason = REFUSALS.get(code);
  if (reason) return { kind: 'unavailable', reference, reason };
  return REJECTIONS.has(code) ? failed(reference, 'rejected') : null;
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
  const total = totalOf(quote, deposit, currency);
  if (total === undefined || total <= 0) return failed(property, 'garbled');
  const lines = linesOf(quote, total, currency);
  return {
    kind: 'quoted',
    reference: property,
    quote: { currency, total, ...lines, heldUntil: null, deposit },
  };
}

function isDay(published: unknown, day: Day): boolean {
  return cutText(published, 10) === formatDay(day);
}

/**
 * Accounts show their totals with VAT or without it; the gross amount is the same in both. Undefined when the amounts contradict each
 * other by anything but the deposit, which is not a part of the price.
 */
function totalOf(quote: unknown, deposit: Deposit | null, currency: string): MinorUnits | undefined {
  const amount = (name: string) => amountOf(memberOf(quote, name) ?? undefined, currency);
  const [gross, withVat] = [amount('amount_gross'), amount('total_including_vat')];
  const [withoutVat, vat] = [amount('total_excluding_vat'), amount('total_vat')];
  const total = withVat ?? (withoutVat === undefined ? undefined : withoutVat + (vat ?? 0));
  if (total === undefined) return gross;
  const isConsistent = gross === undefined || gross === total || gross === total + (deposit?.amount ?? 0);
  return isConsistent ? total : undefined;
}

function depositOf(quote: unknown, currency: string): Deposit | null {
  const amount = amountOf(memberOf(quote, 'security_deposit'), currency);
  return amount === undefined || amount <= 0 ? null : { amount, refundable: true };
}

function linesOf(
  quote: unknown,
  total: MinorUnits,
  currency: string,
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  const lines = publishedLines(quote).filter(({ amount }) => looseNumber(amount) !== 0);
  if (lines.length === 0) return { lines: [] };
  const labels = createLabelCleaner();
  const vat = { label: 'VAT', amount: memberOf(quote, 'total_vat') };
  // An account that shows VAT apart was seen with prices that hold it; one whose prices do not would be no surprise.
  for (const candidates of [lines, [...lines, vat]]) {
    const read = readPriceLines(candidates, currency, labels);
    if (read.linesFault && candidates === lines) return read;
    if (read.lines.reduce((sum, { amount }) => sum + amount, 0) === total) return read;
  }
  return { lines: [], linesFault: 'does_not_add_up' };
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
