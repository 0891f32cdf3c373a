import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Neighbourhood, startNeighbourhood } from '../support/neighbourhood.ts';

const DESCRIPTORS = 400;
const STRANGERS = 380;
/** A request has a total time; nobody may keep one open for longer. */
const MAX_REQUEST_MS = 60_000;

function connectionsTo(port: () => number) {
  const sockets: Socket[] = [];
  return {
    async open(localAddress: string): Promise<Socket> {
      const socket = connect({ port: port(), host: '127.0.0.1', localAddress });
      sockets.push(socket);
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
      return socket;
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('idle connections of strangers', () => {
  let here: Neighbourhood;
  const strangers = connectionsTo(() => here.port);
  before(async () => {
    here = await startNeighbourhood({ descriptors: DESCRIPTORS });
  });
  after(async () => {
    strangers.close();
    await here.close();
  });

  it('never crowd out the approved, nor a health check', { timeout: 300_000 }, async () => {
    await Promise.all(Array.from({ length: STRANGERS }, () => strangers.open('127.0.0.9')));
    const health = await here.clientAt('127.0.0.8').call('/healthz', { hangUpAfterMs: 30_000 });
    assert.equal(health.status, 200);
    const fresh = here.clientAt('127.0.0.3');
    assert.equal((await fresh.search()).body.object, 'search_result');
    assert.equal((await here.modest.search()).body.object, 'search_result', 'an open connection goes on');
  });
});

describe('a request that comes a byte at a time', { concurrency: true }, () => {
  let here: Neighbourhood;
  const slow = connectionsTo(() => here.port);
  before(async () => {
    here = await startNeighbourhood();
  });
  after(async () => {
    slow.close();
    await here.close();
  });

  for (const [part, text] of [
    [
      'body',
      'POST /ai/v1/auth HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
    ],
    ['headers', 'GET /ai/v1/schema HTTP/1.1\r\nHost: localhost\r\nX-Slow: a'],
  ] as const) {
    it(`in its ${part} is ended`, { timeout: MAX_REQUEST_MS + 20_000 }, async (t) => {
      const socket = await slow.open('127.0.0.2');
      const startedAt = performance.now();
      socket.write(text);
      const drip = setInterval(() => socket.write(' '), 500);
      const limit = setTimeout(() => socket.destroy(), MAX_REQUEST_MS + 1000);
      await new Promise((resolve) => socket.once('close', resolve).resume());
      clearInterval(drip);
      clearTimeout(limit);
      const lastedMs = performance.now() - startedAt;
      t.diagnostic(`it lasted ${(lastedMs / 1000).toFixed(0)} s`);
      assert.ok(lastedMs < MAX_REQUEST_MS, `it lasted ${(lastedMs / 1000).toFixed(0)} s`);
    });
  }
});
