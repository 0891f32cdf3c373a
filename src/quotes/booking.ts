import type { BrandId, PlaceId, PropertyId } from '../catalogue/catalogue.ts';
import type { AssistantId } from '../sessions/session.ts';

/** A booking that an operator reports: it came with our source marker. */
export type ReportedBooking = {
  readonly brand: BrandId;
  /** The operator's own name for the booking, by which a report of it is known again. Operators are asked to put nothing about a person into it; nobody can check that. */
  readonly reference: string;
  /** The identifier of the quote that the traveller followed; null when the operator does not know it. */
  readonly nxq: string | null;
  readonly status: BookingStatus;
  /** Epoch milliseconds. */
  readonly bookedAt: number;
  /** What the traveller was charged, in minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
};

/** What a booking system has told of its bookings. */
export type BookingReports = {
  readonly bookings: readonly ReportedBooking[];
  /** How many more there were that could not be understood. */
  readonly leftOut: number;
};

export type BookingStatus = 'booked' | 'cancelled';

/** With what the ledger says of its quote, so that it can be counted when the quote has been deleted. */
export type BookingOutcome = ReportedBooking & {
  readonly reportedAt: number;
  /** When the operator's system told of it last; null while it is known from a file alone. */
  readonly collectedAt: number | null;
  /** Null when no quote of this brand has the identifier. */
  readonly quote: QuotedThen | null;
};

export type QuotedThen = {
  readonly assistant: AssistantId;
  readonly property: PropertyId;
  /** Empty for a quote from before places were in the ledger. */
  readonly place: PlaceId | '';
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  readonly amount: number;
  readonly currency: string;
  readonly retrievedAt: number;
};
