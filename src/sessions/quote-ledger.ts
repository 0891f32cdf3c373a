import { hash } from 'node:crypto';
import type { IssuedQuote, QuoteDetails } from './session-store.ts';

/** The ledger that `SessionStore.commit` appends to. */
export interface QuoteLedger {
  /** Quotes retrieved at `since` or later, oldest first, then in order of issue. */
  issuedQuotes(range: { readonly since: number; readonly limit: number }): Promise<readonly IssuedQuote[]>;
  /** The newest first. */
  findQuotes(question: QuoteQuestion, limit: number): Promise<readonly IssuedQuote[]>;
  /** Deletes quotes that were retrieved longer ago than that, the oldest first. Returns how many, at most `limit`. */
  deleteQuotes(old: OldQuotes): Promise<number>;
  /**
   * While the ledger has more than `maxBytes`, or of one assistant more than `maxAssistantBytes`, deletes the oldest quotes of the assistant
   * that stores most, so that one with less than an equal share loses nothing. Returns how many, at most `limit`; not all of the surplus at
   * once, so that no quote goes for which there is room.
   */
  deleteSurplus(surplus: SurplusQuotes): Promise<number>;
}

export type QuoteQuestion =
  | { readonly nxq: string }
  | { readonly property: string; readonly checkIn: string; readonly checkOut: string };

/** Two numbers instead of one instant: a store with a clock of its own deletes only what is old by both. */
export type OldQuotes = { readonly now: number; readonly keptMs: number; readonly limit: number };

export type SurplusQuotes = {
  readonly maxBytes: number;
  readonly maxAssistantBytes: number;
  readonly limit: number;
};

/** The ledger of a store that is apart from its sessions. */
export interface QuoteLedgerWriter {
  /** In this order. Those that are there already, by their `nxq`, are left as they are. */
  insert(quotes: readonly IssuedQuote[]): Promise<void>;
}

/** What a quote takes beside its details: its other columns, and its entries in the indexes. Migrations count the same. */
export const QUOTE_BYTES = 340;
const POLICY_BYTES = 120;
/** More than most quotes take: of a surplus, as many quotes are deleted at once as take it up if each takes this. */
export const SURPLUS_BYTES_A_QUOTE = 1_000;

/** What a store writes of a quote: its details as JSON, and apart from them the policy, which many quotes share. */
export function storedDetails({ details }: IssuedQuote) {
  if (details === null) return { details, cancellation: null };
  const { cancellation = null } = details;
  // A spread takes half the time of a rest.
  return { details: JSON.stringify({ ...details, cancellation: undefined }), cancellation };
}

/** Once for each assistant, whose quotes alone refer to it, so that each is charged for its own. */
export function storedPolicy(cancellation: string, assistant: string) {
  const json = JSON.stringify(cancellation);
  return {
    hash: hash('sha256', `${assistant}\n${json}`, 'base64url'),
    json,
    bytes: POLICY_BYTES + Buffer.byteLength(json),
  };
}

/** Earlier releases stored the policy within the details. */
export function detailsIn(details: string | null, policy: string | null): QuoteDetails | null {
  if (details === null) return null;
  return { ...JSON.parse(details), ...(policy !== null && { cancellation: JSON.parse(policy) }) };
}

/** A policy counts once for each assistant. */
export function bytesOfQuotes(quotes: readonly IssuedQuote[]): number {
  const policies = new Map<string, number>();
  let bytes = 0;
  for (const quote of quotes) {
    const { details, cancellation } = storedDetails(quote);
    bytes += QUOTE_BYTES + Buffer.byteLength(details ?? '');
    if (cancellation === null) continue;
    policies.set(`${quote.assistant}\n${cancellation}`, storedPolicy(cancellation, quote.assistant).bytes);
  }
  return policies.values().reduce((sum, policy) => sum + policy, bytes);
}
