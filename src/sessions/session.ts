import type { BrandId, PlaceId } from '../catalogue/catalogue.ts';
import type { AmenityOffer, Payload } from '../contract/payload-fields.ts';

/** SHA-256 of the session token, base64url. The token is never stored in clear text. */
export type SessionId = string;

/** The registry's name for an approved assistant. */
export type AssistantId = string;

/** The id under which the owner tries the service in the console. */
export const CONSOLE_ASSISTANT: AssistantId = 'console';

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
  /** Filters in the order in which they were applied. They survive a change of the payload. */
  readonly amenities: readonly string[];
  readonly result: SessionResult | null;
  /** Keys of the service that were followed to this revision, or at it. Once the search moves on they no longer mark repeats. */
  readonly followedKeys?: readonly FollowedKey[];
  /** How often it was stored at this revision without a new state, for instance to note a key. */
  readonly notes?: number;
  /** How many results it has had: each adds its quotes to the ledger. */
  readonly results?: number;
  /** One of them had an option with a price. */
  readonly hasHadPrices?: boolean;
  /** No operator answered the last request for prices of this payload. */
  readonly operatorsSilent?: boolean;
  /** The earliest time to ask one of them again, in epoch milliseconds. */
  readonly operatorsAskableAt?: number;
};

export type FollowedKey = { readonly id: string; readonly fingerprint: string };

/** The last result; its bytes are stored separately. */
type SessionResult = {
  /** False once the payload has changed. The result can still be read. */
  readonly answersPayload: boolean;
  /** Amenities that would narrow the result. When empty, there is no refine step. */
  readonly amenityOffers: readonly AmenityOffer[];
  /** A brand gave no usable answer, so asking again may find more. */
  readonly isPartial?: boolean;
};

/** The caller's own session, not expired. */
export type LiveSession = { readonly session: Session; readonly token: string };

/** Each change of the state gets a new revision. */
export function withNextRevision({ notes, ...session }: Session): Session {
  return { ...session, revision: session.revision + 1 };
}

/** Another node may note something at the same revision: the count of notes makes one of the two commits conflict. */
export function withNextNote(session: Session): Session {
  return { ...session, notes: (session.notes ?? 0) + 1 };
}
