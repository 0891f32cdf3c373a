import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClientOptions, createClient } from './client.ts';

/** A client that records its requests, and answers them with an empty session. */
function keeping(options: Partial<ClientOptions> = {}) {
  const requests: { readonly url: string; readonly headers: Headers; readonly init: RequestInit }[] = [];
  let keys = 0;
  const client = createClient(
    { baseUrl: 'https://stays.example.com', ...options },
    {
      fetch: async (url, init) => {
        requests.push({ url, headers: new Headers(init.headers), init });
        return new Response(
          JSON.stringify({ object: url.includes('/result') ? 'search_result' : 'session' }),
        );
      },
      after: () => () => {},
      random: () => 0,
      newKey: () => {
        keys += 1;
        return `key-${keys}`;
      },
    },
  );
  return { client, requests };
}

describe('the requests of a client', () => {
  it('go to the interface below its base address, whatever else that has', async () => {
    for (const [baseUrl, expected] of [
      ['https://stays.example.com', 'https://stays.example.com/ai/v1/auth'],
      ['https://example.com/stays/?x=1#top', 'https://example.com/stays/ai/v1/auth'],
      [new URL('http://127.0.0.1:8080/'), 'http://127.0.0.1:8080/ai/v1/auth'],
    ] as const) {
      const { client, requests } = keeping({ baseUrl });
      await client.open();
      assert.equal(requests[0]?.url, expected);
    }
    assert.throws(() => createClient({ baseUrl: 'stays.example.com' }), TypeError);
  });

  it('carry the session however it is given, and the view', async () => {
    const { client, requests } = keeping({ view: 'compact' });
    await client.result('ses_1 &');
    await client.result({ session: 'ses_2' });
    assert.deepEqual(
      requests.map(({ url }) => url),
      [
        'https://stays.example.com/ai/v1/result?session=ses_1+%26&view=compact',
        'https://stays.example.com/ai/v1/result?session=ses_2&view=compact',
      ],
    );
    assert.equal(requests[0]?.init.method, 'GET');
    assert.equal(requests[0]?.init.body, undefined);
  });

  it('that change something have a key of their own, or that of the caller; those that read have none', async () => {
    const { client, requests } = keeping();
    await client.open();
    await client.open({ idempotencyKey: 'mine' });
    await client.step('s', { guests: 2 }).catch(() => {});
    await client.refine('s', null).catch(() => {});
    await client.step('s', { guests: undefined }).catch(() => {});
    await client.result('s');
    assert.deepEqual(
      requests.map(({ headers }) => headers.get('idempotency-key')),
      ['key-1', 'mine', 'key-2', 'key-3', null, null],
    );
  });

  it('name the version that the types describe, and who calls', async () => {
    const { client, requests } = keeping({
      userAgent: 'Example/1.0',
      headers: { 'User-Agent': 'not this', Signature: 'sig1=:x:', 'Content-Type': 'text/plain' },
    });
    await client.open({ source: 'acme' });
    assert.deepEqual(Object.fromEntries(requests[0]?.headers ?? []), {
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
      signature: 'sig1=:x:',
      'user-agent': 'Example/1.0',
      'x-api-version': '2026-11-01',
    });
    assert.equal(requests[0]?.init.body, '{"source":"acme"}');
  });
});
