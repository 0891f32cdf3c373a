import type { IssuedQuote } from './session-store.ts';

/** Where a session store puts the quotes of a change, when the ledger is kept elsewhere than the sessions. */
export interface LedgerEntries {
  /** Resolves once they are kept for good, whatever becomes of this process; rejects with `overloaded` when too many wait. */
  append(quotes: readonly IssuedQuote[]): Promise<KeptEntries>;
}

export type KeptEntries = {
  /** The change was stored, or nobody knows: a price that may be shown is in the ledger. */
  settle(): void;
  /** It was not: they were never shown. */
  discard(): void;
};
