import type { BrandId, PlaceId } from '../catalogue/catalogue.ts';
import type { AmenityOffer, Payload } from '../contract/payload-fields.ts';

/** What was counted of a session, so that nothing of it is counted twice, on whichever node its requests arrive. */
export type SessionTally = {
  /** How often it has changed: of two that are known of a session, the later one holds. */
  readonly changes: number;
  /** The last refusal, and the stage where it was refused; both empty where it was not refused since it came to a stage. */
  readonly stage: string;
  readonly refusal: string;
  /** Hashes of what was counted once. */
  readonly counted: readonly number[];
};

export const NOTHING_COUNTED: SessionTally = { changes: 0, stage: '', refusal: '', counted: [] };

/** What a store says to a tally that was noted. */
export type NotedTally = {
  /** The refusal that it has replaced; null where a later one stays. */
  readonly replaced: Pick<SessionTally, 'stage' | 'refusal'> | null;
  /** What is the caller's to count: what nobody else has noted before, on any node. */
  readonly own: readonly number[];
};

/** What a session asks for beyond these is not counted. */
export const MAX_COUNTED = 32;

/** Of two tallies of one session. */
export function laterTally(
  one: SessionTally | undefined,
  other: SessionTally | undefined,
): SessionTally | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.changes > one.changes ? other : one;
}

/** The tally is stored beside the state, which a commit replaces. */
export function withoutTally(session: Session): Session {
  if (session.tally === undefined) return session;
  const { tally: _, ...state } = session;
  return state;
}

export function withTally(session: Session, tally: SessionTally | undefined): Session {
  return tally === undefined || tally === session.tally ? session : { ...session, tally };
}

/** SHA-256 of the session token, base64url. The token is never stored in clear text. */
export type SessionId = string;
/** The registry's name for an approved assistant. */
export type AssistantId = string;

/** Plain data, stored as JSON. */
export type Session = {
  readonly id: SessionId;
  /** The assistant that opened it. For any other, the session does not exist. */
  readonly assistant: AssistantId;
  readonly source: BrandId | null;
  /** The place of a single-location brand, whose sessions have no destination step. */
  readonly onlyPlace: PlaceId | null;
  readonly apiVersion: string;
  readonly openedAt: number;
  /** Fixed at the opening: nothing extends or shortens it. */
  readonly expiresAt: number;
  /** Incremented by every change, for optimistic locking. */
  readonly revision: number;
  readonly payload: Payload;
  /** Filters in the order in which they were applied. They outlive a change of the payload. */
  readonly amenities: readonly string[];
  readonly result: SessionResult | null;
  /** Keys of the service that were followed to this revision, or since. Once the search moves on they are no repeats. */
  readonly followedKeys?: readonly FollowedKey[];
  /** How often it was stored at this revision to note something that is no new state, such as a key. */
  readonly notes?: number;
  /** How many results it has had: each adds its quotes to the ledger for good. */
  readonly results?: number;
  /** One of them had an option with a price. */
  readonly hasHadPrices?: boolean;
  /** No operator answered when prices were asked for last, with these answers. */
  readonly operatorsSilent?: boolean;
  /** From when on one of them could be asked again, in epoch milliseconds. */
  readonly operatorsAskableAt?: number;
  /** As it was noted last, where a store has found the session. No part of its state: no commit needs or changes it. */
  readonly tally?: SessionTally;
};

export type FollowedKey = { readonly id: string; readonly fingerprint: string };

/** The caller's own session, not expired. */
export type LiveSession = { readonly session: Session; readonly token: string };

/** Facts about the last result. Its bytes are stored separately. */
type SessionResult = {
  /** False once the payload has changed. The result can still be read. */
  readonly answersPayload: boolean;
  /** Amenities that would narrow the result. When empty, there is no refine step. */
  readonly amenityOffers: readonly AmenityOffer[];
  /** A brand gave no usable answer, so asking again may find more. */
  readonly isPartial?: boolean;
};
