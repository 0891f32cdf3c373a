import type { CallerFacts } from '../caller-facts.ts';
import { WEB_BOT_AUTH } from '../signatures/sign-request.ts';
import type { RequestParts } from '../signatures/signature-base.ts';
import type { SignatureMember, SignatureParameters } from '../signatures/signature-headers.ts';

/** Verifies request signatures (RFC 9421, Web Bot Auth). Called only for requests that carry one. Never rejects. */
export type SignatureVerifier = (facts: CallerFacts) => Promise<SignatureOutcome>;

/**
 * The outcomes that the drafts of Web Bot Auth distinguish. `keysUrl` is the URL of the key document that the signature names; only
 * `verified` and `replayed` prove that a key from there was used.
 */
export type SignatureOutcome =
  /** A key published at the URL made the signature. `keyid` is its thumbprint. */
  | { readonly kind: 'verified'; readonly keysUrl: string; readonly keyid: string }
  /** The signature of a known signer is wrong: the caller is refused, whatever its other proofs. */
  | { readonly kind: 'invalid'; readonly why: InvalidSignature; readonly keysUrl: string | null }
  /** The signature is right, but was used before. */
  | { readonly kind: 'replayed'; readonly keysUrl: string; readonly keyid: string }
  /** The signer is unknown: the other proofs decide. */
  | { readonly kind: 'unverified'; readonly why: UnverifiedSignature };

export const NOT_SIGNED: SignatureOutcome = { kind: 'unverified', why: 'no_signature' };

/** For the owner: the fault of a signature. Callers do not receive it. */
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

/** For the owner: why a signature proves nothing. */
export type UnverifiedSignature =
  | 'no_signature'
  | 'no_agent'
  | 'agent_ambiguous'
  | 'agent_unreadable'
  | 'agent_unknown'
  | 'key_unknown'
  | 'nonces_unavailable';

/** The tolerated difference between the signer's clock and ours. */
const MAX_SKEW_SECONDS = 30;
/** The maximum that the drafts recommend. Anyone who sees a signature can use it until it expires. */
const MAX_LIFE_SECONDS = 24 * 60 * 60;
/** A signature with a nonce is for one request. Nonces must be stored for as long as it is accepted, so that time is short. */
const MAX_AGE_WITH_NONCE_SECONDS = 10 * 60;
const MAX_NONCE_LENGTH = 256;

/** A signature must cover at least one of these, which bind it to this service. */
const BINDING_COMPONENTS: readonly unknown[] = ['@authority', '@target-uri'];

/**
 * The header of refusals that requests a signature. It must match the rules below: a test signs all requested parts, and omits each in
 * turn.
 */
export const ACCEPT_SIGNATURE = `sig1=("@authority" "signature-agent";key="sig1");created;expires;keyid;tag="${WEB_BOT_AUTH}"`;

/** Whether a signature is for us to verify. Others are for intermediaries. */
export function isWebBotAuth({ parameters }: SignatureMember): boolean {
  return parameters.tag === WEB_BOT_AUTH;
}

export function coversAuthority({ components }: SignatureMember): boolean {
  return components.some(([name, { size }]) => size === 0 && BINDING_COMPONENTS.includes(name));
}

/** The fault of the times or the nonce at a moment, in epoch seconds. */
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

/** The last moment, in epoch seconds, at which a signature with a nonce is accepted. */
export function lastUseOf(created: number, expires: number): number {
  return Math.min(created + MAX_AGE_WITH_NONCE_SECONDS, expires) + MAX_SKEW_SECONDS;
}

type RequestForUs = (facts: CallerFacts) => RequestParts | null;

const WHOLE_ADDRESS = /^https?:\/\/([^/?#]*)/i;

/**
 * The request as its signer saw it, or null if it names another host than ours: a signature for another host proves nothing here. The
 * scheme is that of our own URL, because behind a proxy the connection does not reveal it.
 */
export function createRequestForUs(origins: readonly string[]): RequestForUs {
  const ours = new Map<string, URL>();
  // HTTPS last, so that it wins when both have the same host.
  for (const origin of origins.toSorted((one, other) => Number(isHttps(one)) - Number(isHttps(other)))) {
    const url = new URL(origin);
    ours.set(url.host, url);
    // A caller may include the default port.
    if (url.port === '') ours.set(`${url.host}:${url.protocol === 'https:' ? 443 : 80}`, url);
  }

  return ({ method, target, headers }) => {
    const { host } = headers;
    if (typeof host !== 'string') return null;
    const url = ours.get(host.toLowerCase());
    const [, named] = WHOLE_ADDRESS.exec(target) ?? [];
    if (!url || (named !== undefined && ours.get(named.toLowerCase()) !== url)) return null;
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    return { method, scheme, authority: url.host, target, headers };
  };
}

/** Callers use TLS, which a proxy may terminate, unless our own URL says otherwise. */
export function originsOf({
  publicUrl,
  hosts,
}: {
  readonly publicUrl: string | null;
  readonly hosts: readonly string[];
}): readonly string[] {
  return [...(publicUrl === null ? [] : [publicUrl]), ...hosts.map((host) => `https://${host}`)];
}

function isHttps(origin: string): boolean {
  return origin.toLowerCase().startsWith('https:');
}
