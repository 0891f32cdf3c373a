import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import type { PublicKey } from '../access-list.ts';
import { readPublicKey } from '../signatures/keys.ts';
import type { PublishedContent } from './published-document.ts';

/** A key, and from when to when its publisher stands by it; seconds since 1970. */
export type DatedKey = {
  readonly key: PublicKey;
  readonly notBefore: number | null;
  readonly notAfter: number | null;
};

const MAX_KEYS = 100;

/** Without the padding and the alphabet of other encodings (RFC 7515, 2). */
const Base64url = Type.String({ pattern: '^[A-Za-z0-9_-]+$' });
const KeySet = Type.Object({ keys: Type.Array(Type.Unknown()) });
/** The members of a key that are read here; whether it can be used is said by `readPublicKey`. */
const Entry = Type.Object({
  x: Type.Optional(Base64url),
  y: Type.Optional(Base64url),
  n: Type.Optional(Base64url),
  e: Type.Optional(Base64url),
  nbf: Type.Optional(Type.Number()),
  exp: Type.Optional(Type.Number()),
});

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
  if (!Value.Check(Entry, json)) return null;
  const reading = readPublicKey(json);
  if (reading.kind === 'invalid') return null;
  // Written anew, so that a key is the same in whatever spelling it comes.
  const key = reading.value.key.export({ format: 'jwk' }) as PublicKey;
  return { key, notBefore: json.nbf ?? null, notAfter: json.exp ?? null };
}

function written({ key, notBefore, notAfter }: DatedKey) {
  return {
    ...key,
    ...(notBefore === null ? {} : { nbf: notBefore }),
    ...(notAfter === null ? {} : { exp: notAfter }),
  };
}
