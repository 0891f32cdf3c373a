import type { BrandId } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';

/** How a brand stands, for whoever runs the service. */
export type BrandStatus = {
  readonly brand: BrandId;
  /** Whether this node reads it from its operator. If not, what it says of readings is what the node that does has last said; what is offered or held back is always its own. */
  readonly leads: boolean;
  /** Since when the owner has paused it, in epoch milliseconds; null while its homes may be on offer. */
  readonly pausedAt: number | null;
  /** When a run last left nothing unread, in epoch milliseconds, also before this start; null when none ever did. */
  readonly lastSuccessAt: number | null;
  /** null when nothing has failed since the last success. */
  readonly lastFailure: {
    readonly at: number;
    readonly kind: FailureKind;
    /** Of what is too large: which limit, and how to raise it. */
    readonly message?: string;
  } | null;
  /** How many are offered. */
  readonly properties: number;
  /** The age of the oldest calendar on offer; null when there is none. */
  readonly oldestCalendarMs: number | null;
  /** How many calendars are still to be read, because a run did not get to them or because they are too old to be offered. */
  readonly calendarsWaiting: number;
  readonly rejections: readonly Rejection[];
  /** How many more listings are held back than the list has. */
  readonly notListed: number;
};
