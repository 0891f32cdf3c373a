import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMetricsServer } from './metrics-server.ts';

async function start(render: () => Promise<string>) {
  const server = await startMetricsServer({
    render,
    contentType: 'text/plain; version=0.0.4',
    host: '127.0.0.1',
    port: 0,
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

test('a port that is taken is a fault at the start', async (t) => {
  const { server } = await start(async () => '');
  t.after(() => server.close());
  const second = startMetricsServer({
    render: async () => '',
    contentType: 'x',
    host: '127.0.0.1',
    port: server.port,
  });
  await assert.rejects(second, { code: 'EADDRINUSE' });
});
