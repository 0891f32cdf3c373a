import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { exchange } from '../../test/support/raw-http.ts';
import { type Clock, systemClock } from '../clock.ts';
import { MAX_METRICS_CONNECTIONS, startMetricsServer } from './metrics-server.ts';

async function start(
  render: () => Promise<string>,
  names: { host?: string; hosts?: string[]; clock?: Clock } = {},
) {
  const server = await startMetricsServer({
    render,
    contentType: 'text/plain; version=0.0.4',
    host: '127.0.0.1',
    hosts: [],
    port: 0,
    clock: systemClock,
    ...names,
  });
  return {
    server,
    ask: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init),
  };
}

test('serves the metrics and nothing else', async (t) => {
  const { server, ask } = await start(async () => 'staywire_up 1\n');
  t.after(() => server.close());
  const answer = await ask('/metrics?x=1');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4');
  assert.equal(await answer.text(), 'staywire_up 1\n');
  assert.equal((await ask('/')).status, 404);
  assert.equal((await ask('/metrics/x')).status, 404);
  const posted = await ask('/metrics', { method: 'POST' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET']);
});

test('a failing reading is an answer, not a crash', async (t) => {
  const { server, ask } = await start(() => Promise.reject(new Error('broken')));
  t.after(() => server.close());
  assert.equal((await ask('/metrics')).status, 500);
});

test('reads them once for all that ask meanwhile, and again for later ones', async (t) => {
  const clock = createFakeClock(0);
  const reading = Promise.withResolvers<string>();
  let readings = 0;
  const render = () => {
    readings += 1;
    return reading.promise;
  };
  const { server, ask } = await start(render, { clock });
  t.after(() => server.close());
  const answers = Array.from({ length: 10 }, () => ask('/metrics'));
  while (readings === 0) await new Promise((resolve) => setImmediate(resolve));
  reading.resolve('staywire_up 1\n');
  for (const answer of await Promise.all(answers)) assert.equal(await answer.text(), 'staywire_up 1\n');
  assert.equal(readings, 1);
  await clock.advance(200);
  await ask('/metrics');
  assert.equal(readings, 2);
});

test('a port that is taken is a fault at the start', async (t) => {
  const { server } = await start(async () => '');
  t.after(() => server.close());
  const second = startMetricsServer({
    render: async () => '',
    contentType: 'x',
    host: '127.0.0.1',
    hosts: [],
    port: server.port,
    clock: systemClock,
  });
  await assert.rejects(second, { code: 'EADDRINUSE' });
});

test('answers under its own names and any address, and for no page of another site', async (t) => {
  const { server } = await start(async () => '', { host: 'localhost', hosts: ['node-1.staywire'] });
  t.after(() => server.close());
  const statusFor = async (headers: string) => {
    const head = `GET /metrics HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`;
    return (await exchange(`http://localhost:${server.port}`, [head])).status;
  };
  for (const host of ['localhost', '127.0.0.1:9464', '[::1]:9464', '10.1.2.3:9464', 'Node-1.staywire:9464']) {
    assert.equal(await statusFor(`Host: ${host}`), 200, host);
  }
  for (const headers of [
    'Host: rebound.evil.example',
    'Host: localhost\r\nHost: evil.example',
    'Host: localhost\r\nOrigin: https://evil.example',
    'Host: localhost\r\nSec-Fetch-Site: cross-site',
    'Host: localhost\r\nSec-Fetch-Site: same-site',
  ]) {
    assert.equal(await statusFor(headers), 403, headers);
  }
  assert.equal(await statusFor('Host: localhost\r\nSec-Fetch-Site: none'), 200, 'the owner looks at it');
});

test('holds few connections: the oldest makes room for the next', async (t) => {
  const { server, ask } = await start(async () => 'staywire_up 1\n');
  t.after(() => server.close());
  const held = Array.from({ length: MAX_METRICS_CONNECTIONS + 5 }, () => new Socket());
  for (const socket of held) {
    t.after(() => socket.destroy());
    socket.on('error', () => {}).connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /metrics HTTP/1.1\r\nX-Half: ');
  }
  // By the last of these answers, the server has closed what it closes, and the sockets here know.
  for (let asked = 0; asked < 3; asked += 1) assert.equal((await ask('/metrics')).status, 200);
  assert.ok(held.slice(0, 5).every(({ destroyed }) => destroyed));
});
