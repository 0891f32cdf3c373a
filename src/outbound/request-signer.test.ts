import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AGENT, sampleIdentity, sampleKey } from '../../test/support/sample-identity.ts';
import { verifiedByOthers } from '../../test/support/verified-by-others.ts';
import { systemRandom } from '../random.ts';
import { createKeyDirectory } from './key-directory.ts';
import { createRequestSigner } from './request-signer.ts';

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

  it('is never made twice, and ends after five minutes', async () => {
    const request = { method: 'GET', url: 'https://pms.example/catalogue', body: null };
    const nonces = new Set<string>();
    for (let at = 0; at < 50; at += 1) {
      const headers = sign(request);
      const { method, url } = request;
      nonces.add((await verify({ method, url, headers })).nonce);
      assert.match(
        headers['signature-input'] ?? '',
        new RegExp(`;created=${NOW / 1000};expires=${NOW / 1000 + 300};`),
      );
    }
    assert.equal(nonces.size, 50);
  });
});
