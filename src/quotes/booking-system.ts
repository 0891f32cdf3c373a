import type { Calendar } from '../inventory/calendar.ts';
import type { BrandId, Property } from '../inventory/catalogue.ts';
import type { Reading } from '../reading/reading.ts';
import type { Day } from '../stay/day.ts';
import type { MinorUnits } from '../stay/money.ts';

/**
 * An operator's booking system, whatever it speaks. Properties are named by the operator's own reference.
 * `catalogue` and `calendars` reject with a `BookingSystemFailure`; `quote` never rejects: a failure is one of its outcomes.
 */
export interface BookingSystem {
  readonly brand: BrandId;
  readonly limits: CallLimits;
  catalogue(signal: AbortSignal): Promise<CatalogueReading>;
  /** Each reference that was asked for, with its calendar or with what is wrong with it. */
  calendars(references: readonly string[], horizon: Horizon, signal: AbortSignal): Promise<CalendarReadings>;
  /** One outcome for each reference that was asked for, in any order. */
  quote(request: QuoteRequest, signal: AbortSignal): Promise<readonly QuoteOutcome[]>;
  close(): Promise<void>;
}

/** What an operator's system can take; each connector has its own defaults. */
export type CallLimits = {
  /** Properties in one quote call; the collector splits longer lists. */
  readonly batchSize: number;
  /** Quote calls in flight at the same time. */
  readonly concurrency: number;
  /** For one quote call. */
  readonly timeoutMs: number;
};

export type Horizon = { readonly from: Day; readonly nights: number };

/** What could be read, and what was held back with the reason: a bad listing does not affect the others. */
export type CatalogueReading = {
  readonly properties: readonly Property[];
  readonly heldBack: readonly HeldBack[];
  /** How many more listings were held back than `heldBack` lists; left out when it lists all. */
  readonly notListed?: number;
};

export type HeldBack = {
  readonly reference: string;
  readonly field: string;
  readonly reason: string;
  /** The home is on offer all the same: without this part, or as another listing describes it. */
  readonly repaired?: true;
};

/**
 * By reference. A fault names the period, the rule and the value, for the operator to correct. It is logged, so it quotes
 * numbers and dates only.
 */
export type CalendarReadings = ReadonlyMap<string, CalendarReading>;

export type CalendarReading = Reading<Calendar> | WithdrawnCalendar;

/** It cannot be read, and what was known before is no longer true enough: the property is not on offer until it can be read. */
export type WithdrawnCalendar = {
  readonly kind: 'invalid';
  readonly faults: readonly string[];
  readonly isWithdrawn: true;
};

export type QuoteRequest = {
  readonly references: readonly string[];
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
  /** The currency of the comparison set. */
  readonly currency: string;
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
};

/** Why a breakdown that an operator gave is not shown; reported to the owner. */
export type BreakdownFault =
  | 'inexact_amount'
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

const FAILURE_KINDS = [
  'timeout',
  'unreachable',
  'rejected',
  'rate_limited',
  'server_error',
  'garbled',
  'too_large',
  'wrong_currency',
  'hold_too_short',
  'circuit_open',
  'overloaded',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Why a booking system could not be read. The kind is for metrics and decisions, the cause for the log. */
export class BookingSystemFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'BookingSystemFailure';
    this.kind = kind;
  }
}
