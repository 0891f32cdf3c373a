import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { checkAgainstContract } from '../support/contract-check.ts';
import { setScene } from '../support/scene.ts';

const SHORT = { headersTimeout: 200, requestTimeout: 300 };

/** Node measures these times itself, so they are shortened here; a test waits for the end of a connection, however long it takes. */
async function listening(t: TestContext, options: Parameters<typeof setScene>[1] = {}) {
  const sockets: Socket[] = [];
  // Before the service closes, which waits for its connections.
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const scene = await setScene(t, options);
  const { hostname, port } = new URL(await scene.service.listen());
  const open = async () => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  return { ...scene, openConnection: open };
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  // What is written while the service closes is answered by a reset, which is an end too.
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return text;
}

/** Until the connection closes. */
function drip(socket: Socket, piece: string): () => void {
  const timer = setInterval(() => socket.write(piece), 50);
  const stop = () => clearInterval(timer);
  socket.once('close', stop).once('end', stop);
  return stop;
}

test('a body that never ends is answered in the shape of the contract, and its connection is closed', async (t) => {
  const { service, open, openConnection } = await listening(t);
  Object.assign(service.server, SHORT);
  const conversation = await open();
  for (const path of [conversation.address(), '/ai/v1/auth']) {
    const socket = await openConnection();
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    );
    const stop = drip(socket, ' ');
    const text = await readToEnd(socket);
    stop();
    const [head = '', raw = ''] = text.split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 400 /);
    assert.match(head, /connection: close/i);
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    );
    const body = checkAgainstContract({ method: 'POST', url: '/not-http' }, { status: 400, headers, raw });
    assert.equal(body.error, 'invalid_request');
  }
  assert.deepEqual((await conversation.read()).body.received, {});
});

test('headers that never end, and a connection on which nothing is asked, are closed without a word', async (t) => {
  const { service, openConnection } = await listening(t);
  Object.assign(service.server, SHORT);
  const slow = await openConnection();
  slow.write('GET /healthz HTTP/1.1\r\n');
  drip(slow, 'X: y\r\n');
  const silent = await openConnection();
  assert.deepEqual(await Promise.all([readToEnd(slow), readToEnd(silent)]), ['', '']);
});

test('a stranger whose body does not come is refused once, and not a second time', async (t) => {
  const { service, openConnection } = await listening(t);
  Object.assign(service.server, SHORT);
  const socket = await openConnection();
  socket.write('POST /ai/v1/auth HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000\r\n\r\n{');
  drip(socket, ' ');
  const text = await readToEnd(socket);
  assert.match(text, /^HTTP\/1\.1 403 /);
  assert.equal(text.split('HTTP/1.1').length, 2, text);
});

test('broken bytes behind a request are not taken for its answer', async (t) => {
  const { service, openConnection, open } = await listening(t);
  const conversation = await open();
  const socket = await openConnection();
  socket.write(`GET ${conversation.address()} HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n`);
  const text = await readToEnd(socket);
  assert.doesNotMatch(text, /^HTTP\/1\.1 400/);
  assert.equal((await service.get('/healthz')).status, 200);
});

test('a client that never reads its answers is closed', async (t) => {
  const { service, openConnection, open } = await listening(t);
  service.server.timeout = 500;
  const conversation = await open();
  await conversation.search();
  const socket = await openConnection();
  socket.pause();
  const [accepted] = await Promise.all([
    once(service.server, 'request').then(([request]) => request.socket as Socket),
    new Promise<void>((resolve) => {
      const request = `GET /ai/v1/result?session=${conversation.token} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      socket.write(request.repeat(2000), () => resolve());
    }),
  ]);
  if (!accepted.destroyed) await once(accepted, 'close');
  assert.equal((await service.get('/healthz')).status, 200);
});

test('more strangers than there are places: health checks and assistants get through', async (t) => {
  const { openConnection, service } = await listening(t, { settings: { maxConnections: 40 } });
  const assistant = await openConnection();
  const ask = async () => {
    const ended = new AbortController();
    assistant.once('close', () => ended.abort());
    assistant.once('end', () => ended.abort());
    if (assistant.readableEnded || assistant.destroyed) ended.abort();
    assistant.write('GET /ai/v1/terms HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return String(await once(assistant, 'data', { signal: ended.signal }));
  };
  assert.match(await ask(), /^HTTP\/1\.1 200/);
  for (let number = 0; number < 100; number += 1) await openConnection();
  assert.match(await ask(), /^HTTP\/1\.1 200/, 'the connection of an approved caller stays');
  for (const path of ['/healthz', '/ai/v1/terms']) {
    const socket = await openConnection();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    assert.match(await readToEnd(socket), /^HTTP\/1\.1 200/);
  }
  const open = () =>
    new Promise<number>((resolve, reject) =>
      service.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const atOnce = await open();
  assert.ok(atOnce <= 40, `${atOnce} at once`);
});

test('a connection that sends hundreds of requests at once is closed, and few of them were worked for', async (t) => {
  const { openConnection, service } = await listening(t);
  for (const path of ['/ai/v1/terms', '/nowhere']) {
    const before = service.logLines.length;
    const greedy = await openConnection();
    greedy.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(500));
    await readToEnd(greedy);
    assert.ok(service.logLines.length - before <= 8, `${service.logLines.length - before} lines`);
  }
  const modest = await openConnection();
  modest.write('GET /ai/v1/terms HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(4));
  modest.write('GET /ai/v1/terms HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  assert.equal((await readToEnd(modest)).match(/HTTP\/1\.1 200/g)?.length, 5);
});
