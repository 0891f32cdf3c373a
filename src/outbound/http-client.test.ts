import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { openLoopbackClient } from '../../test/support/loopback-client.ts';
import { bodyOf, plainServer, sendJson } from '../../test/support/plain-server.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import { createJsonClient } from './http-client.ts';

const patient = new AbortController().signal;
const options = { timeoutMs: 30_000, maxBytes: 10_000, signal: patient };

async function clientFor(t: TestContext, listener: RequestListener, connections = 2) {
  const server = await plainServer(listener);
  const client = createJsonClient({
    baseUrl: `${server.url}/base`,
    token: 'secret',
    connections,
    openClient: openLoopbackClient,
  });
  t.after(async () => {
    await server.close();
    await client.close();
  });
  return { client, server };
}

const failsAs = (kind: FailureKind) => (error: unknown) => {
  assert.ok(error instanceof BookingSystemFailure, String(error));
  assert.equal(error.kind, kind, error.message);
  return true;
};

describe('a call to an operator', () => {
  it('carries the token, says who calls, and brings the answer', async (t) => {
    const { client, server } = await clientFor(t, async (request, response) => {
      sendJson(response, { got: await bodyOf(request) }, { etag: '"1"' });
    });
    const answer = await client.post('/quotes', { a: 'é' }, options);
    assert.deepEqual(answer.bytes, new TextEncoder().encode('{"got":{"a":"é"}}'));
    assert.deepEqual([answer.kind, answer.digest, answer.etag], ['document', null, '"1"']);
    const [request] = server.requests;
    assert.equal(request?.url, '/base/quotes');
    assert.equal(request?.headers.authorization, 'Bearer secret');
    assert.equal(request?.headers['user-agent'], 'Staywire/1');
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.equal(request?.headers.accept, 'application/json');
  });

  it('asks whether a document has changed', async (t) => {
    const { client } = await clientFor(t, (request, response) => {
      if (request.headers['if-none-match'] === '"7"') response.writeHead(304).end();
      else sendJson(response, 1, { etag: '"7"' });
    });
    const first = await client.get('/catalogue', options);
    assert.ok(first.kind === 'document');
    assert.deepEqual(await client.get('/catalogue', { ...options, etag: first.etag }), { kind: 'unchanged' });
  });

  const sends =
    (status: number, headers: Record<string, string>, body: string | Uint8Array = '{}'): RequestListener =>
    (_, response) =>
      response.writeHead(status, headers).end(body);
  const json = { 'content-type': 'application/json' };

  const faults: readonly [string, FailureKind, RequestListener][] = [
    ['is refused', 'rejected', sends(403, json)],
    ['comes too often', 'rate_limited', sends(429, { ...json, 'retry-after': '3' })],
    ['breaks the server', 'server_error', sends(500, json)],
    [
      'meets a maintenance page',
      'server_error',
      sends(503, { 'content-type': 'text/html' }, '<h1>Soon</h1>'),
    ],
    ['is sent elsewhere', 'garbled', sends(302, { location: 'http://127.0.0.1:1/' })],
    ['is called unchanged without having asked', 'garbled', sends(304, {})],
    ['gets no content', 'garbled', sends(204, {})],
    ['gets HTML', 'garbled', sends(200, { 'content-type': 'text/html' })],
    ['gets no type', 'garbled', sends(200, {})],
    ['gets another charset', 'garbled', sends(200, { 'content-type': 'application/json; charset=latin1' })],
    ['gets compressed bytes', 'garbled', sends(200, { ...json, 'content-encoding': 'gzip' })],
    ['gets too much, and is told so', 'too_large', sends(200, json, JSON.stringify('x'.repeat(20_000)))],
    [
      'gets too much in pieces',
      'too_large',
      (_, response) => {
        response.writeHead(200, json);
        for (let piece = 0; piece < 30; piece += 1) response.write(' '.repeat(1000));
      },
    ],
    ['gets headers without end', 'too_large', sends(200, { ...json, 'x-long': 'x'.repeat(17_000) })],
    ['gets no answer', 'timeout', () => undefined],
    ['gets headers and no body', 'timeout', (_, response) => response.writeHead(200, json).flushHeaders()],
    [
      'gets a body drop by drop',
      'timeout',
      (_, response) => {
        response.writeHead(200, json);
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
    [
      'gets an error that never ends, at once,',
      'server_error',
      (_, response) => response.writeHead(500, json).flushHeaders(),
    ],
    ['is cut off', 'unreachable', (request) => request.socket.destroy()],
    ['is reset', 'unreachable', (request) => request.socket.resetAndDestroy()],
    [
      'is cut off in the middle of the body',
      'unreachable',
      (request, response) => {
        response.writeHead(200, { ...json, 'content-length': '100' });
        response.write('{"a":');
        setTimeout(() => request.socket.destroy(), 20);
      },
    ],
    [
      'gets interim answers without end',
      'garbled',
      (request) => {
        const flood = setInterval(
          () => request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
          1,
        );
        request.socket.on('close', () => clearInterval(flood));
      },
    ],
    ['gets no HTTP', 'garbled', (request) => request.socket.end('SSH-2.0-OpenSSH_9.7\r\n')],
  ];
  for (const [what, kind, listener] of faults) {
    it(`that ${what} fails as ${kind}`, async (t) => {
      const { client } = await clientFor(t, listener);
      const { timeoutMs } = kind === 'timeout' ? { timeoutMs: 400 } : options;
      await assert.rejects(client.get('/catalogue', { ...options, timeoutMs }), failsAs(kind));
    });
  }

  it('to a port where nobody listens fails as unreachable', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const address = free.address();
    assert.ok(address && typeof address === 'object');
    free.close();
    await once(free, 'close');
    const client = createJsonClient({
      baseUrl: `http://127.0.0.1:${address.port}`,
      token: null,
      connections: 1,
      openClient: openLoopbackClient,
    });
    await assert.rejects(client.get('/', options), failsAs('unreachable'));
    await client.close();
    await assert.rejects(client.get('/', options), failsAs('unreachable'));
  });

  it('ends when its signal does, and not later', async (t) => {
    const { client } = await clientFor(t, () => undefined);
    const controller = new AbortController();
    const call = client.get('/', { ...options, timeoutMs: 60_000, signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    await assert.rejects(call, failsAs('timeout'));
  });

  it('waits for a free connection', async (t) => {
    let inFlight = 0;
    let most = 0;
    const { client } = await clientFor(
      t,
      (_, response) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        setTimeout(() => {
          inFlight -= 1;
          sendJson(response, 1);
        }, 20);
      },
      2,
    );
    await Promise.all(Array.from({ length: 8 }, () => client.get('/', options)));
    assert.equal(most, 2);
  });
});
