import {
  constants,
  createPrivateKey,
  createPublicKey,
  hash,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';

/** A public key of an assistant (RFC 7517): only the members that define the key. */
export type PublicKey =
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string };

/** A key that makes or verifies signatures. */
export type SignatureKey = {
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
  /** The thumbprint of the key (RFC 7638), which the drafts use as `keyid`. Computed here, not taken from a document. */
  readonly keyid: string;
};

/**
 * `weak`: others can sign with it, or soon could. `exposed`: its private half was published with it. `unsupported`: of another kind, or for
 * another purpose.
 */
type KeyFault = 'weak' | 'exposed' | 'unsupported';

const MIN_RSA_BITS = 2048;
/** Verification costs more with each bit, and the publisher chooses the length. */
const MAX_RSA_BITS = 8192;
const MIN_RSA_EXPONENT = 65_537n;
const MAX_RSA_EXPONENT = 2n ** 32n;

/** The accepted values of a key's `alg`: the name of RFC 9421 or of JOSE. */
const NAMES: Readonly<Record<Algorithm, readonly string[]>> = {
  ed25519: ['ed25519', 'EdDSA', 'Ed25519'],
  'ecdsa-p256-sha256': ['ecdsa-p256-sha256', 'ES256'],
  'rsa-pss-sha512': ['rsa-pss-sha512', 'PS512'],
};

/** Members that only private keys have (RFC 7518, 6.2.2 and 6.3.2; RFC 8037, 2). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'] as const;

/** Reads a published public key. The only place that decides which keys may verify signatures. */
export function readPublicKey(jwk: JsonWebKey): Reading<SignatureKey, KeyFault> {
  if (PRIVATE_MEMBERS.some((member) => member in jwk)) return invalid('exposed');
  return readKey(jwk, 'verify', () => createPublicKey({ key: publicMembers(jwk), format: 'jwk' }));
}

/** Reads a private key of our own. */
export function readPrivateKey(jwk: JsonWebKey): Reading<SignatureKey, KeyFault> {
  return readKey(jwk, 'sign', () => createPrivateKey({ key: jwk, format: 'jwk' }));
}

/** The SHA-256 thumbprint of a public key (RFC 7638; RFC 8037 for Ed25519). */
export function thumbprintOf(key: KeyObject): string {
  const { kty, crv, x, y, n, e } = publicJwkOf(key);
  // RFC 7638 hashes the defining members, in alphabetical order and without spaces.
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

/** Ed25519 has weak keys too, for which a signature fits any text. OpenSSL rejects those signatures. */
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

/** The public half in canonical spelling. */
function publicJwkOf(key: KeyObject): JsonWebKey {
  return (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
}

/** Withholds other members of a document from OpenSSL, such as certificates. */
function publicMembers({ kty, crv, x, y, n, e }: JsonWebKey): JsonWebKey {
  const members = { kty, crv, x, y, n, e };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'string'));
}

/** Thumbprints of keys whose private half is printed in a public document, so that anyone can sign with them. */
export const PUBLISHED_TEST_KEYS: ReadonlySet<string> = new Set([
  // RFC 9421, B.1, and the Web Bot Auth drafts, which use the same ones: RSA, RSA-PSS, P-256, Ed25519.
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  // RFC 8037, A.1, Ed25519.
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  // RFC 7515, A.3, and RFC 7517, A.2, P-256.
  'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
  'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s',
  // RFC 7517, A.2, and RFC 7638, 3.1, RSA.
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
]);

/**
 * The asymmetric algorithms of RFC 9421 that are not obsolete. The key alone determines the algorithm; a signature that names another is
 * refused, so that a signer cannot choose a weaker one.
 */
export type Algorithm = 'ed25519' | 'ecdsa-p256-sha256' | 'rsa-pss-sha512';

type Scheme = {
  readonly digest: string | null;
  readonly keyOptions: (key: KeyObject) => Parameters<typeof verify>[2];
};

const SCHEMES: Readonly<Record<Algorithm, Scheme>> = {
  ed25519: { digest: null, keyOptions: (key) => key },
  // RFC 9421 uses both numbers side by side, 64 bytes, and not DER.
  'ecdsa-p256-sha256': { digest: 'sha256', keyOptions: (key) => ({ key, dsaEncoding: 'ieee-p1363' }) },
  'rsa-pss-sha512': {
    digest: 'sha512',
    keyOptions: (key) => ({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }),
  },
};

/** Whether the private half of the key has signed the base. */
export function isSignedBy(
  { algorithm, key }: { readonly algorithm: Algorithm; readonly key: KeyObject },
  base: string,
  signature: Uint8Array,
): boolean {
  const { digest, keyOptions } = SCHEMES[algorithm];
  try {
    return verify(digest, Buffer.from(base, 'latin1'), keyOptions(key), signature);
  } catch {
    return false;
  }
}

export function signBase(
  { algorithm, key }: { readonly algorithm: Algorithm; readonly key: KeyObject },
  base: string,
): Buffer {
  const { digest, keyOptions } = SCHEMES[algorithm];
  return sign(digest, Buffer.from(base, 'latin1'), keyOptions(key) as Parameters<typeof sign>[2]);
}
