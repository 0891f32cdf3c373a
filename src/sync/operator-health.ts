import type { BrandId } from '../catalogue/catalogue.ts';

/** How the booking system of a brand fares, as a node sees it now. Null where nobody can tell, such as in a command beside the service. */
export type OperatorHealth = {
  readonly brand: BrandId;
  readonly name: string;
  /** Its kind of booking system. */
  readonly system: string;
  /** Epoch milliseconds; null when it was never read completely. */
  readonly lastReadAt: number | null;
  /** Why it could not be read last; null when it could. */
  readonly lastFailure: string | null;
  /** Which limit it is beyond, and how to raise it; null, or left out, for any other failure. */
  readonly lastFailureMessage?: string | null;
  readonly homes: number | null;
  readonly oldestCalendarMs: number | null;
  readonly calendarsWaiting: number | null;
  readonly breaker: 'closed' | 'half_open' | 'open' | null;
  /** Since when the owner has paused it. */
  readonly pausedAt: number | null;
  /** What it may be sent in a while, and how much of that is used; null where it has no such limit. */
  readonly budget: { readonly used: number; readonly of: number; readonly perSeconds: number } | null;
  readonly rejections: readonly RejectedListing[];
  /** More were held back than `rejections` lists. */
  readonly unlistedRejections: number;
};

export type RejectedListing = {
  readonly reference: string;
  readonly field: string;
  readonly rule: string;
  readonly value: string | null;
  readonly remedy: string;
  readonly isRepaired: boolean;
};
