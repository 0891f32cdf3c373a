import { createPrivateKey, createPublicKey, hash, type JsonWebKey, type KeyObject } from 'node:crypto';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import type { Algorithm } from './algorithms.ts';

/** A key that signatures are made or verified with. */
export type SignatureKey = {
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
  /** The thumbprint of the key (RFC 7638), which the drafts use as `keyid`. Computed here, whatever a document says of it. */
  readonly keyid: string;
};

/**
 * `weak`: others could sign with it, or soon. `exposed`: everybody can, because its private half was published with it. `unsupported`: of
 * another kind, or meant for something else.
 */
export type KeyFault = 'weak' | 'exposed' | 'unsupported';

const MIN_RSA_BITS = 2048;
/** Verifying costs more with each bit, and whoever publishes a key chooses them. */
const MAX_RSA_BITS = 8192;
const MIN_RSA_EXPONENT = 65_537n;
const MAX_RSA_EXPONENT = 2n ** 32n;

/** What an `alg` of the key may say: the name of RFC 9421 or that of JOSE. */
const NAMES: Readonly<Record<Algorithm, readonly string[]>> = {
  ed25519: ['ed25519', 'EdDSA', 'Ed25519'],
  'ecdsa-p256-sha256': ['ecdsa-p256-sha256', 'ES256'],
  'rsa-pss-sha512': ['rsa-pss-sha512', 'PS512'],
};

/** The members that only private keys have (RFC 7518, 6.2.2 and 6.3.2; RFC 8037, 2). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'] as const;

/** A public key as it was published. Which keys signatures are verified with is decided here, for all who read some. */
export function readPublicKey(jwk: JsonWebKey): Reading<SignatureKey, KeyFault> {
  if (PRIVATE_MEMBERS.some((member) => member in jwk)) return invalid('exposed');
  return readKey(jwk, 'verify', () => createPublicKey({ key: publicMembers(jwk), format: 'jwk' }));
}

/** A private key of ours. */
export function readPrivateKey(jwk: JsonWebKey): Reading<SignatureKey, KeyFault> {
  return readKey(jwk, 'sign', () => createPrivateKey({ key: jwk, format: 'jwk' }));
}

/** The SHA-256 thumbprint of a public key (RFC 7638; RFC 8037 for Ed25519). */
export function thumbprintOf(key: KeyObject): string {
  const { kty, crv, x, y, n, e } = publicJwkOf(key);
  // The members that define a key, in alphabetical order and without spaces, are what RFC 7638 hashes.
  const members = kty === 'RSA' ? { e, kty, n } : kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x };
  return hash('sha256', JSON.stringify(members), 'base64url');
}

function readKey(
  jwk: JsonWebKey,
  operation: 'sign' | 'verify',
  create: () => KeyObject,
): Reading<SignatureKey, KeyFault> {
  let key: KeyObject;
  try {
    key = create();
  } catch {
    return invalid('unsupported');
  }
  const algorithm = algorithmOf(key);
  if (!algorithm || !isMeantFor(algorithm, operation, jwk)) return invalid('unsupported');
  return isWeak(key) ? invalid('weak') : valid({ key, algorithm, keyid: thumbprintOf(key) });
}

function algorithmOf(key: KeyObject): Algorithm | null {
  if (key.asymmetricKeyType === 'ed25519') return 'ed25519';
  if (key.asymmetricKeyType === 'rsa') return 'rsa-pss-sha512';
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 ? 'ecdsa-p256-sha256' : null;
}

function isMeantFor(algorithm: Algorithm, operation: string, { alg, use, key_ops }: JsonWebKey): boolean {
  const isNamed = alg === undefined || (typeof alg === 'string' && NAMES[algorithm].includes(alg));
  const isOperation = key_ops === undefined || (Array.isArray(key_ops) && key_ops.includes(operation));
  return isNamed && isOperation && (use === undefined || use === 'sig');
}

/** Ed25519 has its own weak keys, under which a signature fits any text. OpenSSL refuses those signatures. */
function isWeak(key: KeyObject): boolean {
  if (key.asymmetricKeyType !== 'rsa') return false;
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  return (
    modulusLength < MIN_RSA_BITS ||
    modulusLength > MAX_RSA_BITS ||
    publicExponent < MIN_RSA_EXPONENT ||
    publicExponent > MAX_RSA_EXPONENT
  );
}

/** The public half, in the one spelling that every key has. */
function publicJwkOf(key: KeyObject): JsonWebKey {
  return (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
}

/** What else a document says of a key, such as its certificates, is not for OpenSSL to read. */
function publicMembers({ kty, crv, x, y, n, e }: JsonWebKey): JsonWebKey {
  const members = { kty, crv, x, y, n, e };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'string'));
}
