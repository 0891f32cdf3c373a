import type { Clock } from '../clock.ts';
import type { StorageQuota } from './assistant-limits.ts';
import type { IssuedQuote } from './quote-ledger.ts';
import type { Session, SessionId } from './session.ts';

/**
 * Sessions with their results and used idempotency keys, and the ledger of issued quotes. A change is atomic, and durable once its
 * promise resolves; answers are sent after that. Bodies hold no session tokens (see `session-token.ts`). Sessions are immutable, so a
 * store may return the object that it was given.
 */
export interface SessionStore {
  /** Opens nothing when the assistant has used up its quota. Sessions that have expired do not count, whether or not they were deleted. */
  open(session: Session, quota?: StorageQuota): Promise<OpenOutcome>;
  /** Also finds expired sessions, until `deleteExpired` deletes them. */
  find(id: SessionId): Promise<Session | undefined>;
  /**
   * Writes nothing and reports a conflict when the stored revision is not `expectedRevision`, or when the session has `notes` and the
   * stored one does not have one less: so two nodes that note something at the same revision lose nothing. The store deletes a session by
   * the expiry with which it was opened: no change moves it.
   */
  commit(change: SessionChange): Promise<CommitOutcome>;
  /**
   * Claims a session for work that must not run twice at a time, such as asking operators: no other request, on any node, gets it at this
   * revision until a later one is committed, the claim is released, or `forMs` has passed. A claim does not block commits: the revision
   * keeps a change from being lost.
   */
  claim(id: SessionId, revision: number, forMs: number): Promise<ClaimOutcome>;
  /** Returns immediately and never throws: a claim that cannot be released expires. */
  release(id: SessionId, revision: number): void;
  result(id: SessionId): Promise<Uint8Array | undefined>;
  usedKey(session: SessionId, id: UsedKeyId): Promise<UsedKey | undefined>;
  countUsedKeys(session: SessionId): Promise<number>;
  /**
   * Deletes the results and used keys of sessions that expired before `bodiesBefore`, and whole sessions that expired
   * before `sessionsBefore`, oldest first. The ledger stays. Returns how many sessions it changed, at most `limit`.
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
  /** Another request holds the claim. */
  | { readonly kind: 'taken' }
  /** The stored revision differs, or the session is gone. */
  | { readonly kind: 'conflict' };

type ExpiryCutoffs = {
  readonly bodiesBefore: number;
  readonly sessionsBefore: number;
  readonly limit: number;
};

export type SessionChange = {
  readonly session: Session;
  readonly expectedRevision: number;
  /** The key of the request, stored with the revision of `session`; a later use of the same id replaces it. */
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

/** Claims in memory, for a store that one process uses alone: they end with it. */
type SessionClaims = {
  /** False when another request holds it at that revision. */
  take(id: SessionId, revision: number, forMs: number): boolean;
  release(id: SessionId, revision: number): void;
};

export function createSessionClaims({ elapsed }: Pick<Clock, 'elapsed'>): SessionClaims {
  const claims = new Map<SessionId, { readonly revision: number; readonly until: number }>();
  return {
    take(id, revision, forMs) {
      const earlier = claims.get(id);
      if (earlier?.revision === revision && elapsed() < earlier.until) return false;
      claims.set(id, { revision, until: elapsed() + forMs });
      return true;
    },
    release(id, revision) {
      if (claims.get(id)?.revision === revision) claims.delete(id);
    },
  };
}
