import type { CallerFacts } from './caller-facts.ts';

export type SignatureOutcome =
  /** `agent` is the origin whose published key made the signature. */
  | { readonly kind: 'verified'; readonly agent: string }
  /** A signature is there and it is wrong: refused, whatever else speaks for the caller. */
  | { readonly kind: 'invalid' }
  /** None is there, or its keys are not at hand: the other ways decide. */
  | { readonly kind: 'absent' };

/** Judges request signatures (RFC 9421, Web Bot Auth). It is asked only about requests that carry one. */
export type SignatureVerifier = (facts: CallerFacts) => SignatureOutcome | Promise<SignatureOutcome>;
