import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Neighbourhood, startNeighbourhood } from '../support/neighbourhood.ts';

const DESCRIPTORS = 400;
const STRANGERS = 380;
/** A request has a total time; nobody may keep one open for longer. */
const MAX_REQUEST_MS = 40_000;

describe('connections', () => {
  let here: Neighbourhood;
  const sockets: Socket[] = [];
  before(async () => {
    here = await startNeighbourhood({ descriptors: DESCRIPTORS });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await here.close();
  });

  const connected = async (localAddress: string) => {
    const socket = connect({ port: here.port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
    return socket;
  };

  it('of idle strangers never crowd out the approved, nor a health check', { timeout: 60_000 }, async () => {
    await Promise.all(Array.from({ length: STRANGERS }, () => connected('127.0.0.9')));
    const health = await here.clientAt('127.0.0.8').call('/healthz', { hangUpAfterMs: 5000 });
    assert.equal(health.status, 200);
    const fresh = here.clientAt('127.0.0.3');
    assert.equal((await fresh.search()).body.object, 'search_result');
    assert.equal((await here.modest.search()).body.object, 'search_result', 'an open connection goes on');
  });

  it('with a body of a byte at a time are ended', { timeout: MAX_REQUEST_MS + 20_000 }, async () => {
    const socket = await connected('127.0.0.2');
    const startedAt = performance.now();
    socket.write(
      'POST /ai/v1/auth HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
    );
    const drip = setInterval(() => socket.write(' '), 500);
    const limit = setTimeout(() => socket.destroy(), MAX_REQUEST_MS + 5000);
    await new Promise((resolve) => socket.once('close', resolve).resume());
    clearInterval(drip);
    clearTimeout(limit);
    const lastedMs = performance.now() - startedAt;
    assert.ok(lastedMs < MAX_REQUEST_MS, `it lasted ${(lastedMs / 1000).toFixed(0)} s`);
  });
});
