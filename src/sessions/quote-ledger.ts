import type { IssuedQuote } from './session-store.ts';

/** Reads the ledger that `SessionStore.commit` appends to. */
export interface QuoteLedger {
  /** Quotes retrieved at `since` or later, oldest first, then in order of issue. */
  issuedQuotes(range: { readonly since: number; readonly limit: number }): Promise<readonly IssuedQuote[]>;
}

/** The ledger of a store that is apart from its sessions. */
export interface QuoteLedgerWriter {
  /** In this order. Those that are there already, by their `nxq`, are left as they are. */
  insert(quotes: readonly IssuedQuote[]): Promise<void>;
}
