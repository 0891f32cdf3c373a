import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { isEventStream, standardRequest, writeStream } from './serve-mounted.ts';

async function answeringWith(t: TestContext, answer: (raw: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, raw) => answer(raw)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A stream whose parts are given out as they are asked for, and which notes that nobody wants it any more. */
function partsOf(parts: readonly string[]) {
  const state = { given: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = parts[state.given];
        state.given += 1;
        if (part === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(part));
      },
      cancel() {
        state.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }) };
}

test('a stream is sent part by part, with the headers of every answer', async (t) => {
  const { response } = partsOf(['data: 1\n\n', 'data: 2\n\n']);
  assert.ok(isEventStream(response));
  const url = await answeringWith(t, (raw) => void writeStream(raw, response, { 'x-request-id': 'req_1' }));
  const answer = await fetch(url);
  assert.equal(answer.headers.get('x-request-id'), 'req_1');
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  assert.equal(await answer.text(), 'data: 1\n\ndata: 2\n\n');
});

test('a client that goes ends the stream behind it, and one that does not read does not fill the memory', async (t) => {
  const part = 'x'.repeat(64 * 1024);
  const { response, state } = partsOf(Array.from({ length: 2000 }, () => part));
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const url = await answeringWith(t, (raw) => void writeStream(raw, response, {}).then(resolve));
  const client = httpRequest(url).end();
  const [answer] = await once(client, 'response');
  answer.pause();
  // Until the buffers of the connection are full.
  let given = -1;
  while (given !== state.given) {
    given = state.given;
    await new Promise((go) => setTimeout(go, 50));
  }
  assert.ok(state.given < 1000, `${state.given} parts were taken for a client that reads none`);
  answer.destroy();
  await written;
  assert.ok(state.isCancelled);
});

test('a request is passed on with its headers and body, under an address that names no host', async () => {
  const headers = {
    host: 'evil.example',
    'content-type': 'application/json',
    'x-many': ['a', 'b'],
    gone: undefined,
  };
  const body = Buffer.from('{"a":1}');
  const signal = new AbortController().signal;
  const request = standardRequest({ method: 'POST', path: '/mcp', headers, body }, signal);
  assert.equal(request.url, 'http://localhost/mcp');
  assert.equal(request.headers.get('x-many'), 'a, b');
  assert.deepEqual(await request.json(), { a: 1 });
  assert.equal(standardRequest({ method: 'GET', path: '/mcp', headers, body }, signal).body, null);
});
