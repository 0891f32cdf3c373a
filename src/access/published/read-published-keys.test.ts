import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { readPublishedKeys } from './read-published-document.ts';

type Jwk = Readonly<Record<string, unknown>>;

const jwkOf = (pair: { readonly publicKey: ReturnType<typeof generateKeyPairSync>['publicKey'] }): Jwk =>
  ({ ...pair.publicKey.export({ format: 'jwk' }) }) as Jwk;
const pair = generateKeyPairSync('ed25519');
const ed25519 = jwkOf(pair);
const p256 = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const rsa = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }));

function read(...keys: readonly unknown[]) {
  const reading = readPublishedKeys(JSON.stringify({ keys, signature_agent: 'https://agent.example' }));
  assert.ok(reading.kind === 'valid', JSON.stringify(reading));
  return reading.value;
}

describe('a published set of keys', () => {
  it('gives Ed25519, P-256 and RSA keys, without what says nothing about the key', () => {
    const read3 = read({ ...ed25519, kid: 'one', use: 'sig', alg: 'EdDSA' }, p256, {
      ...rsa,
      key_ops: ['verify'],
    });
    assert.deepEqual(
      read3.content.map(({ key }) => key),
      [ed25519, p256, rsa],
    );
    assert.deepEqual([read3.count, read3.dropped], [3, 0]);
  });

  it('keeps from when to when a key holds, and can be read again from what is kept of it', () => {
    const document = read({ ...ed25519, kid: 'one', nbf: 1_735_689_600, exp: 1_786_913_274 });
    const expected = [{ key: ed25519, notBefore: 1_735_689_600, notAfter: 1_786_913_274 }];
    assert.deepEqual(document.content, expected);
    assert.deepEqual(readPublishedKeys(document.text), { kind: 'valid', value: document });
  });

  it('has each key in one spelling, whatever its publisher writes', () => {
    const zero = Buffer.concat([Buffer.alloc(1), Buffer.from(String(rsa.n), 'base64url')]);
    assert.equal(read({ ...rsa, n: zero.toString('base64url'), alg: 'PS512' }).text, read(rsa).text);
  });

  it('is the same set when its keys only hold for longer', () => {
    const [sooner, later] = [
      read({ ...ed25519, exp: 1_786_913_274 }),
      read({ ...ed25519, exp: 1_786_999_674 }),
    ];
    assert.equal(sooner.identity, later.identity);
    assert.notEqual(sooner.text, later.text);
    assert.notEqual(sooner.identity, read(p256).identity);
  });

  it('may have no keys: that is how they are withdrawn', () => {
    assert.deepEqual([read().count, read().dropped], [0, 0]);
  });

  const unusable: Readonly<Record<string, unknown>> = {
    'a private key': { ...pair.privateKey.export({ format: 'jwk' }) },
    'a shared secret': { kty: 'oct', k: 'c2VjcmV0' },
    'a key for encryption': { ...ed25519, use: 'enc' },
    'a key for other operations': { ...ed25519, key_ops: ['deriveKey'] },
    'an algorithm of another kind of key': { ...ed25519, alg: 'ES256' },
    'a shared-secret algorithm': { ...rsa, alg: 'HS256' },
    'RSA for the older padding': { ...rsa, alg: 'RS256' },
    'RSA-PSS with another digest': { ...rsa, alg: 'PS256' },
    'an RSA key with the exponent 3': jwkOf(
      generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }),
    ),
    'another curve': jwkOf(generateKeyPairSync('x25519')),
    'another elliptic curve': jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' })),
    'a short RSA key': jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 })),
    'a short RSA key with zeros before it': {
      ...rsa,
      n: Buffer.concat([Buffer.alloc(200), Buffer.alloc(128, 0xff)]).toString('base64url'),
    },
    'an RSA key without end': { ...rsa, n: Buffer.alloc(1025, 0xff).toString('base64url') },
    'an RSA key with the exponent 1': { ...rsa, e: 'AQ' },
    'an RSA key with a long exponent': { ...rsa, e: Buffer.alloc(8, 0xff).toString('base64url') },
    'a point that is not on the curve': { ...p256, y: p256.x },
    'a point that is too short': { ...p256, x: 'AAAA' },
    'a key without its point': { kty: 'OKP', crv: 'Ed25519' },
    'a point in another alphabet': { ...ed25519, x: '+'.repeat(43) },
    'a number for a point': { ...ed25519, x: 7 },
    'no object': 'key',
  };
  for (const [what, key] of Object.entries(unusable)) {
    it(`drops and counts ${what}, and keeps the others`, () => {
      const { content, count, dropped, text } = read(key, ed25519);
      assert.deepEqual(
        content.map((one) => one.key),
        [ed25519],
      );
      assert.deepEqual([count, dropped], [1, 1]);
      assert.equal(JSON.parse(text).keys.length, 1);
    });
  }

  const refused: Readonly<Record<string, string>> = {
    'with more than 100 keys': JSON.stringify({ keys: Array.from({ length: 101 }, () => ed25519) }),
    'that is a key': JSON.stringify(ed25519),
    'that is a list': JSON.stringify([ed25519]),
    'that is a page': '<!doctype html>',
    'that is cut off': '{"keys": [',
  };
  it('is refused where a rule is broken', () => {
    for (const [what, text] of Object.entries(refused)) {
      assert.equal(readPublishedKeys(text).kind, 'invalid', `is refused ${what}`);
    }
  });
});
