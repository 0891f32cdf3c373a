/** The most used of several limits. */
export type BudgetUse = {
  readonly used: number;
  readonly of: number;
  /** The length of the window. */
  readonly perSeconds: number;
};

export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Why a booking system could not be read. The kind is for metrics and decisions, the cause for the log. */
export class BookingSystemFailure extends Error {
  readonly kind: FailureKind;
  /** The HTTP status, if the operator answered with a failure. */
  readonly status: number | undefined;

  constructor(kind: FailureKind, message: string, options?: { cause?: unknown; status?: number }) {
    super(message, options);
    this.name = 'BookingSystemFailure';
    this.kind = kind;
    this.status = options?.status;
  }

  /** The failure of a quote: any other status of a rejection concerns the requested stay. */
  get quoteFailure(): FailureKind {
    return this.kind === 'rejected' && !STATUSES_ABOUT_US.has(this.status) ? 'stay_rejected' : this.kind;
  }
}

export const FAILURE_KINDS = [
  'timeout',
  'unreachable',
  'rejected',
  'stay_rejected',
  'rate_limited',
  'server_error',
  'garbled',
  'too_large',
  'wrong_currency',
  'hold_too_short',
  'circuit_open',
  'overloaded',
] as const;

/** With these an operator refuses us, or timed out waiting for our request: unauthorised, forbidden, request timeout. */
const STATUSES_ABOUT_US: ReadonlySet<number | undefined> = new Set([undefined, 401, 403, 408]);
