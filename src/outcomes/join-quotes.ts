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

/** In the order of the bookings. Each with its quote, if that is one of the same brand. */
export async function joinQuotes(
  bookings: readonly ReportedBooking[],
  reportedAt: number,
  tools: JoinQuotesTools,
): Promise<readonly BookingOutcome[]> {
  const joined: BookingOutcome[] = [];
  for (let from = 0; from < bookings.length; from += LOOKED_UP_AT_ONCE) {
    const some = bookings.slice(from, from + LOOKED_UP_AT_ONCE);
    const quotes = await Promise.all(some.map((booking) => quoteOf(booking, tools)));
    for (const [at, booking] of some.entries()) {
      joined.push({ ...booking, reportedAt, quote: quotes[at] ?? null });
    }
  }
  return joined;
}

async function quoteOf(
  { brand, nxq }: ReportedBooking,
  { ledger, outcomes }: JoinQuotesTools,
): Promise<QuotedThen | null> {
  if (nxq === null) return null;
  const [quote] = await ledger.findQuotes({ nxq }, 1);
  if (quote) return quote.brand === brand ? quotedThen(quote) : null;
  const earlier = (await outcomes.ofQuote(nxq)).find((one) => one.brand === brand && one.quote !== null);
  return earlier?.quote ?? null;
}

function quotedThen(quote: IssuedQuote): QuotedThen {
  const { assistant, property, place, checkIn, checkOut, guests, amount, currency, retrievedAt } = quote;
  return { assistant, property, place, checkIn, checkOut, guests, amount, currency, retrievedAt };
}
