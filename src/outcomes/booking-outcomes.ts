import type { BrandId } from '../inventory/catalogue.ts';
import type { BookingOutcome } from './booking.ts';

/** Bookings that operators have reported. */
export interface BookingOutcomes {
  /** A booking that is known by its brand and reference is replaced. Resolves with how many were not known before. */
  put(outcomes: readonly BookingOutcome[]): Promise<number>;
  /** Booked in that time, in epoch milliseconds, the oldest first. */
  read(question: {
    readonly from: number;
    /** Exclusive. */
    readonly before: number;
    readonly brand?: BrandId;
    readonly limit: number;
  }): Promise<readonly BookingOutcome[]>;
  /** Bookings that followed this quote. */
  ofQuote(nxq: string): Promise<readonly BookingOutcome[]>;
  /** When the newest report of the brand was taken, in epoch milliseconds; null when there is none. */
  lastReportedAt(brand: BrandId): Promise<number | null>;
  deleteBefore(bookedAt: number, limit: number): Promise<number>;
}
