import type { IssuedQuote } from './session-store.ts';

/** Reads the ledger that `SessionStore.commit` appends to. */
export interface QuoteLedger {
  /** Quotes retrieved at `since` or later, oldest first, then in order of issue. */
  issuedQuotes(range: { readonly since: number; readonly limit: number }): Promise<readonly IssuedQuote[]>;
}
