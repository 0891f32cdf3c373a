import { labelCleaner } from '../../catalogue/text/operator-text.ts';
import { BookingSystemFailure, type FailureKind } from '../../limits/booking-system-failure.ts';
import type { Deposit, OperatorQuote, QuoteOutcome } from '../../quotes/booking-system.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { amountOf } from '../shared/prices/amount.ts';
import {
  type LabelAllowance,
  labelAllowance,
  type PublishedLine,
  readPriceLines,
} from '../shared/prices/quote-parts.ts';
import { looseList, looseNumber, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { readBookingsyncCalendarParts } from './calendar-parts.ts';
import {
  type BookingsyncPage,
  bookingsyncPageCount,
  readBookingsyncRecords,
  readBookingsyncRentals,
  recordsIn,
  translated,
} from './payloads.ts';

type SearchParameters = {
  readonly asked: readonly string[];
  readonly currency: string;
  readonly language: string;
};

const ACCOMMODATION = 'Accommodation';
const MAX_LABEL = 240;

/**
 * Intake task: reads a page of `GET /rentals/search`. Yields an outcome for each requested rental on it. The vendor silently leaves
 * out the others, so they are known only after the last page.
 */
export function* readBookingsyncSearch(
  document: Uint8Array,
  { asked, currency, language }: SearchParameters,
): Generator<QuoteOutcome, BookingsyncPage> {
  const page = parseDocument(document);
  if (!Array.isArray(memberOf(page, 'rentals'))) {
    throw new BookingSystemFailure('garbled', 'the answer holds no list of rentals');
  }
  const wanted = new Set(asked);
  const allowance = labelAllowance();
  const rentals = Map.groupBy(recordsIn(page, 'rentals'), (rental) => recordNumber(memberOf(rental, 'id')));
  for (const [reference, [rental, ...others]] of rentals) {
    if (reference === undefined || !wanted.has(reference)) continue;
    yield others.length > 0
      ? failed(reference, 'garbled')
      : outcomeOf(rental, reference, { currency, language, allowance });
  }
  return { pages: bookingsyncPageCount(page) };
}

type PageContext = Omit<SearchParameters, 'asked'> & { readonly allowance: LabelAllowance };

function outcomeOf(rental: unknown, reference: string, context: PageContext): QuoteOutcome {
  const { currency } = context;
  const quotedIn = memberOf(rental, 'currency');
  if (typeof quotedIn !== 'string') return failed(reference, 'garbled');
  if (quotedIn !== currency) return failed(reference, 'wrong_currency');
  const total = amountOf(memberOf(rental, 'final_price'), currency);
  if (total === undefined || total <= 0) return failed(reference, 'garbled');
  return {
    kind: 'quoted',
    reference,
    quote: {
      currency,
      total,
      ...linesOf(rental, total, context),
      heldUntil: null,
      deposit: depositOf(memberOf(rental, 'damage_deposit'), currency),
    },
  };
}

function linesOf(
  rental: unknown,
  total: MinorUnits,
  { currency, language, allowance }: PageContext,
): Pick<OperatorQuote, 'lines' | 'linesFault'> {
  const details = memberOf(rental, 'price_details');
  const nameOf = (part: unknown, fallback: string) =>
    translated(memberOf(part, 'name'), language, MAX_LABEL) || fallback;
  const fees = looseList(memberOf(details, 'fees')).filter((fee) => memberOf(fee, 'required') !== false);
  // The price of the taxed part already contains an included tax.
  const taxes = looseList(memberOf(details, 'taxes')).filter((tax) => memberOf(tax, 'included') !== true);
  const withFees = (feeAmount: (fee: unknown) => unknown): readonly PublishedLine[] => [
    { label: ACCOMMODATION, amount: memberOf(rental, 'initial_price') },
    ...fees.map((fee) => ({ label: nameOf(fee, 'Fee'), amount: feeAmount(fee) })),
    ...taxes.map((tax) => ({ label: nameOf(tax, 'Tax'), amount: memberOf(tax, 'amount') })),
  ];
  // The documentation does not state whether a fee's price is per unit or for its whole quantity; the sum shows it.
  for (const feeAmount of [wholePrice, priceForEach]) {
    const lines = readPriceLines(
      withFees(feeAmount).filter(({ amount }) => looseNumber(amount) !== 0),
      currency,
      labelCleaner,
      { allowance },
    );
    if (lines.linesFault || lines.lines.reduce((sum, { amount }) => sum + amount, 0) === total) return lines;
  }
  return { lines: [], linesFault: 'does_not_add_up' };
}

function wholePrice(fee: unknown): unknown {
  return memberOf(fee, 'price');
}

function priceForEach(fee: unknown): unknown {
  const [price, quantity] = [looseNumber(memberOf(fee, 'price')), looseNumber(memberOf(fee, 'quantity'))];
  return price === undefined || quantity === undefined ? undefined : price * quantity;
}

/** Refundable according to the vendor's documentation, and never part of the price. */
function depositOf(published: unknown, currency: string): Deposit | null {
  const amount = amountOf(published, currency);
  return amount === undefined || amount <= 0 ? null : { amount, refundable: true };
}

function failed(reference: string, failure: FailureKind): QuoteOutcome {
  return { kind: 'failed', reference, failure };
}

/** How the intake reads each document of this booking system. */
export const bookingsyncTasks = {
  bookingsync_rentals: readBookingsyncRentals,
  bookingsync_records: readBookingsyncRecords,
  bookingsync_calendar_parts: readBookingsyncCalendarParts,
  bookingsync_search: readBookingsyncSearch,
} as const;
