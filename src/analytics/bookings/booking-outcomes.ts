import type { BrandId } from '../../catalogue/catalogue.ts';
import type { BookingOutcome } from '../../quotes/booking.ts';

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
