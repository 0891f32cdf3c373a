import type { BrandId } from '../../catalogue/catalogue.ts';
import type { BookingOutcome, QuotedThen, ReportedBooking } from '../../quotes/booking.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';

/** Bookings that operators have reported. */
export interface BookingOutcomes {
  /**
   * A booking that is known by its brand and reference is replaced, as `mergeReport` says: a report without a quote does not take away the one
   * that is known. Resolves with how many were not known before.
   */
  put(outcomes: readonly BookingOutcome[]): Promise<number>;
  /** Booked in that time, in epoch milliseconds, the oldest first, and of one instant by brand and reference. */
  read(question: {
    readonly from: number;
    /** Exclusive. */
    readonly before: number;
    readonly brand?: BrandId;
    /** The last one of the page before: no two are at the same place. */
    readonly after?: Pick<BookingOutcome, 'bookedAt' | 'brand' | 'reference'>;
    readonly limit: number;
  }): Promise<readonly BookingOutcome[]>;
  /** What the brand of this quote has reported for it, booked last first. Others can name the quote too, which says nothing about it. */
  ofQuote(
    quote: { readonly nxq: string; readonly brand: BrandId },
    limit: number,
  ): Promise<readonly BookingOutcome[]>;
  /** Which of these references are of bookings of the brand that are kept. */
  known(brand: BrandId, references: readonly string[]): Promise<readonly string[]>;
  /** How many are kept of the brand. */
  count(brand: BrandId): Promise<number>;
  /** When the brand's system told of a booking last, in epoch milliseconds; null when it never has. What came in files does not count. */
  lastCollectedAt(brand: BrandId): Promise<number | null>;
  deleteBefore(bookedAt: number, limit: number): Promise<number>;
}

/** A later report replaces what is known of a booking, but for what it leaves unsaid: its quote, and when the operator's system told of it. */
export function mergeReport(known: BookingOutcome | undefined, reported: BookingOutcome): BookingOutcome {
  if (known === undefined) return { ...reported };
  const isSameQuote = reported.nxq === null || reported.nxq === known.nxq;
  return {
    ...reported,
    nxq: reported.nxq ?? known.nxq,
    quote: isSameQuote ? (reported.quote ?? known.quote) : reported.quote,
    collectedAt: reported.collectedAt ?? known.collectedAt,
  };
}

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

type JoinedBookings = {
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
