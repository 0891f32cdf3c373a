import type { BrandId } from '../../catalogue/catalogue.ts';
import type { BookingOutcome, QuotedThen, ReportedBooking } from '../../quotes/booking.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';

/** Stores the bookings that operators have reported. */
export interface BookingOutcomes {
  /**
   * Replaces a booking of the same brand and reference by `mergeReport`: a report without a quote leaves the known quote. Resolves with the
   * number of new bookings.
   */
  put(outcomes: readonly BookingOutcome[]): Promise<number>;
  /** Bookings made in that time (epoch milliseconds), the oldest first, then by brand and reference. */
  read(question: {
    readonly from: number;
    /** Exclusive. */
    readonly before: number;
    readonly brand?: BrandId;
    /** The last booking of the previous page. The order is total. */
    readonly after?: Pick<BookingOutcome, 'bookedAt' | 'brand' | 'reference'>;
    readonly limit: number;
  }): Promise<readonly BookingOutcome[]>;
  /**
   * The bookings that the brand of this quote has reported for it, the latest first. A report of another brand that names the quote does
   * not count.
   */
  ofQuote(
    quote: { readonly nxq: string; readonly brand: BrandId },
    limit: number,
  ): Promise<readonly BookingOutcome[]>;
  /** Those of the references that are stored for the brand. */
  known(brand: BrandId, references: readonly string[]): Promise<readonly string[]>;
  /** The number of stored bookings of the brand. */
  count(brand: BrandId): Promise<number>;
  /** When the brand's system last reported a booking, in epoch milliseconds; null if never. Imported files do not count. */
  lastCollectedAt(brand: BrandId): Promise<number | null>;
  deleteBefore(bookedAt: number, limit: number): Promise<number>;
}

/** A later report replaces the stored booking. If it lacks the quote or the time at which the operator's system reported it, those stay. */
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

/** The part of `QuoteLedger` that joining needs. */
export type QuotesByIdentifier = {
  findQuotes(question: { readonly nxq: string }, limit: number): Promise<readonly IssuedQuote[]>;
};

export type JoinQuotesTools = {
  readonly ledger: QuotesByIdentifier;
  /** Earlier reports: a quote may be gone from the ledger by the time its booking is cancelled. */
  readonly outcomes: Pick<BookingOutcomes, 'ofQuote'>;
};

/** Quotes looked up concurrently. */
const LOOKED_UP_AT_ONCE = 8;
/** Bounds the reads for a quote that is reported thousands of times. */
const MAX_EARLIER_REPORTS = 20;
/** Tolerance for clocks that differ; an earlier booking cannot have followed the quote. */
const MAX_BOOKED_BEFORE_QUOTED_MS = 60 * 60 * 1000;

type JoinedBookings = {
  /** In the order of the bookings, each with its quote if the same brand gave it. */
  readonly outcomes: readonly BookingOutcome[];
  /** The number of bookings that name a quote of another brand, and of those that name an unknown quote. */
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
