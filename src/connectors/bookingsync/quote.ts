import { labelCleaner } from '../../catalogue/text/operator-text.ts';
import type { FailureKind } from '../../limits/booking-system-failure.ts';
import type { Deposit, OperatorQuote, QuoteOutcome } from '../../quotes/booking-system.ts';
import type { MinorUnits } from '../../stay/money.ts';
import { checkedListings } from '../shared/listings/checked-listings.ts';
import { amountOf } from '../shared/prices/amount.ts';
import {
  type LabelAllowance,
  labelAllowance,
  type PublishedLine,
  readPriceLines,
} from '../shared/prices/quote-parts.ts';
import { looseList, looseNumber, memberOf, recordNumber } from '../shared/vendors/loose-values.ts';
import { readBookingsyncCalendars } from './calendar.ts';
import { readBookingsyncAmenities, readBookingsyncRentals, recordsOfPage, translated } from './catalogue.ts';

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
): Generator<QuoteOutcome, null> {
  const wanted = new Set(asked);
  const allowance = labelAllowance();
  const byNumber = Map.groupBy(recordsOfPage(document, 'rentals'), (rental) =>
    recordNumber(memberOf(rental, 'id')),
  );
  for (const [reference, [rental, ...others]] of byNumber) {
    if (reference === undefined || !wanted.has(reference)) continue;
    yield others.length > 0
      ? failed(reference, 'garbled')
      : outcomeOf(rental, reference, { currency, language, allowance });
  }
  return null;
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
  const lines: readonly PublishedLine[] = [
    { label: ACCOMMODATION, amount: memberOf(rental, 'initial_price') },
    ...fees.map((fee) => ({ label: nameOf(fee, 'Fee'), amount: memberOf(fee, 'price') })),
    ...taxes.map((tax) => ({ label: nameOf(tax, 'Tax'), amount: memberOf(tax, 'amount') })),
  ];
  const shown = lines.filter(({ amount }) => looseNumber(amount) !== 0);
  const read = readPriceLines(shown, currency, labelCleaner, { allowance });
  const addsUp = read.lines.reduce((sum, { amount }) => sum + amount, 0) === total;
  return read.linesFault || addsUp ? read : { lines: [], linesFault: 'does_not_add_up' };
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
  bookingsync_amenities: readBookingsyncAmenities,
  bookingsync_rentals: checkedListings(readBookingsyncRentals),
  bookingsync_calendars: readBookingsyncCalendars,
  bookingsync_search: readBookingsyncSearch,
} as const;
