import type { BookingOutcome, QuotedThen, ReportedBooking } from '../../quotes/booking.ts';
import type { IssuedQuote } from '../../sessions/session-store.ts';
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
/** Whoever reports one quote thousands of times does not have all of them read each time. */
const MAX_EARLIER_REPORTS = 20;
/** The clocks of two companies differ; a booking from longer before its quote is another's. */
const MAX_BOOKED_BEFORE_QUOTED_MS = 60 * 60 * 1000;

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
  const found = new Map<string, ReturnType<typeof quoteOf>>();
  const quoteFor = (booking: ReportedBooking) => {
    const name = JSON.stringify([booking.brand, booking.nxq]);
    const known = found.get(name) ?? quoteOf(booking, tools);
    found.set(name, known);
    return known;
  };
  let [quotesOfOthers, unknownQuotes] = [0, 0];
  for (let from = 0; from < bookings.length; from += LOOKED_UP_AT_ONCE) {
    const some = bookings.slice(from, from + LOOKED_UP_AT_ONCE);
    const quotes = await Promise.all(some.map(quoteFor));
    for (const [at, booking] of some.entries()) {
      const quote = quotes[at] ?? null;
      if (quote === 'of_another_brand') {
        quotesOfOthers += 1;
        outcomes.push({ ...booking, ...report, quote: null });
        continue;
      }
      const own = quote && mayHaveFollowed(booking, quote) ? quote : null;
      if (own === null && booking.nxq !== null) unknownQuotes += 1;
      outcomes.push({ ...booking, ...report, quote: own });
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
  const earlier = await outcomes.ofQuote({ nxq, brand }, MAX_EARLIER_REPORTS);
  return earlier.find((one) => one.quote !== null)?.quote ?? null;
}

function mayHaveFollowed({ bookedAt }: ReportedBooking, { retrievedAt }: QuotedThen): boolean {
  return bookedAt >= retrievedAt - MAX_BOOKED_BEFORE_QUOTED_MS;
}

function quotedThen(quote: IssuedQuote): QuotedThen {
  const { assistant, property, place, checkIn, checkOut, guests, amount, currency, retrievedAt } = quote;
  return { assistant, property, place, checkIn, checkOut, guests, amount, currency, retrievedAt };
}
