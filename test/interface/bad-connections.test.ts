import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAgainstContract } from '../support/contract-check.ts';
import { exchange } from '../support/raw-http.ts';
import { setScene } from '../support/scene.ts';

/** What only shows over a real connection. */

async function listening(t: Parameters<typeof setScene>[0]) {
  const scene = await setScene(t);
  const origin = await scene.service.listen();
  const conversation = await scene.open();
  const send = async (
    method: string,
    path: string,
    headers: string[],
    body: readonly (string | Uint8Array)[] = [],
  ) => {
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      ...headers,
      '',
      '',
    ].join('\r\n');
    const answer = await exchange(origin, [head, ...body]);
    return { ...answer, body: checkAgainstContract({ method: 'POST', url: path }, answer) };
  };
  return { ...scene, origin, conversation, send };
}

test('a body over the limit, announced by its length', async (t) => {
  const { conversation, send } = await listening(t);
  const payload = `{"guests":"2"${' '.repeat(30_000)}}`;
  const type = 'Content-Type: application/json';
  const search = await send(
    'POST',
    conversation.address(),
    [type, `Content-Length: ${payload.length}`],
    [payload],
  );
  assert.equal(search.status, 200);
  assert.equal(search.body.error, 'invalid_request');
  const auth = await send('POST', '/ai/v1/auth', [type, `Content-Length: ${payload.length}`], [payload]);
  assert.equal(auth.status, 400);
  assert.deepEqual((await conversation.read()).body.received, {});
});

test('a body over the limit that comes in pieces without saying how long it will be', async (t) => {
  const { conversation, send } = await listening(t);
  const piece = `1000\r\n${'x'.repeat(4096)}\r\n`;
  const { status, body } = await send(
    'POST',
    conversation.address(),
    ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    [...Array.from({ length: 12 }, () => piece), '0\r\n\r\n'],
  );
  assert.equal(status, 200);
  assert.equal(body.error, 'invalid_request');
});

test('a body over the limit that comes whole without saying how long it is', async (t) => {
  const { conversation, send } = await listening(t);
  const payload = JSON.stringify({ destination: 'x'.repeat(20_000) });
  const { body } = await send(
    'POST',
    conversation.address(),
    ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    [`${payload.length.toString(16)}\r\n${payload}\r\n0\r\n\r\n`],
  );
  assert.match(body.message, /^The body is too large/);
});

test('a small body in pieces is read', async (t) => {
  const { conversation, send } = await listening(t);
  const { body } = await send(
    'POST',
    conversation.address(),
    ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    ['5\r\n{"gue\r\n', '7\r\nsts":2}\r\n', '0\r\n\r\n'],
  );
  assert.deepEqual(body.received, { guests: '2' });
});

test('bytes that are not UTF-8', async (t) => {
  const { conversation, send } = await listening(t);
  const payload = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  const { status, body } = await send(
    'POST',
    conversation.address(),
    ['Content-Type: application/json', `Content-Length: ${payload.length}`],
    [payload],
  );
  assert.equal(status, 200);
  assert.equal(body.error, 'invalid_request');
});

test('an address that is long, and one that is too long for anyone', async (t) => {
  const { conversation, send } = await listening(t);
  const long = await send(
    'GET',
    `${conversation.address()}&field=destination&value=${'x'.repeat(10_000)}`,
    [],
  );
  assert.equal(long.status, 200);
  assert.equal(long.body.error, 'invalid_value');
  const absurd = await send('GET', `/ai/v1/terms?x=${'x'.repeat(40_000)}`, []);
  assert.equal(absurd.status, 400);
  assert.equal(absurd.body.error, 'invalid_request');
});

test('headers beyond every limit', async (t) => {
  const { send } = await listening(t);
  const { status, body } = await send('GET', '/ai/v1/terms', [`X-Long: ${'x'.repeat(40_000)}`]);
  assert.equal(status, 400);
  assert.equal(body.error, 'invalid_request');
});

test('what is not HTTP gets JSON with every header all the same', async (t) => {
  const { origin, service } = await listening(t);
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET /ai/v1/terms HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  ]) {
    const answer = await exchange(origin, [bytes]);
    assert.equal(answer.status, 400, bytes);
    const body = checkAgainstContract({ method: 'GET', url: '/not-http' }, answer);
    assert.equal(body.error, 'invalid_request');
  }
  assert.equal((await service.get('/ai/v1/terms')).status, 200, 'and the next caller is served');
});

test('the same header twice', async (t) => {
  const { conversation, send } = await listening(t);
  const { status, body } = await send('GET', conversation.address(), [
    'Idempotency-Key: one',
    'Idempotency-Key: two',
  ]);
  assert.equal(status, 200);
  assert.equal(body.error, 'invalid_idempotency_key');
});

test('a request for a tunnel is answered in the shape of the contract, and ends the connection', async (t) => {
  const { origin, send } = await listening(t);
  const { status, headers, body } = await send('CONNECT', 'localhost:443', [], ['bytes for the other end']);
  assert.equal(status, 403);
  assert.equal(body.error, 'access_denied');
  assert.equal(headers.connection, 'close');
  assert.match(String(headers['x-request-id']), /^req_/);
  // Behind a request that is not answered yet there is nothing to wait for.
  const get = 'GET /ai/v1/terms HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const connect = 'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n';
  await exchange(origin, [`${get}${connect}${get}`]);
  await exchange(origin, [`${connect}${connect}${get}`]);
  assert.equal((await send('GET', '/ai/v1/terms', [])).status, 200);
});
