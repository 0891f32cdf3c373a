import { hash } from 'node:crypto';
import type { BrandId, PlaceId, PropertyId } from '../catalogue/catalogue.ts';
import type { SessionId } from './session.ts';

/** The ledger that `SessionStore.commit` appends to. */
export interface QuoteLedger {
  /** Quotes retrieved at `since` or later, oldest first, then in order of issue. */
  issuedQuotes(range: { readonly since: number; readonly limit: number }): Promise<readonly IssuedQuote[]>;
  /** The newest first. */
  findQuotes(question: QuoteQuestion, limit: number): Promise<readonly IssuedQuote[]>;
  /** Deletes quotes that were retrieved more than `keptMs` ago, oldest first. Returns how many, at most `limit`. */
  deleteQuotes(old: OldQuotes): Promise<number>;
  /**
   * While the ledger exceeds `maxBytes`, or one assistant's part of it `maxAssistantBytes`, deletes the oldest quotes of the assistant that
   * stores most, so that one with less than an equal share loses nothing. Returns how many, at most `limit`. A call may delete only a part
   * of the surplus, so that it never deletes a quote that fits.
   */
  deleteSurplus(surplus: SurplusQuotes): Promise<number>;
}

export type QuoteQuestion =
  | { readonly nxq: string }
  | { readonly property: string; readonly checkIn: string; readonly checkOut: string };

/** Two numbers instead of one instant: a store whose server has a clock deletes only what is old by both clocks. */
export type OldQuotes = { readonly now: number; readonly keptMs: number; readonly limit: number };

export type SurplusQuotes = {
  readonly maxBytes: number;
  readonly maxAssistantBytes: number;
  readonly limit: number;
};

/** An entry of the ledger: which price was quoted, to which assistant, valid until when. */
export type IssuedQuote = {
  readonly nxq: string;
  readonly session: SessionId;
  readonly assistant: string;
  readonly brand: BrandId;
  readonly property: PropertyId;
  /** The place of the search, which may contain that of the home. Empty in quotes older than this member. */
  readonly place: PlaceId | '';
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  readonly amount: number;
  readonly currency: string;
  readonly retrievedAt: number;
  readonly validUntil: number;
  /** Null in quotes older than this member. */
  readonly details: QuoteDetails | null;
};

/** The breakdown and terms of a price as shown. Amounts are in minor units; unpublished members are left out. */
export type QuoteDetails = {
  readonly lines?: readonly { readonly label: string; readonly amount: number }[];
  readonly guarantee: 'held' | 'at_retrieval';
  readonly deposit?: { readonly amount: number; readonly refundable: boolean };
  readonly dueOnSite?: number;
  /** The operator's policy in its own words, as shown. */
  readonly cancellation?: string;
};

/** A ledger that is stored apart from the sessions. */
export interface QuoteLedgerWriter {
  /** In this order. A quote whose `nxq` is stored already stays as it is. */
  insert(quotes: readonly IssuedQuote[]): Promise<void>;
}

/** Receives the quotes of a session change when the ledger is in another store than the sessions. */
export interface LedgerEntries {
  /** Resolves once the quotes survive the end of this process; rejects with `overloaded` when too many wait. */
  append(quotes: readonly IssuedQuote[]): Promise<QueuedEntries>;
}

export type QueuedEntries = {
  /** The change was stored, or may have been: every price that may be shown is in the ledger. */
  settle(): void;
  /** The change was not stored, so the prices were never shown. */
  discard(): void;
};

/** Bytes of a quote beside its details: its other columns and its index entries. Migrations use the same number. */
export const QUOTE_BYTES = 340;
const POLICY_BYTES = 120;
/** More than most quotes take: one call of `deleteSurplus` deletes the surplus divided by this. */
export const SURPLUS_BYTES_A_QUOTE = 1_000;

/** The stored form of a quote: its details as JSON, and separately the policy, which many quotes share. */
export function storedDetails({ details }: IssuedQuote) {
  if (details === null) return { details, cancellation: null };
  const { cancellation = null } = details;
  // A spread takes half the time of rest destructuring.
  return { details: JSON.stringify({ ...details, cancellation: undefined }), cancellation };
}

/** Stored once per assistant, because each is charged for its own. */
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

/** A policy counts once per assistant. */
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
