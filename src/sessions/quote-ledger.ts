import type { IssuedQuote } from './session-store.ts';

/** Reads the ledger that `SessionStore.commit` appends to. */
export interface QuoteLedger {
  /** Quotes retrieved at `since` or later, oldest first; those of one instant in the order in which they were issued. */
  issuedQuotes(range: { readonly since: number; readonly limit: number }): Promise<readonly IssuedQuote[]>;
}
