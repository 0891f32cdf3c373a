import type { BrandId, PlaceId, PropertyId } from '../catalogue/catalogue.ts';
import type { NotedTally, Session, SessionId, SessionTally } from './session.ts';
import type { StorageQuota } from './storage-quota.ts';

/**
 * Sessions with their results and used idempotency keys, and the ledger of issued quotes. A change is atomic, and durable
 * once its promise resolves; answers are sent after that. Bodies hold no session tokens (see `session-token.ts`). A session is a
 * value that nobody changes in place, so a store may hand out the one that it was given.
 */
export interface SessionStore {
  /**
   * Opens nothing when the assistant of the session keeps as much as its quota already. Sessions that have ended by the time
   * this one opens do not count, whether or not they were deleted.
   */
  open(session: Session, quota?: StorageQuota): Promise<OpenOutcome>;
  /** Also finds expired sessions, until `deleteExpired` deletes them. */
  find(id: SessionId): Promise<Session | undefined>;
  /**
   * Writes nothing and reports a conflict when the stored revision is not `expectedRevision`, or when the session has `notes` and
   * the stored one has not one less: nodes that note something at the same revision lose nothing of it. A session is deleted by
   * the expiry with which it was opened: no change moves it.
   */
  commit(change: SessionChange): Promise<CommitOutcome>;
  /**
   * Before work on a session that must not be done twice at a time, such as asking operators: nobody else, on any node, gets it
   * at this revision until a later one is committed, it is released, or that time has passed. Others may commit all the same: what keeps a
   * change from being lost is its revision.
   */
  claim(id: SessionId, revision: number, forMs: number): Promise<ClaimOutcome>;
  /** Returns at once and never throws: what cannot be released ends by itself. */
  release(id: SessionId, revision: number): void;
  /**
   * Keeps what was counted of sessions, for `find`. It touches no revision, a commit does not touch it, and a session that is unknown is left
   * out. What is in `counted` stays there. Resolves with what is the caller's to count of each. Asked again, `own` is the same again: the
   * caller may not have heard it.
   */
  noteTallies(tallies: ReadonlyMap<SessionId, SessionTally>): Promise<ReadonlyMap<SessionId, NotedTally>>;
  result(id: SessionId): Promise<Uint8Array | undefined>;
  usedKey(session: SessionId, id: UsedKeyId): Promise<UsedKey | undefined>;
  countUsedKeys(session: SessionId): Promise<number>;
  /**
   * Deletes the results and used keys of sessions that expired before `bodiesBefore`, and whole sessions that expired
   * before `sessionsBefore`, oldest first. The ledger is kept. Returns how many sessions it changed, at most `limit`.
   */
  deleteExpired(cutoffs: ExpiryCutoffs): Promise<number>;
  close(): Promise<void>;
}

export type OpenOutcome =
  | { readonly kind: 'opened' }
  /** `until` is the earliest end of an open session of the assistant. */
  | { readonly kind: 'over_quota'; readonly until: number };

export type CommitOutcome = { readonly kind: 'committed' } | { readonly kind: 'conflict' };

export type ClaimOutcome =
  | { readonly kind: 'claimed' }
  /** Somebody else is at work on it. */
  | { readonly kind: 'taken' }
  /** The stored revision is another, or the session is gone. */
  | { readonly kind: 'conflict' };

export type ExpiryCutoffs = {
  readonly bodiesBefore: number;
  readonly sessionsBefore: number;
  readonly limit: number;
};

export type SessionChange = {
  readonly session: Session;
  readonly expectedRevision: number;
  /** The key of the request, remembered with the revision of `session`; a later use of the same id replaces it. */
  readonly usedKey: { readonly id: UsedKeyId; readonly fingerprint: string } | null;
  /** The new result envelope, when the change produced one. */
  readonly result: Uint8Array | null;
  readonly quotes: readonly IssuedQuote[];
};

/** SHA-256 of session and idempotency key, base64url: the key itself is never stored. */
export type UsedKeyId = string;

export type UsedKey = {
  /** Identifies the request: the same key with another fingerprint is another request. */
  readonly fingerprint: string;
  /** The session's revision after the request. */
  readonly revision: number;
};

/** An entry of the ledger: which price was quoted, to which assistant, valid until when. */
export type IssuedQuote = {
  readonly nxq: string;
  readonly session: SessionId;
  readonly assistant: string;
  readonly brand: BrandId;
  readonly property: PropertyId;
  /** The one that was searched, of which the home's may be a part. Empty for a quote from before places were in the ledger. */
  readonly place: PlaceId | '';
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  readonly amount: number;
  readonly currency: string;
  readonly retrievedAt: number;
  readonly validUntil: number;
  /** Null for a quote from before they were in the ledger. */
  readonly details: QuoteDetails | null;
};

/** How a price was made up and on which terms, as it was shown. Amounts are in minor units; what was not published is left out. */
export type QuoteDetails = {
  readonly lines?: readonly { readonly label: string; readonly amount: number }[];
  readonly guarantee: 'held' | 'at_retrieval';
  readonly deposit?: { readonly amount: number; readonly refundable: boolean };
  readonly dueOnSite?: number;
  /** The operator's policy in its own words, as far as it was shown. */
  readonly cancellation?: string;
};
