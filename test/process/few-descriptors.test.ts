import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

const TODAY = Math.floor(Date.now() / 86_400_000);
const MAX_OPEN_FILES = 400;
const STRANGERS = 450;

async function setUp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-descriptors-'));
  const operator = await startScriptedOperator();
  operator.properties = [
    property('a', {}, [
      { from: formatDay(TODAY - 1), to: formatDay(TODAY + 90), available: true, price: '50.00' },
    ]),
  ];
  const { child, ready } = startServiceProcess({
    dataDirectory: join(folder, 'data'),
    network: networkFile([brandEntry('acme', operator.origin)]),
    maxOpenFiles: MAX_OPEN_FILES,
  });
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
    await operator.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { hostname, port } = new URL(await ready);
  const open = async (bytes: string) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    sockets.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    return socket;
  };
  return { origin: `http://${hostname}:${port}`, open, sockets };
}

const WAYS_TO_STAY: Readonly<Record<string, string>> = {
  silent: '',
  'with half a header': 'GET /healthz HTTP/1.1\r\nX-Slow: ',
  'with half a body': 'POST /ai/v1/auth HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100\r\n\r\n{',
  'refused and idle': 'GET /ai/v1/terms HTTP/1.1\r\nHost: evil.example\r\n\r\n',
};

test(`${STRANGERS} strangers make a service with ${MAX_OPEN_FILES} descriptors neither deaf nor slow`, async (t) => {
  const { origin, open, sockets } = await setUp(t);
  const auth = await fetch(`${origin}/ai/v1/auth`);
  const { session } = (await auth.json()) as { session: string };
  let guests = 0;
  for (const [how, bytes] of Object.entries(WAYS_TO_STAY)) {
    await t.test(how, async () => {
      for (let number = 0; number < STRANGERS; number += 1) await open(bytes);
      for (const path of ['/healthz', '/readyz', '/ai/v1/terms', `/ai/v1/search?session=${session}`]) {
        const answer = await fetch(origin + path, { headers: { connection: 'close' } });
        assert.equal(answer.status, 200, path);
        await answer.arrayBuffer();
      }
      guests += 1;
      const from = formatDay(TODAY + 10);
      const stay = `destination=lisbon-pt&check_in_day=${from}&check_out=${formatDay(TODAY + 12)}&guests=${guests}`;
      const search = await fetch(`${origin}/ai/v1/search?session=${session}&${stay}`);
      const { object } = (await search.json()) as { object: string };
      assert.equal(object, 'search_result', 'operators are still reached, and the store is written');
      assert.equal(sockets.length, STRANGERS);
      for (const socket of sockets.splice(0)) socket.destroy();
    });
  }
});
