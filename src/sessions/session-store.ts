import type { BrandId, PropertyId } from '../inventory/catalogue.ts';
import type { Session, SessionId } from './session.ts';

/**
 * Where sessions, their results, their recorded answers and the ledger of issued quotes live. A promise that resolves
 * means that the change is durable: an answer is sent only after that. A change is all or nothing.
 * Bodies come in and go out without session tokens (see `token-free-body.ts`).
 */
export interface SessionStore {
  open(session: Session, opening: Opening | null): Promise<void>;
  /** Also finds sessions that have expired, until `forgetExpired` has removed them. */
  find(id: SessionId): Promise<Session | undefined>;
  /** `conflict`, and nothing written, when the stored revision is not `expectedRevision`. */
  commit(change: SessionChange): Promise<'committed' | 'conflict'>;
  result(id: SessionId): Promise<Uint8Array | undefined>;
  answer(id: SessionId, key: string): Promise<RecordedAnswer | undefined>;
  opening(id: OpeningId): Promise<Opening | undefined>;
  /**
   * Removes results, answers and openings of sessions that ended before `endedBefore`, and the sessions themselves when they
   * ended before `forgottenBefore`. At most `limit` sessions a call, so that cleaning up never makes anyone wait; returns
   * how many sessions it touched. The ledger stays.
   */
  forgetExpired(endedBefore: number, forgottenBefore: number, limit: number): Promise<number>;
  close(): Promise<void>;
}

export type SessionChange = {
  readonly session: Session;
  readonly expectedRevision: number;
  /** The answer to record under an idempotency key; a later answer under the same key replaces it. */
  readonly answer: ({ readonly key: string } & RecordedAnswer) | null;
  /** The new result envelope, when the change produced one. */
  readonly result: Uint8Array | null;
  readonly quotes: readonly IssuedQuote[];
};

export type RecordedAnswer = {
  /** What was asked under the key; the same key with another fingerprint is another request. */
  readonly fingerprint: string;
  readonly body: Uint8Array;
};

/** SHA-256 of assistant and idempotency key, base64url. */
export type OpeningId = string;

export type Opening = {
  readonly id: OpeningId;
  readonly session: SessionId;
  readonly fingerprint: string;
  readonly body: Uint8Array;
  /** The session token, encrypted under the idempotency key that only the caller has. */
  readonly sealedToken: Uint8Array;
};

/** One line of the ledger: what was promised, to whom, until when. */
export type IssuedQuote = {
  readonly nxq: string;
  readonly session: SessionId;
  readonly assistant: string;
  readonly brand: BrandId;
  readonly property: PropertyId;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  readonly amount: number;
  readonly currency: string;
  readonly retrievedAt: number;
  readonly validUntil: number;
};
