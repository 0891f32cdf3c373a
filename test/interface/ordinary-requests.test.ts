import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from '../support/raw-http.ts';
import { setScene } from '../support/scene.ts';

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly string[];
  readonly body?: string;
};

const JSON_TYPE = 'Content-Type: application/json';
/** Says nothing that is not said without it, but has to be decoded: a request with it is not an ordinary one. */
const ENCODED = '%76iew=full';

/** Requests in their ordinary form take a short way through the door. Nobody must be able to tell. */
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
  const scene = await setScene(t);
  const origin = await scene.service.listen();
  const conversation = await scene.open();
  const body = '{"destination":"lisbon-pt","guests":"2"}';
  const lines = ['Host: localhost', 'Connection: close', JSON_TYPE, `Content-Length: ${body.length}`];
  const head = `POST ${conversation.address()} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  const answer = await exchange(origin, [head, body.slice(0, 10), body.slice(10, 20), body.slice(20)]);
  assert.deepEqual(JSON.parse(answer.raw).received, { destination: 'lisbon-pt', guests: '2' });
});

function withEncoded(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${ENCODED}`;
}
