import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import type { Algorithm, PublicKey } from '../../src/access/signatures/keys.ts';
import { readPrivateKey, type SignatureKey } from '../../src/access/signatures/keys.ts';

export type SigningKey = {
  readonly jwk: JsonWebKey;
  readonly key: SignatureKey;
  /** As a key directory publishes it. */
  readonly published: PublicKey;
};

/** A new key for the algorithm. */
export function newSigningKey(algorithm: Algorithm): SigningKey {
  return signingKeyFrom(newJwk(algorithm));
}

export function signingKeyFrom(jwk: JsonWebKey): SigningKey {
  const reading = readPrivateKey(jwk);
  if (reading.kind === 'invalid') throw new Error('not a key to sign with');
  return { jwk, key: reading.value, published: publicHalf(jwk) };
}

export function publicHalf({ kty, crv, x, y, n, e }: JsonWebKey): PublicKey {
  const members = kty === 'RSA' ? { kty, n, e } : kty === 'EC' ? { kty, crv, x, y } : { kty, crv, x };
  return members as PublicKey;
}

/** With a modulus of so many bits: also one that is too small. */
export function newRsaJwk(modulusLength: number): JsonWebKey {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ format: 'jwk' });
}

function newJwk(algorithm: Algorithm): JsonWebKey {
  if (algorithm === 'rsa-pss-sha512') return newRsaJwk(2048);
  const { privateKey } =
    algorithm === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ format: 'jwk' });
}
