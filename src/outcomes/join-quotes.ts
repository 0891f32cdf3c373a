import type { IssuedQuote } from '../sessions/session-store.ts';
import type { BookingOutcome, QuotedThen, ReportedBooking } from './booking.ts';
import type { BookingOutcomes } from './booking-outcomes.ts';

/** What the ledger is asked: `QuoteLedger` answers it. */
export type QuotesByIdentifier = {
  findQuotes(question: { readonly nxq: string }, limit: number): Promise<readonly IssuedQuote[]>;
};

export type JoinQuotesTools = {
  readonly ledger: QuotesByIdentifier;
  /** What is known of earlier reports: a quote may be gone from the ledger by the time its booking is cancelled. */
  readonly outcomes: Pick<BookingOutcomes, 'ofQuote'>;
};

/** How many quotes are looked up at the same time. */
const LOOKED_UP_AT_ONCE = 8;

export type JoinedBookings = {
  /** In the order of the bookings. Each with its quote, if that is one of the same brand. */
  readonly outcomes: readonly BookingOutcome[];
  /** How many name a quote of another brand, and how many one that nobody knows. */
  readonly quotesOfOthers: number;
  readonly unknownQuotes: number;
};

export async function joinQuotes(
  bookings: readonly ReportedBooking[],
  report: Pick<BookingOutcome, 'reportedAt' | 'collectedAt'>,
  tools: JoinQuotesTools,
): Promise<JoinedBookings> {
  const outcomes: BookingOutcome[] = [];
  let [quotesOfOthers, unknownQuotes] = [0, 0];
  for (let from = 0; from < bookings.length; from += LOOKED_UP_AT_ONCE) {
    const some = bookings.slice(from, from + LOOKED_UP_AT_ONCE);
    const quotes = await Promise.all(some.map((booking) => quoteOf(booking, tools)));
    for (const [at, booking] of some.entries()) {
      const found = quotes[at] ?? null;
      if (found === 'of_another_brand') quotesOfOthers += 1;
      else if (found === null && booking.nxq !== null) unknownQuotes += 1;
      outcomes.push({ ...booking, ...report, quote: found === 'of_another_brand' ? null : found });
    }
  }
  return { outcomes, quotesOfOthers, unknownQuotes };
}

async function quoteOf(
  { brand, nxq }: ReportedBooking,
  { ledger, outcomes }: JoinQuotesTools,
): Promise<QuotedThen | 'of_another_brand' | null> {
  if (nxq === null) return null;
  const [quote] = await ledger.findQuotes({ nxq }, 1);
  if (quote) return quote.brand === brand ? quotedThen(quote) : 'of_another_brand';
  const earlier = (await outcomes.ofQuote(nxq)).filter((one) => one.quote !== null);
  const own = earlier.find((one) => one.brand === brand);
  return own?.quote ?? (earlier.length > 0 ? 'of_another_brand' : null);
}

function quotedThen(quote: IssuedQuote): QuotedThen {
  const { assistant, property, place, checkIn, checkOut, guests, amount, currency, retrievedAt } = quote;
  return { assistant, property, place, checkIn, checkOut, guests, amount, currency, retrievedAt };
}
