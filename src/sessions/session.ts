import type { Payload } from '../contract/payload-fields.ts';
import type { BrandId, PlaceId } from '../inventory/catalogue.ts';

/** SHA-256 of the session token, base64url. The token itself is never stored. */
export type SessionId = string;
/** The registry's name for an approved assistant. */
export type AssistantId = string;

/** Plain data: it is stored as JSON and compared by `revision`. */
export type Session = {
  readonly id: SessionId;
  /** A session belongs to the assistant that opened it; for another it does not exist. */
  readonly assistant: AssistantId;
  readonly source: BrandId | null;
  /** The place of a single-location storefront: such a session has no destination step. */
  readonly onlyPlace: PlaceId | null;
  readonly apiVersion: string;
  readonly openedAt: number;
  /** Fixed at the opening; an operator's shorter hold may shrink it, nothing extends it. */
  readonly expiresAt: number;
  /** Grows by one with every change; a writer that saw an older one is refused. */
  readonly revision: number;
  readonly payload: Payload;
  readonly result: SessionResult | null;
};

/** A session that was found by its token, is the caller's own and has not ended. */
export type LiveSession = { readonly session: Session; readonly token: string };

/** What the guided cycle needs to remember of the last complete envelope, whose bytes are stored apart. */
export type SessionResult = {
  /** False once the payload was changed after it: the envelope can still be read, but it no longer answers the payload. */
  readonly answersPayload: boolean;
  readonly appliedAmenities: readonly string[];
  /** Amenities that would still narrow the set. Empty: no refine step. */
  readonly amenityOffers: readonly AmenityOffer[];
};

export type AmenityOffer = { readonly value: string; readonly match_count: number; readonly of: number };
