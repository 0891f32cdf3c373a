import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Neighbourhood, startNeighbourhood } from '../support/neighbourhood.ts';

const REFUSED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['a rebound host name', { host: 'evil.example' }],
  [
    'a cross-site POST',
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  ],
  ['a POST of a sandboxed page', { origin: 'null' }],
  [
    'a request without CORS',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  ],
  ['a frame', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  [
    'a page of the same origin',
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  ],
  ['an unlisted proxy of Cloudflare', { 'cf-connecting-ip': '203.0.113.9' }],
  ['an unlisted proxy of Envoy', { 'x-envoy-external-address': '203.0.113.9' }],
  ['an unlisted proxy of Fly', { 'fly-client-ip': '203.0.113.9' }],
];

describe('on loopback too, the gate refuses', () => {
  let here: Neighbourhood;
  before(async () => {
    here = await startNeighbourhood();
  });
  after(() => here.close());

  for (const [what, headers] of REFUSED) {
    it(what, async () => {
      const { status, body } = await here.modest.call('/ai/v1/auth', { body: {}, headers });
      assert.equal(status, 403, JSON.stringify(body).slice(0, 200));
      assert.equal(body.error, 'access_denied');
    });
  }

  it('nothing else: an assistant gets in, by name and by address', async () => {
    for (const host of ['localhost', '127.0.0.1', `localhost:${here.port}`, `[::1]:${here.port}`]) {
      assert.equal(
        (await here.modest.call('/ai/v1/auth', { body: {}, headers: { host } })).status,
        200,
        host,
      );
    }
  });

  it('and no answer repeats a foreign address', async () => {
    for (const path of [
      '//evil.example/x',
      '/ai/v1//evil.example',
      '/ai/v1/%2f%2fevil.example',
      '/x?next=evil.example',
    ]) {
      const { body } = await here.modest.call(path);
      assert.ok(!JSON.stringify(body).includes('evil.example'), path);
    }
  });
});
