import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { serverUrl } from '../app/setting-parsers.ts';
import { createLog, redactSecrets } from './log.ts';
import { requestLine } from './observers.ts';

const TOKEN = 'ses_Zk3vT0-9bqYw_1xRr7uPp2LmN8oJhGfDsAaQqWwEeRtY';
const KEY = 'chosen-by-the-client-0123456789';
const OPERATOR_SECRET = 'op-secret-4711';

function setUp(level = 'trace') {
  const lines: string[] = [];
  const clock = createFakeClock(Date.parse('2026-11-15T10:00:00.000Z'));
  const log = createLog({ level, clock, destination: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

const search = {
  requestId: 'req_1',
  operation: 'search',
  method: 'POST',
  path: `/ai/v1/search?session=${TOKEN}&idempotency_key=${KEY}`,
  status: 200,
  error: 'incomplete_payload',
  assistant: 'acme',
  replayed: false,
  access: null,
  tools: [],
  durationMs: 3.1234,
} as const;

test('a request is one line that says who asked for what, and how it went', () => {
  const { log, lines } = setUp();
  log.info(requestLine(search), 'request');
  assert.equal(lines.length, 1);
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    level: 'info',
    time: '2026-11-15T10:00:00.000Z',
    request_id: 'req_1',
    operation: 'search',
    method: 'POST',
    path: '/ai/v1/search',
    status: 200,
    error: 'incomplete_payload',
    assistant: 'acme',
    duration_ms: 3.1,
    msg: 'request',
  });
});

test('a path ends where a query begins, however it was written, and is never long', () => {
  const pathOf = (url: string) => requestLine({ ...search, path: url }).path;
  for (const separator of ['?', '%3F', '%3f', '#', ';', '%3B']) {
    assert.equal(pathOf(`/ai/v1/result${separator}session=${KEY}`), '/ai/v1/result');
  }
  assert.equal(pathOf(`/${'x'.repeat(5000)}`).length, 120);
});

test('no secret reaches a line, wherever it was put', () => {
  const { log, lines } = setUp();
  const address = `https://stays.example/ai/v1/result?session=${TOKEN}&idempotency_key=${KEY}`;
  const deepest = new Error(`refused: ${address}`);
  const cause = new TypeError(`token ${TOKEN} is bad`, { cause: deepest });
  const failure = Object.assign(new Error(`GET ${address} failed`, { cause }), {
    request: { headers: { authorization: `Bearer ${OPERATOR_SECRET}` }, body: { session: TOKEN, key: KEY } },
    config: { url: address },
  });
  const several = new AggregateError([failure, TOKEN, { token: TOKEN }], `all of ${address} failed`);
  const headers = {
    authorization: `Bearer ${OPERATOR_SECRET}`,
    cookie: TOKEN,
    'idempotency-key': KEY,
    referer: address,
  };
  const body = { session: TOKEN, idempotency_key: KEY };

  log.info(requestLine(search), 'request');
  log.info(requestLine({ ...search, path: `/ai/v1/${TOKEN}/x` }), 'request');
  log.info(
    requestLine({ ...search, path: `/ai/v1/result%3Fsession%3D${TOKEN}%26idempotency_key%3D${KEY}` }),
    'request',
  );
  log.info(
    requestLine({
      ...search,
      assistant: TOKEN,
      requestId: TOKEN,
      method: TOKEN,
    }),
  );
  log.error({ err: failure }, 'failed');
  log.error({ error: failure }, 'failed');
  log.error({ err: several }, 'failed');
  log.error(failure);
  log.error(failure, `while asking ${address}`);
  log.error({ err: TOKEN }, 'thrown text');
  log.error({ err: { session: TOKEN, key: KEY } }, 'thrown object');
  log.warn({ headers, body, query: body, session: TOKEN, token: TOKEN, idempotencyKey: KEY }, 'everything');
  log.warn(
    { req: { headers, body, query: body, url: address }, res: { headers } },
    'everything, one level down',
  );
  log.warn({ body: Buffer.from(TOKEN), req: { body: Buffer.from(TOKEN) } }, 'bytes');
  log.warn({ url: address, href: address.replace('?', '%3F').replaceAll('=', '%3D') }, 'addresses');
  log.warn({ [TOKEN]: 1, list: [TOKEN, [TOKEN]], deep: { deeper: { deepest: TOKEN } } }, 'keys and depths');
  log.warn(`text with ${TOKEN}, with ses%5F${TOKEN.slice(4)} and with ${address}`);
  log.warn('formatted %s %o %j', TOKEN, { TOKEN }, { address });
  log.warn(
    `sent Authorization: Bearer ${OPERATOR_SECRET} to https://user:${OPERATOR_SECRET}@operator.example/quotes`,
  );
  log.warn({ deep: { deeper: { deepest: body } } }, `the body was ${JSON.stringify(body)}`);
  log.child({ session: TOKEN, path: address }).info('child');
  log.child({ at: `?token=${OPERATOR_SECRET}` }).info('child');

  const written = lines.join('');
  assert.equal(lines.length, 22);
  const asNumbers = [...Buffer.from(TOKEN)].join(',');
  for (const secret of [TOKEN, TOKEN.slice(4), TOKEN.slice(-20), KEY, OPERATOR_SECRET, asNumbers]) {
    assert.ok(
      !written.includes(secret),
      written.split('\n').find((line) => line.includes(secret)),
    );
  }
  assert.ok(
    written.includes('thrown object') && written.includes('operator.example/quotes'),
    'the rest stays',
  );
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), line);
});

test('an error keeps its name, code, stack and causes, and nothing else', () => {
  const { log, lines } = setUp();
  const cause = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED', opts: { path: '/x' } });
  log.error({ err: new RangeError('no answer', { cause }) }, 'failed');
  const { err } = JSON.parse(lines[0] ?? '');
  assert.deepEqual(Object.keys(err).toSorted(), ['cause', 'message', 'name', 'stack']);
  assert.deepEqual([err.name, err.message], ['RangeError', 'no answer']);
  assert.deepEqual(Object.keys(err.cause).toSorted(), ['code', 'message', 'name', 'stack']);
  assert.deepEqual([err.cause.message, err.cause.code], ['connect failed', 'ECONNREFUSED']);
});

test('questions in plain words are left alone', () => {
  const { log, lines } = setUp();
  log.info('is it free? yes: 2 + 2 = 4');
  assert.equal(JSON.parse(lines[0] ?? '').msg, 'is it free? yes: 2 + 2 = 4');
});

test('only the secret is redacted', () => {
  const cases = {
    'GET https://a.example/x?session=abc failed': 'GET https://a.example/x?[redacted] failed',
    'at /x%3Fkey%3Dabc, twice': 'at /x?[redacted] twice',
    'https://me:secret@a.example/x': 'https://[redacted]@a.example/x',
    'https://a.example?key=abc@def': 'https://a.example?[redacted]',
    'https://a.example%3Fkey=abc@def': 'https://[redacted]?[redacted]',
    'Authorization: Bearer abc.def-123': 'Authorization: Bearer [redacted]',
    '{"idempotency_key":"abc","field":"guests"}': '{"idempotency_key":"[redacted]","field":"guests"}',
    '"body was {\\"token\\":\\"abc\\",\\"guests\\":\\"2\\"}"':
      '"body was {\\"token\\":\\"[redacted]\\",\\"guests\\":\\"2\\"}"',
    'no session ses_abcDEF-_09abcDEF-_09 here': 'no session ses_[redacted] here',
    'at /%73es_abcDEF-_09abcDEF-_09/x': 'at /ses_[redacted]/x',
    'at /%73%65%73%5FabcDEF-_09abcDEF-_09': 'at /ses_[redacted]',
    'at /se%53%5fabcDEF%2D_09abcDEF-_09': 'at /ses_[redacted]',
    'at /%2573es%255FabcDEF-_09abcDEF-_09': 'at /ses_[redacted]',
    'at /%25252573es_%61%62%63abcDEF-_09': 'at /ses_[redacted]',
    'at /x%253Fsession%253Dabc twice': 'at /x?[redacted] twice',
    'is it free? yes': 'is it free? yes',
    'at /%73es_short': 'at /%73es_short',
    'all courses_are taught by bearers': 'all courses_are taught by bearers',
  };
  for (const [line, expected] of Object.entries(cases)) assert.equal(redactSecrets(line), expected);
});

test('no password of a server’s address gets through, however it is written', () => {
  const readUrl = serverUrl(['postgres', 'redis']);
  const passwords = [
    'secret',
    's.e~c!r$e&t*1+2,3;4=5:secret',
    '%22secret%5C%27',
    '%40secret%2Fsecret%3Fsecret',
  ];
  const addresses = passwords.flatMap((password) => [
    `postgres://staywire:${password}@db.internal:5432/staywire?sslmode=require`,
    `redis://:${password}@a.internal:6379?cluster=true`,
    `redis://redis.internal?password=${password}`,
  ]);
  for (const address of addresses) {
    assert.equal(readUrl(address).kind, 'valid', address);
    const line = JSON.stringify({
      msg: `cannot reach ${address}`,
      url: address,
      nested: JSON.stringify({ address }),
    });
    assert.doesNotMatch(redactSecrets(line), /secret/, address);
  }
});

test('a megabyte of hostile text is searched in linear time', () => {
  const worst = [
    '?',
    '\\',
    '"',
    'ses',
    'bearer ',
    '://',
    '"token\\',
    '%3',
    ' ',
    'a@',
    '%25',
    '%',
    '25',
    '%73',
    '%2573es',
  ];
  const startedAt = process.cpuUsage().user;
  for (const piece of worst) redactSecrets(piece.repeat(1_000_000 / piece.length));
  // A pattern that backtracks takes minutes. Measured in processor time, so that a busy machine does not matter.
  assert.ok((process.cpuUsage().user - startedAt) / 1e6 < 5);
});
