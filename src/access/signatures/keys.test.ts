import assert from 'node:assert/strict';
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { newRsaJwk, newSigningKey, publicHalf } from '../../../test/support/signing-key.ts';
import { isSignedBy, readPrivateKey, readPublicKey, thumbprintOf } from './keys.ts';

/** RFC 8037, A.1 and A.3. */
const ED25519: JsonWebKey = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
/** RFC 7638, 3.1. */
const RSA: JsonWebKey = {
  kty: 'RSA',
  n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
  e: 'AQAB',
};

/** Points of Ed25519 with an order of at most eight, as they are written: the list by which libsodium refuses them (`ge25519_has_small_order`). */
const SMALL_ORDER = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
];

describe('keys', () => {
  it('have the thumbprints of RFC 7638 and RFC 8037, whatever their documents call them', () => {
    assert.equal(keyidOf({ ...ED25519, kid: 'mine' }), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    assert.equal(keyidOf({ ...RSA, kid: '2011-04-29' }), 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  });

  it('have one thumbprint in every spelling', () => {
    const bytes = Buffer.from(RSA.n ?? '', 'base64url');
    const withZero = Buffer.concat([Buffer.alloc(1), bytes]).toString('base64url');
    assert.equal(keyidOf({ ...RSA, n: withZero }), keyidOf(RSA));
    assert.equal(keyidOf({ ...ED25519, x: `${ED25519.x}=` }), keyidOf(ED25519));
  });

  it('have the same thumbprint as their private halves', () => {
    for (const algorithm of ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512'] as const) {
      const { published, key } = newSigningKey(algorithm);
      assert.equal(keyidOf(published), key.keyid);
      assert.equal(thumbprintOf(key.key), key.keyid);
      assert.equal(key.algorithm, algorithm);
    }
  });

  const smallExponent = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).publicKey;
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
  const { x: offTheCurve } = newSigningKey('ecdsa-p256-sha256').jwk;
  const faults: readonly (readonly [string, JsonWebKey, string])[] = [
    ['RSA of 1,024 bits', publicHalf(newRsaJwk(1024)), 'weak'],
    ['a private Ed25519 key', newSigningKey('ed25519').jwk, 'exposed'],
    ['a private P-256 key', newSigningKey('ecdsa-p256-sha256').jwk, 'exposed'],
    ['RSA with one of its primes', { ...RSA, p: 'AAAA' }, 'exposed'],
    ['a key for other operations', { ...ED25519, key_ops: ['deriveKey'] }, 'unsupported'],
    ['a key for signing', { ...ED25519, key_ops: ['sign'] }, 'unsupported'],
    ['operations of another type', { ...ED25519, key_ops: 'verify' }, 'unsupported'],
    ['RSA with the exponent 3', smallExponent.export({ format: 'jwk' }), 'weak'],
    ['RSA for the older padding', { ...RSA, alg: 'RS256' }, 'unsupported'],
    ['RSA-PSS with another digest', { ...RSA, alg: 'PS256' }, 'unsupported'],
    ['a key for encryption', { ...RSA, use: 'enc' }, 'unsupported'],
    ['a shared secret', { kty: 'oct', k: 'AAAA' }, 'unsupported'],
    ['P-384', p384.export({ format: 'jwk' }), 'unsupported'],
    ['X25519', generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' }), 'unsupported'],
    [
      'a point that is not on the curve',
      { kty: 'EC', crv: 'P-256', x: offTheCurve ?? '', y: offTheCurve ?? '' },
      'unsupported',
    ],
    ['an Ed25519 key that is too short', { ...ED25519, x: 'AAAA' }, 'unsupported'],
    ['nothing', {}, 'unsupported'],
    ['members of another type', { kty: 'OKP', crv: 'Ed25519', x: 1 } as unknown as JsonWebKey, 'unsupported'],
  ];
  for (const [name, jwk, fault] of faults) {
    it(`are not used: ${name}`, () => {
      const reading = readPublicKey(jwk);
      assert.equal(reading.kind === 'invalid' && reading.faults[0], fault);
    });
  }

  it('of small order verify nothing, whatever was signed', () => {
    for (const y of SMALL_ORDER) {
      const x = Buffer.from(y, 'hex').toString('base64url');
      const reading = readPublicKey({ kty: 'OKP', crv: 'Ed25519', x });
      if (reading.kind === 'invalid') continue;
      for (const r of SMALL_ORDER) {
        // Eight texts, because each point fits at least one text of as many.
        for (let text = 0; text < 8; text += 1) {
          assert.ok(
            !isSignedBy(reading.value, `text ${text}`, Buffer.from(r.padEnd(128, '0'), 'hex')),
            `${y} ${r}`,
          );
        }
      }
    }
  });

  it('that are public cannot sign, and private ones may say that they are for signing', () => {
    assert.equal(readPrivateKey(ED25519).kind, 'invalid');
    const { jwk } = newSigningKey('ed25519');
    assert.equal(readPrivateKey({ ...jwk, key_ops: ['sign'], use: 'sig' }).kind, 'valid');
  });
});

function keyidOf(jwk: JsonWebKey): string {
  const reading = readPublicKey(jwk);
  assert.ok(reading.kind === 'valid');
  return reading.value.keyid;
}
