import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { openLoopbackClient } from '../../test/support/loopback-client.ts';
import { plainServer, sendJson } from '../../test/support/plain-server.ts';
import { systemClock } from '../clock.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import { createFetchPublished, type PublishedAnswer } from './fetch-published.ts';
import type { OpenClient } from './http-client.ts';

const patient = new AbortController().signal;
const JSON_TYPE = { 'content-type': 'application/json' };

async function serve(t: TestContext, listener: RequestListener) {
  const server = await plainServer(listener);
  t.after(() => server.close());
  return server;
}

function fetcher(openClient: OpenClient = openLoopbackClient, timeoutMs = 30_000) {
  return createFetchPublished({ openClient, clock: systemClock, timeoutMs, isPlainHttpAllowed: true });
}

const options = { kind: 'ranges', etag: null, signal: patient } as const;

function assertFailed(answer: PublishedAnswer, failure: FailureKind): void {
  assert.ok(answer.kind === 'failed', answer.kind);
  assert.equal(answer.failure, failure, answer.detail);
}

describe('a published document', () => {
  it('is fetched with its query, and comes as it was sent, with its etag', async (t) => {
    const server = await serve(t, (_, response) => sendJson(response, ['é'], { etag: '"1"' }));
    const answer = await fetcher()(`${server.url}/lists/user.json?v=2`, options);
    assert.ok(answer.kind === 'document');
    assert.equal(new TextDecoder().decode(answer.bytes), '["é"]');
    assert.equal(answer.etag, '"1"');
    const [request] = server.requests;
    assert.equal(request?.url, '/lists/user.json?v=2');
    assert.equal(request?.headers['accept-encoding'], 'identity');
    assert.equal(request?.headers.authorization, undefined);
    assert.equal(request?.headers['if-none-match'], undefined);
  });

  it('of keys is asked for by the type of key directories, and may be any JSON', async (t) => {
    const types = [
      'application/http-message-signatures-directory+json',
      'application/json; charset=utf-8',
      'application/jwk-set+json',
    ];
    const server = await serve(t, (_, response) =>
      response.writeHead(200, { 'content-type': types.shift() }).end('{"keys":[]}'),
    );
    while (types.length > 0) {
      const answer = await fetcher()(server.url, { ...options, kind: 'keys' });
      assert.equal(answer.kind, 'document');
    }
    assert.match(
      server.requests[0]?.headers.accept ?? '',
      /^application\/http-message-signatures-directory\+json,/,
    );
  });

  const faults: readonly [string, FailureKind, RequestListener][] = [
    [
      'is elsewhere now',
      'garbled',
      (request, response) =>
        response.writeHead(301, { location: `http://${request.headers.host}/new` }).end(),
    ],
    ['is gone', 'rejected', (_, response) => response.writeHead(404, JSON_TYPE).end('[]')],
    ['has no content', 'garbled', (_, response) => response.writeHead(204).end()],
    ['was created', 'garbled', (_, response) => response.writeHead(201, JSON_TYPE).end('[]')],
    ['is said to be the same, unasked,', 'garbled', (_, response) => response.writeHead(304).end()],
    ['breaks its server', 'server_error', (_, response) => response.writeHead(500, JSON_TYPE).end('[]')],
    [
      'is a page',
      'garbled',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<'),
    ],
    [
      'is compressed, unasked,',
      'garbled',
      (_, response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('x'),
    ],
    [
      'is announced as too large',
      'too_large',
      (_, response) => response.writeHead(200, { ...JSON_TYPE, 'content-length': 1024 * 1024 + 1 }).end(),
    ],
    [
      'is too large, unannounced,',
      'too_large',
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        response.write(Buffer.alloc(1024 * 1024, ' '));
        response.write(' ');
      },
    ],
    ['never begins', 'timeout', () => undefined],
    [
      'drips',
      'timeout',
      (_, response) => {
        response.writeHead(200, JSON_TYPE);
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
    ['is cut off', 'unreachable', (request) => request.socket.destroy()],
  ];
  for (const [what, failure, listener] of faults) {
    it(`that ${what} fails as ${failure}, after one request`, async (t) => {
      const server = await serve(t, listener);
      const timeoutMs = failure === 'timeout' ? 300 : 30_000;
      assertFailed(await fetcher(openLoopbackClient, timeoutMs)(server.url, options), failure);
      assert.equal(server.requests.length, 1);
    });
  }

  it('that is asked for too often says for how long to leave its server alone', async (t) => {
    const server = await serve(t, (_, response) =>
      response.writeHead(429, { ...JSON_TYPE, 'retry-after': '120' }).end('{}'),
    );
    const answer = await fetcher()(server.url, options);
    assert.deepEqual(answer, {
      kind: 'failed',
      failure: 'rate_limited',
      detail: 'its server answered with 429',
      retryAfterMs: 120_000,
    });
  });

  it('is fetched over https alone', async (t) => {
    const server = await serve(t, (_, response) => sendJson(response, []));
    const fetch = createFetchPublished({ openClient: openLoopbackClient, clock: systemClock });
    for (const url of [server.url, 'ftp://assistant.example/', 'file:///etc/passwd', 'no address'])
      assertFailed(await fetch(url, options), 'unreachable');
    assert.equal(server.requests.length, 0);
  });
});
