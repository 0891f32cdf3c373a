import type { Calendar } from '../catalogue/calendar.ts';
import type { BrandId, CancellationPolicy } from '../catalogue/catalogue.ts';
import type { CatalogueReading, RejectionFault } from '../catalogue/rejections/rejection.ts';
import type { BudgetUse, FailureKind } from '../limits/booking-system-failure.ts';
import type { Line } from '../limits/fair-queue.ts';
import type { Reading } from '../parsing/reading.ts';
import type { Day } from '../stay/day.ts';
import type { MinorUnits } from '../stay/money.ts';
import type { BookingReports } from './booking.ts';

/**
 * An operator's booking system, whatever it speaks. Properties are named by the operator's own reference.
 * `catalogue` and `calendars` reject with a `BookingSystemFailure`; `quote` never rejects: a failure is one of its outcomes.
 */
export interface BookingSystem {
  readonly brand: BrandId;
  readonly limits: CallLimits;
  catalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading>;
  /** Each reference that was asked for, with its calendar or with what is wrong with it. */
  calendars(
    references: readonly string[],
    horizon: Horizon,
    signal: AbortSignal,
    stillReading?: StillReading,
  ): Promise<CalendarReadings>;
  /**
   * The references whose calendars may have changed since an instant in epoch milliseconds; too many do no harm, one that is
   * missing is noticed within a day. `null` when it cannot tell, and then, as without this method, calendars are read by age.
   */
  changedSince?(instant: number, signal: AbortSignal): Promise<readonly string[] | null>;
  /** Reads what prices are taken from, where that takes longer than a price can wait. Rejects with a `BookingSystemFailure`. */
  prepare?(signal: AbortSignal): Promise<void>;
  /** One outcome for each reference that was asked for, in any order. */
  quote(request: QuoteRequest, signal: AbortSignal): Promise<readonly QuoteOutcome[]>;
  /**
   * Rough totals of a stay, of all homes that a few calls can tell of. They decide which homes are quoted where calendars hold no prices, and are never
   * shown. Rejects with a `BookingSystemFailure`.
   */
  estimates?(stay: Omit<QuoteRequest, 'references'>, signal: AbortSignal): Promise<StayEstimates>;
  /** How long it can be sent no quote call of whoever asks, in milliseconds: 0 when it can. Without this method nobody knows. */
  restsForMs?(askedBy?: Line): number;
  /** How much of what it may be sent was sent, by this process. Null, or without this method, where it has no such limit. */
  budgetUse?(): BudgetUse | null;
  /**
   * Bookings with our source marker that were made or cancelled since an instant in epoch milliseconds; too many do no harm. `null` when
   * it does not tell, as without this method. Rejects with a `BookingSystemFailure`.
   */
  bookings?(since: number, signal: AbortSignal): Promise<BookingReports | null>;
  /** Whether this node reads the calendars of the brand, of all that share a store. Without a call it does. */
  leads?(isLeading: boolean): void;
  /** What the owner has confirmed of `feed_lost_nights`, whenever it changes. */
  confirmLosses?(confirmed: ConfirmedLosses): void;
  close(): Promise<void>;
}

/** By reference, when the owner last confirmed what the feeds of the home had lost, in epoch milliseconds; of all homes by an empty one. */
export type ConfirmedLosses = ReadonlyMap<string, number>;

/** What an operator's system can take; each connector has its own defaults. */
export type CallLimits = {
  /** Properties in one quote call; the collector splits longer lists. */
  readonly batchSize: number;
  /** Quote calls in flight at the same time. */
  readonly concurrency: number;
  /** For one quote call. */
  readonly timeoutMs: number;
  /** It waits by itself when it may send no more, so `rate_limited` is no sign that it is ill. */
  readonly keepsBudget?: boolean;
};

/**
 * A read that hears nothing for two minutes is given up as one that hangs. A connector calls this when a part of the answer has
 * come, and before it waits for its turn in the vendor's budget: then with how long that takes at most.
 */
export type StillReading = (quietMs?: number) => void;

export type Horizon = { readonly from: Day; readonly nights: number };

/** The reason of a fault names the period too, as `periods[3] (2027-05-01 to 2027-05-08): …`. */
export type CalendarFault = RejectionFault & {
  /** The path within the calendar, such as `periods/3/price`; left out for the calendar as a whole. */
  readonly field?: string;
};
export type CalendarReading = Reading<Calendar, CalendarFault> | WithdrawnCalendar | PartlyClosedCalendar;

/** It can be read but for single nights, which are not on offer until they can. */
export type PartlyClosedCalendar = {
  readonly kind: 'valid';
  readonly value: Calendar;
  readonly closedNights: readonly CalendarFault[];
};

/** It cannot be read, and what was known before is no longer true enough: the property is not on offer until it can be read. */
export type WithdrawnCalendar = {
  readonly kind: 'invalid';
  readonly faults: readonly CalendarFault[];
  readonly isWithdrawn: true;
};

export const NOT_IN_CATALOGUE = {
  rule: 'not_in_catalogue',
  reason: 'is of a home that is not in the catalogue',
} as const satisfies CalendarFault;

export const CALENDAR_MISSING: CalendarFault = {
  rule: 'calendar_missing',
  reason: 'is not in the answer of the booking system',
};

/** By reference. */
export type CalendarReadings = ReadonlyMap<string, CalendarReading>;

export type QuoteRequest = {
  readonly references: readonly string[];
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
  /** The currency of the comparison set. */
  readonly currency: string;
  /** Who began the call. It changes no answer; what a vendor lets an account send is shared between callers. */
  readonly askedBy?: Line | undefined;
};

export type StayEstimates = {
  /** By reference; null for a home that is on offer at a price that is not known. */
  readonly totals: ReadonlyMap<string, MinorUnits | null>;
  /** Whether a home that is missing is not on offer for the stay. */
  readonly isWhole: boolean;
};

export type QuoteOutcome =
  | { readonly kind: 'quoted'; readonly reference: string; readonly quote: OperatorQuote }
  | { readonly kind: 'unavailable'; readonly reference: string; readonly reason: UnavailableReason }
  | { readonly kind: 'failed'; readonly reference: string; readonly failure: FailureKind };

export type OperatorQuote = {
  readonly currency: string;
  /** Final price of the whole stay for all guests, without refundable deposits. */
  readonly total: MinorUnits;
  /** The operator's own breakdown as it was given; empty when none was. The collector checks that it adds up. */
  readonly lines: readonly { readonly label: string; readonly amount: MinorUnits }[];
  /** Why `lines` is empty although a breakdown was given. */
  readonly linesFault?: BreakdownFault;
  /** When the operator's own hold on the price ends, in epoch milliseconds; null when it names none. */
  readonly heldUntil: number | null;
  /** When the price was read at its source, in epoch milliseconds. Left out: at the moment of the answer. */
  readonly retrievedAt?: number;
  /** Asked for besides the total; null or left out when not published. */
  readonly deposit?: Deposit | null;
  /** Paid at the property besides the total; null or left out when not published. */
  readonly dueOnSite?: MinorUnits | null;
  /** Of exactly what was priced, where it need not be the listing's. Left out: the listing's. */
  readonly cancellation?: QuotedPolicy;
};

/** Shown in place of the listing's policy, for as long as the price is. */
export type QuotedPolicy = CancellationPolicy & {
  /** The operator published it at greater length. */
  readonly wasCut?: true;
  /** The operator published one that cannot be shown, and the summary says so; reported to the owner. */
  readonly isRejected?: true;
};

/** Why a breakdown that an operator gave is not shown; reported to the owner. */
export type BreakdownFault =
  | 'inexact_amount'
  | 'too_many_lines'
  | 'labels_too_long'
  | 'label_held_back'
  | 'labels_held_back_together'
  | 'does_not_add_up'
  | 'out_of_proportion';

export type Deposit = { readonly amount: MinorUnits; readonly refundable: boolean };

export const UNAVAILABLE_REASONS = [
  'booked',
  'minimum_stay',
  'maximum_stay',
  'closed_to_arrival',
  'closed_to_departure',
  'lead_time',
  'too_many_guests',
  'unknown_property',
  'not_offered',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];
