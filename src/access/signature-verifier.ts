import type { CallerFacts } from './caller-facts.ts';

/**
 * Kept apart as the drafts of Web Bot Auth ask for it. `keysUrl` is the address of the key document that the signature names; only of
 * one that is verified or replayed is it known that a key from there was used.
 */
export type SignatureOutcome =
  /** A key that is published at the address made the signature. `keyid` is the thumbprint of the key. */
  | { readonly kind: 'verified'; readonly keysUrl: string; readonly keyid: string }
  /** The signature of a signer that we know is wrong: the caller is refused, whatever its other proofs. */
  | { readonly kind: 'invalid'; readonly why: InvalidSignature; readonly keysUrl: string | null }
  /** It was right, and is used a second time. */
  | { readonly kind: 'replayed'; readonly keysUrl: string; readonly keyid: string }
  /** Nothing is known of a signer: the other proofs decide. */
  | { readonly kind: 'unverified'; readonly why: UnverifiedSignature };

export const NOT_SIGNED: SignatureOutcome = { kind: 'unverified', why: 'no_signature' };

/** For the owner: what is wrong with a signature. Callers are not told. */
export type InvalidSignature =
  | 'headers_too_long'
  | 'malformed'
  | 'too_many_signatures'
  | 'too_many_components'
  | 'agent_not_covered'
  | 'authority_not_covered'
  | 'other_authority'
  | 'keyid_missing'
  | 'test_key'
  | 'alg_mismatch'
  | 'signature_missing'
  | 'created_missing'
  | 'created_in_future'
  | 'expires_missing'
  | 'expires_before_created'
  | 'expired'
  | 'life_too_long'
  | 'nonce_malformed'
  | 'nonce_too_old'
  | 'component_unknown'
  | 'component_repeated'
  | 'base_too_long'
  | 'signature_wrong';

/** For the owner: why a signature says nothing. */
export type UnverifiedSignature =
  | 'no_signature'
  | 'no_agent'
  | 'agent_ambiguous'
  | 'agent_unreadable'
  | 'agent_unknown'
  | 'key_unknown'
  | 'nonces_unavailable';

/** Verifies request signatures (RFC 9421, Web Bot Auth). Called only for requests that carry one. Never rejects. */
export type SignatureVerifier = (facts: CallerFacts) => Promise<SignatureOutcome>;
