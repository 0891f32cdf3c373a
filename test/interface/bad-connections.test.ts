import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
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

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly string[];
  readonly body?: string;
};

const JSON_TYPE = 'Content-Type: application/json';

/** Says nothing that is not said without it, but has to be decoded: a request with it is not an ordinary one. */
const ENCODED = '%76iew=full';

/** Requests in their ordinary form are parsed by a shorter path. The answers must be the same. */
test('an ordinary request gets the very answer that it gets in any other form', async (t) => {
  const scene = await setScene(t);
  const origin = await scene.service.listen();
  const conversation = await scene.open();
  const search = conversation.address();
  const result = search.replace('/search', '/result');
  const keyed = `${search}&idempotency_key=key-1`;
  await conversation.send({ destination: 'lisbon-pt' }, { 'idempotency-key': 'key-1' });

  const post = (path: string, body: string, headers: readonly string[] = []): Sent => ({
    method: 'POST',
    path,
    headers: [JSON_TYPE, ...headers],
    body,
  });
  const get = (path: string, headers: readonly string[] = []): Sent => ({ method: 'GET', path, headers });
  const requests: readonly Sent[] = [
    post(search, '{}'),
    get(search),
    get(search, ['Accept-Encoding: gzip']),
    post(keyed, '{"destination":"lisbon-pt"}'),
    post(keyed, '{"destination":"porto-pt"}'),
    post(search, '{"guests":"São"}', ['Idempotency-Key: São']),
    post(search, '{"guests":"none"}'),
    post(search, '{"colour":"blue"}'),
    get(`${search}&colour=blue`),
    post(search, '{"destination":'),
    post(search, '[]'),
    { ...post(search, ''), body: '\u00ff' },
    post(search, '{}', ['X-API-Version: 1999-01-01']),
    get(result),
    get(`${result}&colour=blue`),
    get('/ai/v1/search'),
    get('/ai/v1/result?session=ses_unknown'),
    post('/ai/v1/auth', '{"source":"nobody"}'),
    get('/ai/v1/schema'),
    get('/ai/v1/terms', ['If-None-Match: *']),
    post(search, '{}', ['Origin: http://localhost']),
    get(search, ['Host: elsewhere.example']),
    get(search, ['Via: 1.1 proxy']),
    post(search, '{}'.padEnd(16 * 1024)),
    post(search, '{}'.padEnd(16 * 1024 + 1)),
    { method: 'POST', path: search, headers: [JSON_TYPE] },
    { method: 'POST', path: search, headers: ['Content-Type: text/plain'] },
    { method: 'POST', path: search },
  ];
  for (const request of requests) {
    const ordinary = await answerTo(request);
    const other = await answerTo({ ...request, path: withEncoded(request.path) });
    assert.deepEqual(ordinary, other, `${request.method} ${request.path} ${request.body}`);
  }

  async function answerTo({ method, path, headers = [], body }: Sent) {
    const lines = [
      `${method} ${path} HTTP/1.1`,
      ...(headers.some((header) => header.startsWith('Host:')) ? [] : ['Host: localhost']),
      'Connection: close',
      ...headers,
      ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    const answer = await exchange(origin, [`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`]);
    const { 'x-request-id': id, 'x-ratelimit-remaining': remaining, date: _, ...others } = answer.headers;
    assert.match(id ?? '', /^req_/);
    assert.match(remaining ?? '', /^\d+$/);
    assert.ok(answer.status >= 200);
    return { ...answer, headers: Object.entries(others) };
  }
});

test('a body that comes after its head, in pieces', async (t) => {
  const { socket, conversation } = await sendHead(t, BODY.slice(0, 10));
  socket.write(BODY.slice(10, 20));
  await turns();
  socket.end(BODY.slice(20));
  const received = Buffer.concat(await socket.toArray()).toString();
  // A service that takes its time sends signs of life before.
  const body = received.split('\r\n\r\n').at(-1) ?? '';
  assert.deepEqual(JSON.parse(body).received, { destination: 'lisbon-pt', guests: '2' });
  assert.deepEqual((await conversation.read()).body.received, { destination: 'lisbon-pt', guests: '2' });
});

const BODY = '{"destination":"lisbon-pt","guests":"2"}';

/** The head of a request and the beginning of its body; resolves when the service waits for the rest. */
async function sendHead(t: Parameters<typeof setScene>[0], beginning: string) {
  const { service, open } = await setScene(t);
  const { hostname, port } = new URL(await service.listen());
  const conversation = await open();
  const socket = connect(Number(port), hostname);
  const lines = ['Host: localhost', 'Connection: close', JSON_TYPE, `Content-Length: ${BODY.length}`];
  socket.write(`POST ${conversation.address()} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${beginning}`);
  await once(service.server, 'request');
  await turns();
  return { socket, service, conversation };
}

/** Enough for both ends of a connection to read what has been sent. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

function withEncoded(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${ENCODED}`;
}
