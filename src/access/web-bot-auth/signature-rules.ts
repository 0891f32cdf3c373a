import type { InvalidSignature } from '../signature-verifier.ts';
import { WEB_BOT_AUTH } from '../signatures/sign-request.ts';
import type { SignatureMember, SignatureParameters } from '../signatures/signature-headers.ts';

/** How far the clocks of a signer and of ours may be apart. */
const MAX_SKEW_SECONDS = 30;
/** The drafts recommend no more. Whoever sees a signature can use it until it expires. */
const MAX_LIFE_SECONDS = 24 * 60 * 60;
/** A signature with a nonce is for one request. Nonces must be remembered for as long as it is accepted, so that is short. */
const MAX_AGE_WITH_NONCE_SECONDS = 10 * 60;
const MAX_NONCE_LENGTH = 256;

/** At least one of them binds the signature to this service. */
const BINDING_COMPONENTS: readonly unknown[] = ['@authority', '@target-uri'];

/**
 * The header of refusals that asks for a signature. It stands beside the rules because it may only invite what is verified: a test signs
 * what it asks for, and leaves out each part of it in turn.
 */
export const ACCEPT_SIGNATURE = `sig1=("@authority" "signature-agent";key="sig1");created;expires;keyid;tag="${WEB_BOT_AUTH}"`;

/** Of the signatures of a request those that are made for us to verify. Others, or none, are for somebody else. */
export function isWebBotAuth({ parameters }: SignatureMember): boolean {
  return parameters.tag === WEB_BOT_AUTH;
}

export function coversAuthority({ components }: SignatureMember): boolean {
  return components.some(([name, { size }]) => size === 0 && BINDING_COMPONENTS.includes(name));
}

/** What is wrong with the times and the nonce at a moment, in epoch seconds. */
export function faultOfTimes(
  { created, expires, nonce, names }: SignatureParameters,
  now: number,
): InvalidSignature | null {
  if (created === null) return 'created_missing';
  if (expires === null) return 'expires_missing';
  if (created > now + MAX_SKEW_SECONDS) return 'created_in_future';
  if (expires <= now - MAX_SKEW_SECONDS) return 'expired';
  if (expires <= created) return 'expires_before_created';
  if (expires - created > MAX_LIFE_SECONDS) return 'life_too_long';
  if (!names.has('nonce')) return null;
  if (nonce === null || nonce === '' || nonce.length > MAX_NONCE_LENGTH) return 'nonce_malformed';
  return now > lastUseOf(created, expires) ? 'nonce_too_old' : null;
}

/** Until when, in epoch seconds, a signature with a nonce is accepted. */
export function lastUseOf(created: number, expires: number): number {
  return Math.min(created + MAX_AGE_WITH_NONCE_SECONDS, expires) + MAX_SKEW_SECONDS;
}
