import { createPublicKey } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { invalid, type Reading, valid } from '../../reading/reading.ts';
import type { PublicKey } from '../access-list.ts';
import type { PublishedContent } from './published-document.ts';

/** A key, and from when to when its publisher stands by it; seconds since 1970. */
export type DatedKey = {
  readonly key: PublicKey;
  readonly notBefore: number | null;
  readonly notAfter: number | null;
};

const MAX_KEYS = 100;
const MIN_RSA_BITS = 2048;
/** Every signature with a larger one would cost the service milliseconds. */
const MAX_RSA_BITS = 8192;
/** Odd, and short: a long one only makes checking slow. */
const MAX_EXPONENT_BYTES = 4;

const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** Members that only private or shared keys have (RFC 7518). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
/** The names of JOSE and of HTTP signatures for the same. */
const ALGORITHMS = {
  OKP: /^(?:EdDSA|Ed25519|ed25519)$/,
  EC: /^(?:ES256|ecdsa-p256-sha256)$/,
  RSA: /^(?:(?:PS|RS)(?:256|384|512)|rsa-pss-sha512|rsa-v1_5-sha256)$/,
} as const;

const KeySet = Type.Object({ keys: Type.Array(Type.Unknown()) });
const Jwk = Type.Object({
  kty: Type.Union([Type.Literal('OKP'), Type.Literal('EC'), Type.Literal('RSA')]),
  crv: Type.Optional(Type.String()),
  x: Type.Optional(Type.String()),
  y: Type.Optional(Type.String()),
  n: Type.Optional(Type.String()),
  e: Type.Optional(Type.String()),
  alg: Type.Optional(Type.String()),
  use: Type.Optional(Type.String()),
  key_ops: Type.Optional(Type.Array(Type.String())),
  nbf: Type.Optional(Type.Number()),
  exp: Type.Optional(Type.Number()),
});
type Jwk = Type.Static<typeof Jwk>;

/**
 * The keys in a JSON Web Key Set that signatures can be checked with. One that is of no use here is dropped and counted: a publisher may
 * have keys for others too. A set without keys is a set: that is how all are withdrawn.
 */
export function readPublishedKeys(text: string): Reading<PublishedContent<readonly DatedKey[]>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return invalid('is not valid JSON');
  }
  if (!Value.Check(KeySet, json)) return invalid('is not a JSON Web Key Set: {"keys": […]}');
  if (json.keys.length > MAX_KEYS) return invalid(`has more than ${MAX_KEYS} keys`);
  const content = json.keys.map(readKey).filter((key) => key !== null);
  return valid({
    content,
    text: JSON.stringify({ keys: content.map(written) }),
    identity: JSON.stringify(content.map(({ key }) => key)),
    count: content.length,
    dropped: json.keys.length - content.length,
  });
}

function readKey(json: unknown): DatedKey | null {
  if (!Value.Check(Jwk, json)) return null;
  // Whoever has read the document could sign with it.
  if (SECRET_MEMBERS.some((member) => member in json)) return null;
  if (json.use !== undefined && json.use !== 'sig') return null;
  if (json.key_ops !== undefined && !json.key_ops.includes('verify')) return null;
  if (json.alg !== undefined && !ALGORITHMS[json.kty].test(json.alg)) return null;
  const key = publicPart(json);
  if (!key || !isOnItsCurve(key)) return null;
  return { key, notBefore: json.nbf ?? null, notAfter: json.exp ?? null };
}

function publicPart({ kty, crv, x, y, n, e, alg }: Jwk): PublicKey | null {
  const algorithm = alg === undefined ? {} : { alg };
  if (kty === 'OKP') {
    return crv === 'Ed25519' && byteCount(x) === 32 ? { kty, crv, x: x ?? '', ...algorithm } : null;
  }
  if (kty === 'EC') {
    return crv === 'P-256' && byteCount(x) === 32 && byteCount(y) === 32
      ? { kty, crv, x: x ?? '', y: y ?? '', ...algorithm }
      : null;
  }
  const bits = bitCount(n);
  const isSound = bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS && isExponent(e);
  return isSound ? { kty, n: n ?? '', e: e ?? '', ...algorithm } : null;
}

/** OpenSSL refuses points that are not. */
function isOnItsCurve(key: PublicKey): boolean {
  try {
    createPublicKey({ key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function bytesOf(text: string | undefined): Buffer {
  return text !== undefined && BASE64URL.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
}

function byteCount(text: string | undefined): number {
  return bytesOf(text).length;
}

/** Zeros in front make no key longer. */
function bitCount(text: string | undefined): number {
  const bytes = bytesOf(text);
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24;
}

function isExponent(text: string | undefined): boolean {
  const bytes = bytesOf(text);
  if (bytes.length === 0 || bytes.length > MAX_EXPONENT_BYTES) return false;
  const exponent = bytes.readUIntBE(0, bytes.length);
  return exponent >= 3 && exponent % 2 === 1;
}

function written({ key, notBefore, notAfter }: DatedKey) {
  return {
    ...key,
    ...(notBefore === null ? {} : { nbf: notBefore }),
    ...(notAfter === null ? {} : { exp: notAfter }),
  };
}
