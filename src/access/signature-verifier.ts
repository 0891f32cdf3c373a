import type { CallerFacts } from './caller-facts.ts';

export type SignatureOutcome =
  /** `agent` is the origin whose published key made the signature. */
  | { readonly kind: 'verified'; readonly agent: string }
  /** The signature is wrong: the caller is refused, whatever its other proofs. */
  | { readonly kind: 'invalid' }
  /** There is none, or its keys could not be fetched: the other proofs decide. */
  | { readonly kind: 'absent' };

/** Verifies request signatures (RFC 9421, Web Bot Auth). Called only for requests that carry one. */
export type SignatureVerifier = (facts: CallerFacts) => Promise<SignatureOutcome>;
