import type { IssuedQuote } from '../sessions/session-store.ts';

/** A quote of the ledger, with what was shown of it; quotes from before that was kept have none. */
export type RecordedQuote = IssuedQuote & {
  readonly place?: string;
  readonly details?: RecordedDetails | null;
};

export type RecordedDetails = {
  /** In minor units of the currency; empty where the operator gave none. */
  readonly lines: readonly { readonly label: string; readonly amount: number }[];
  readonly guarantee?: string | null;
  readonly deposit?: { readonly amount: number; readonly refundable: boolean } | null;
  readonly dueOnSite?: number | null;
  readonly cancellation?: string | null;
};
