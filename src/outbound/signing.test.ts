import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { AGENT, bytesOf, sampleIdentity, sampleKey } from '../../test/support/sample-identity.ts';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { verifiedByOthers } from '../../test/support/verified-by-others.ts';
import { systemRandom } from '../random.ts';
import {
  addSigningKey,
  createKeyDirectory,
  createRequestSigner,
  newSigningKey,
  readSigningKeys,
} from './signing.ts';

/** The Ed25519 key that RFC 9421 prints, with its private half. */
const PRINTED_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
};

function pathFor(t: TestContext): string {
  return join(temporaryDirectory(t), 'signing-keys.json');
}

function faultsOf(t: TestContext, content: unknown): readonly string[] {
  const path = pathFor(t);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  const reading = readSigningKeys(path);
  return reading.kind === 'invalid' ? reading.faults : [];
}

describe('the file of signing keys', () => {
  it('is made for its owner alone, and read back', (t) => {
    const path = pathFor(t);
    const added = addSigningKey(path, bytesOf('first'));
    assert.equal(added.kind, 'valid');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const reading = readSigningKeys(path);
    assert.equal(reading.kind, 'valid');
    assert.deepEqual(
      reading.value.keys.map(({ keyid, algorithm }) => ({ keyid, algorithm })),
      [{ keyid: added.value.keyid, algorithm: 'ed25519' }],
    );
    assert.equal(reading.value.isOpenToOthers, false);
  });

  it('has all its faults reported at once, and nothing of its keys in them', (t) => {
    const { jwk } = newSigningKey(bytesOf('first'));
    const { d: _, ...publicOnly } = jwk;
    const faults = faultsOf(t, {
      keys: [jwk, publicOnly, { kty: 'oct', k: 'c2VjcmV0' }, 'text', jwk, PRINTED_KEY],
    });
    assert.deepEqual(faults, [
      '/keys/1: must be a private Ed25519 key, with kty, crv, x and d',
      '/keys/2: must be a private Ed25519 key, with kty, crv, x and d',
      '/keys/3: must be a private Ed25519 key, with kty, crv, x and d',
      '/keys/5: is a key of a published example, with which anybody can sign',
      '/keys/4: is there twice',
    ]);
    assert.ok(!faults.join().includes(String(jwk.d)));
  });
});

const NOW = Date.UTC(2027, 2, 1, 12);
const clock = { now: () => NOW };
const identity = sampleIdentity('first', 'next');
const directory = JSON.parse(createKeyDirectory(identity, { clock })().body.toString());
const sign = createRequestSigner(identity, { clock, random: systemRandom });
const verify = (request: Parameters<typeof verifiedByOthers>[0]) =>
  verifiedByOthers(request, directory, { now: NOW, agent: AGENT });

describe('a signed request', () => {
  it('is verified by others with the published keys, and signed by the first', async () => {
    for (const url of [
      'https://pms.example/v1/catalogue?page=2&q=a%20b',
      'https://pms.example:8443/',
      'http://127.0.0.1:4000/calendars',
    ]) {
      const headers = sign({ method: 'GET', url, body: null });
      assert.equal((await verify({ method: 'GET', url, headers })).keyid, sampleKey('first').keyid);
    }
  });

  it('holds for its own method, host, path, query and body alone', async () => {
    const sent = { method: 'POST', url: 'https://pms.example/quotes?a=1', body: '{"guests":2}' };
    const headers = sign(sent);
    await verify({ ...sent, headers });
    for (const other of [
      { method: 'PUT' },
      { url: 'https://other.example/quotes?a=1' },
      { url: 'https://pms.example/prices?a=1' },
      { url: 'https://pms.example/quotes?a=2' },
      { body: '{"guests":3}' },
    ]) {
      await assert.rejects(verify({ ...sent, headers, ...other }));
    }
    const anotherDigest = { ...headers, 'content-digest': 'sha-256=:AAAA:' };
    await assert.rejects(verify({ ...sent, headers: anotherDigest }));
  });
});
