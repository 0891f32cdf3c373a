import type { Calendar } from '../catalogue/calendar.ts';
import type { BrandId, CancellationPolicy } from '../catalogue/catalogue.ts';
import type { CatalogueReading, RejectionFault } from '../catalogue/rejections/rejection.ts';
import type { BudgetUse, FailureKind } from '../limits/booking-system-failure.ts';
import type { CallerPath } from '../limits/fair-semaphore.ts';
import type { Reading } from '../parsing/reading.ts';
import type { Day } from '../stay/day.ts';
import type { MinorUnits } from '../stay/money.ts';
import type { BookingReports } from './booking.ts';

/**
 * The port of an operator's booking system. Properties are named by the operator's own reference.
 * `catalogue` and `calendars` reject with a `BookingSystemFailure`; `quote` never rejects: a failure is one of its outcomes.
 */
export interface BookingSystem {
  readonly brand: BrandId;
  readonly limits: CallLimits;
  catalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading>;
  /** Each reference that was asked for, with its calendar or its faults. */
  calendars(
    references: readonly string[],
    horizon: Horizon,
    signal: AbortSignal,
    stillReading?: StillReading,
  ): Promise<CalendarReadings>;
  /** Loads the source of prices in advance, when a quote call could not wait for it. Rejects with a `BookingSystemFailure`. */
  prepare?(signal: AbortSignal): Promise<void>;
  /** One outcome for each reference that was asked for, in any order. */
  quote(request: QuoteRequest, signal: AbortSignal): Promise<readonly QuoteOutcome[]>;
  /**
   * Rough totals of a stay, for all homes that a few calls cover. They decide which homes are quoted when calendars hold no prices, and are
   * never shown. Rejects with a `BookingSystemFailure`.
   */
  estimates?(stay: Omit<QuoteRequest, 'references'>, signal: AbortSignal): Promise<StayEstimates>;
  /** For how many milliseconds this caller may send no quote call; 0 when it may. Unknown without this method. */
  restsForMs?(askedBy?: CallerPath): number;
  /** How much of the vendor's request budget this process has used. Null, or without this method, when there is no budget. */
  budgetUse?(): BudgetUse | null;
  /**
   * Bookings with our source marker that were made or cancelled since an instant in epoch milliseconds; too many do no harm. `null` when
   * the system does not report them, as without this method. Rejects with a `BookingSystemFailure`.
   */
  bookings?(since: number, signal: AbortSignal): Promise<BookingReports | null>;
  /** Whether this node, of all that share a store, reads the calendars of the brand. Without a call it does. */
  leads?(isLeading: boolean): void;
  close(): Promise<void>;
}

/** Limits of an operator's system; each connector has its own defaults. */
export type CallLimits = {
  /** Properties in one quote call; the collector splits longer lists. */
  readonly batchSize: number;
  /** Quote calls in flight at the same time. */
  readonly concurrency: number;
  /** For one quote call. */
  readonly timeoutMs: number;
  /** The connector waits for its request budget, so `rate_limited` is not a sign of a failing operator. */
  readonly keepsBudget?: boolean;
};

/**
 * A read without a sign of life for two minutes is cancelled. A connector calls this when a part of the answer has arrived, and before it
 * waits for the vendor's budget, then with the longest time that the wait may take.
 */
export type StillReading = (quietMs?: number) => void;

export type Horizon = { readonly from: Day; readonly nights: number };

/** The reason of a fault names the period too, as `periods[3] (2027-05-01 to 2027-05-08): …`. */
export type CalendarFault = RejectionFault & {
  /** The path within the calendar, such as `periods/3/price`; left out for the calendar as a whole. */
  readonly field?: string;
};
export type CalendarReading = Reading<Calendar, CalendarFault> | WithdrawnCalendar | PartlyClosedCalendar;

/** Readable except for single nights, which are not on offer until they are readable. */
export type PartlyClosedCalendar = {
  readonly kind: 'valid';
  readonly value: Calendar;
  readonly closedNights: readonly CalendarFault[];
};

/** Unreadable, and the calendar known before is too old: the property is not on offer until its calendar can be read. */
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
  /** The caller that began the call. It changes no answer; callers share the request budget of an account. */
  readonly askedBy?: CallerPath | undefined;
};

export type StayEstimates = {
  /** By reference; null for a home that is on offer at an unknown price. */
  readonly totals: ReadonlyMap<string, MinorUnits | null>;
  /** True when a home that is missing here is not on offer for the stay. */
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
  /** The operator's breakdown as given; empty when there was none. The collector checks that it adds up. */
  readonly lines: readonly { readonly label: string; readonly amount: MinorUnits }[];
  /** Why `lines` is empty although a breakdown was given. */
  readonly linesFault?: BreakdownFault;
  /** When the operator's hold on the price ends, in epoch milliseconds; null when it names none. */
  readonly heldUntil: number | null;
  /** When the price was read at its source, in epoch milliseconds. Left out: when the answer arrived. */
  readonly retrievedAt?: number;
  /** Asked for besides the total; null or left out when not published. */
  readonly deposit?: Deposit | null;
  /** Paid at the property besides the total; null or left out when not published. */
  readonly dueOnSite?: MinorUnits | null;
  /** The policy of exactly this price. Left out: the listing's policy. */
  readonly cancellation?: QuotedPolicy;
};

/** Shown in place of the listing's policy while the price is shown. */
export type QuotedPolicy = CancellationPolicy & {
  /** The operator's text was longer. */
  readonly wasCut?: true;
  /** The operator's text cannot be shown, and the summary says so; reported to the owner. */
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
