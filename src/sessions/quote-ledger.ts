import type { IssuedQuote } from './session-store.ts';

/** The ledger that `SessionStore.commit` appends to. */
export interface QuoteLedger {
  /** Quotes retrieved at `since` or later, oldest first, then in order of issue. */
  issuedQuotes(range: { readonly since: number; readonly limit: number }): Promise<readonly IssuedQuote[]>;
  /** The newest first. */
  findQuotes(question: QuoteQuestion, limit: number): Promise<readonly IssuedQuote[]>;
  /** Deletes quotes that were retrieved longer ago than that, the oldest first. Returns how many, at most `limit`. */
  deleteQuotes(old: OldQuotes): Promise<number>;
}

export type QuoteQuestion =
  | { readonly nxq: string }
  | { readonly property: string; readonly checkIn: string; readonly checkOut: string };

/** Two numbers instead of one instant: a store with a clock of its own deletes only what is old by both. */
export type OldQuotes = { readonly now: number; readonly keptMs: number; readonly limit: number };

/** The ledger of a store that is apart from its sessions. */
export interface QuoteLedgerWriter {
  /** In this order. Those that are there already, by their `nxq`, are left as they are. */
  insert(quotes: readonly IssuedQuote[]): Promise<void>;
}
