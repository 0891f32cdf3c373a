import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';
import type { TestAnswer } from '../support/test-service.ts';

const LONG_KEY = 'conversation-7f3a9c21';

const withKey = (key: string) => ({ 'idempotency-key': key });

const replayed = ({ headers }: TestAnswer) => headers['idempotent-replayed'];

test('auth: the same key for another source is a reuse', async (t) => {
  const { service } = await setScene(t);
  const first = await service.post('/ai/v1/auth', { source: 'acme' }, withKey(LONG_KEY));
  const reused = await service.post('/ai/v1/auth', {}, withKey(LONG_KEY));
  assert.equal(reused.status, 422);
  assert.equal(reused.body.error, 'idempotency_key_reused');
  assert.equal('session' in reused.body, false);
  assert.equal((await service.post('/ai/v1/auth', { source: 'acme' }, withKey(LONG_KEY))).raw, first.raw);
});

test('auth: concurrent duplicates open one session', async (t) => {
  const { service } = await setScene(t);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => service.post('/ai/v1/auth', {}, withKey(LONG_KEY))),
  );
  assert.equal(new Set(answers.map(({ raw }) => raw)).size, 1);
  assert.equal(answers.filter((answer) => replayed(answer) === undefined).length, 1, 'one was carried out');
});

test('search: the same key and the same value are not carried out twice: the answer is the search as it stands', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const first = await conversation.send({ destination: 'lisbon-pt' }, withKey('1'));
  assert.equal(replayed(first), undefined);
  await conversation.send({ destination: 'porto-pt' });
  const moved = await conversation.send({ guests: 2 });
  const again = await conversation.send({ destination: 'lisbon-pt' }, withKey('1'));
  assert.equal(again.raw, moved.raw);
  assert.equal(replayed(again), 'true');
  assert.deepEqual(again.body.received, { destination: 'porto-pt', guests: '2' });
  const byQuery = await service.get(
    conversation.address({ field: 'destination', value: 'lisbon-pt', idempotency_key: '1' }),
  );
  assert.deepEqual(byQuery.body.received, again.body.received, 'another encoding is the same request');
  assert.equal(replayed(byQuery), 'true');
});

test('search: a replayed result is the same quotes, and asks no operator', async (t) => {
  const { open, operator } = await setScene(t);
  const conversation = await open();
  const first = await conversation.send(STAY, withKey('go'));
  assert.equal(first.body.object, 'search_result');
  const again = await conversation.send(STAY, withKey('go'));
  assert.equal(again.raw, first.raw);
  assert.equal(replayed(again), 'true');
  assert.equal(operator.asked.length, 1);
});

test('search: concurrent duplicates are carried out once', async (t) => {
  const { service, open, operator } = await setScene(t);
  operator.misbehave = async (path) => {
    if (path === '/quotes') await service.requestsInFlight(9);
    return false;
  };
  const conversation = await open();
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => conversation.send(STAY, withKey('once'))),
  );
  assert.equal(operator.asked.length, 1, 'the operator was asked once');
  assert.equal(new Set(answers.map(({ raw }) => raw)).size, 1);
  assert.equal(answers[0]?.body.object, 'search_result');
  assert.equal(answers.filter((answer) => replayed(answer) === undefined).length, 1);
});

test('search: the same key with another value is a reuse, and nothing changes', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  await conversation.send({ destination: 'lisbon-pt' }, withKey('mine'));
  for (const sent of [{ destination: 'porto-pt' }, { guests: 2 }, { destination: 'lisbon-pt', guests: 2 }]) {
    const { status, body } = await conversation.send(sent, withKey('mine'));
    assert.equal(status, 200);
    assert.equal(body.error, 'idempotency_key_reused');
    assert.deepEqual(body.received, { destination: 'lisbon-pt' });
    assert.equal(body.next_required, 'check_in_month');
  }
  assert.deepEqual((await conversation.read()).body.received, { destination: 'lisbon-pt' });
});

test('search: failures are not kept, and the same request can succeed', async (t) => {
  const { open, operator, service } = await setScene(t, { settings: { rateLimit: 6 } });
  const conversation = await open();
  const key = withKey('retry');
  assert.equal((await conversation.send({ guests: 99 }, key)).body.error, 'invalid_value');
  assert.equal((await conversation.send('{', key)).body.error, 'invalid_request');
  assert.equal(
    (await conversation.send({ check_out: '2027-04-13' }, key)).body.error,
    'prerequisite_missing',
  );
  operator.misbehave = (_path, response) => {
    response.writeHead(500).end();
    return true;
  };
  assert.equal((await conversation.send(STAY, key)).body.error, 'upstream_unavailable');
  operator.misbehave = () => false;
  service.load.lagMs = 1000;
  assert.equal((await conversation.send(STAY, key)).body.error, 'overloaded');
  service.load.lagMs = 0;
  await conversation.read();
  assert.equal((await conversation.send(STAY, key)).body.error, 'rate_limited');
  service.time.now += 60_000;
  const { body, headers } = await conversation.send(STAY, key);
  assert.equal(body.object, 'search_result');
  assert.equal(headers['idempotent-replayed'], undefined);
});

test('a key in the query and in the header must agree', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const agree = await service.get(conversation.address({ idempotency_key: 'same' }), withKey('same'));
  assert.equal(agree.body.error, 'incomplete_payload');
  assert.equal(agree.headers['idempotency-key'], 'same');
  const search = await service.post(
    conversation.address({ idempotency_key: 'one' }),
    { guests: 2 },
    withKey('other'),
  );
  assert.deepEqual([search.status, search.body.error], [200, 'invalid_idempotency_key']);
  assert.deepEqual(search.body.received, {});
  assert.equal('idempotency-key' in search.headers, false);
  const auth = await service.post('/ai/v1/auth?idempotency_key=one', {}, withKey('other'));
  assert.deepEqual([auth.status, auth.body.error], [400, 'invalid_idempotency_key']);
  const result = await service.get(
    `/ai/v1/result?session=${conversation.token}&idempotency_key=one`,
    withKey('other'),
  );
  assert.deepEqual([result.status, result.body.error], [400, 'invalid_idempotency_key']);
});

test('a key of the client takes precedence over the one in an offered address', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const offered = (await conversation.read()).body.next_request.url;
  const first = await service.get(offered, withKey('mine'));
  assert.equal(first.headers['idempotency-key'], 'mine');
  assert.equal(first.body.error, 'incomplete_payload');
  const again = await service.get(offered, withKey('mine'));
  assert.equal(replayed(again), 'true');
  const other = await service.post(conversation.address(), { guests: 2 }, withKey('mine'));
  assert.equal(other.body.error, 'idempotency_key_reused', 'it was recorded under the key of the client');
});

test('a key has 1 to 255 printable ASCII characters, and an empty one is none', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const good = ['a', 'A-Z.a_z:0~9', 'x'.repeat(255), 'a b', 'a/b', 'a,b', '{}', 'a+b', "a'b", '"'];
  const bad = ['x'.repeat(256), 'ä', 'a\u0000', 'a\tb', '\u007f', '🗝'];
  for (const key of good) {
    const { body, headers } = await conversation.read({ idempotency_key: key });
    assert.equal(body.error, 'incomplete_payload', key);
    assert.equal(headers['idempotency-key'], key);
  }
  for (const key of bad) {
    const { status, body } = await conversation.read({ idempotency_key: key });
    assert.deepEqual([status, body.error], [200, 'invalid_idempotency_key'], key);
    const auth = await service.post(`/ai/v1/auth?${new URLSearchParams({ idempotency_key: key })}`, {});
    assert.deepEqual([auth.status, auth.body.error], [400, 'invalid_idempotency_key'], key);
  }
  const none = await conversation.read({ idempotency_key: '' });
  assert.equal(none.body.error, 'incomplete_payload');
  assert.equal('idempotency-key' in none.headers, false);
});

test('an empty key counts as none, in the query and in the header, at every endpoint', async (t) => {
  const { service, open } = await setScene(t);
  const first = await service.post('/ai/v1/auth?idempotency_key=', {});
  const second = await service.post('/ai/v1/auth', {}, withKey(''));
  assert.notEqual(first.body.session, second.body.session);
  for (const { status, headers } of [first, second]) {
    assert.equal(status, 200);
    assert.equal('idempotency-key' in headers, false);
  }
  const conversation = await open();
  const empty = await service.post(
    conversation.address({ idempotency_key: '' }),
    { guests: 2 },
    withKey('own'),
  );
  assert.equal(empty.headers['idempotency-key'], 'own', 'nothing to disagree with');
});

const rateRule = { limit: 1_000_000, windowMs: 60_000 };

const own = (key: string | number) => ({ 'idempotency-key': `own-${key}` });

async function setUp(t: Parameters<typeof setScene>[0]) {
  const storage = await openMemoryStorage({ directory: '', rateRule });
  const scene = await setScene(t, { storage });
  return { ...scene, storage, conversation: await scene.open() };
}

test('a thousand keys of a client are remembered, and no request under another is carried out', async (t) => {
  const { conversation } = await setUp(t);
  for (let key = 0; key < 1_000; key += 1) {
    const { body } = await conversation.send({ guests: 1 + (key % 2) }, own(key));
    assert.equal(body.error, 'incomplete_payload');
  }
  const { body, headers, status } = await conversation.send({ guests: 1 }, own('one too many'));
  assert.deepEqual([status, body.error], [200, 'session_used_up']);
  assert.match(body.message, /Open a new session with next_request/);
  assert.match(body.next_request.url, /\/ai\/v1\/auth/);
  assert.equal(headers['retry-after'], undefined, 'waiting does not help');
  assert.equal(body.available_requests, undefined, 'there is no result');
  assert.deepEqual((await conversation.read()).body.received, { guests: '2' }, 'nothing changed');

  const repeated = await conversation.send({ guests: 1 }, own(0));
  assert.equal(
    repeated.headers['idempotent-replayed'],
    'true',
    'what was carried out is not carried out again',
  );
  assert.deepEqual(repeated.body.received, { guests: '2' });
  assert.deepEqual(
    (await conversation.send({ guests: 1 })).body.received,
    { guests: '1' },
    'without a key it goes on',
  );
});

test('two hundred results are a session’s last, and it keeps the last of them', async (t) => {
  const { conversation, storage, operator, service } = await setUp(t);
  await conversation.send(STAY);
  for (let result = 1; result < 200; result += 1) {
    const { body } = await conversation.send({ guests: result % 2 === 0 ? STAY.guests : 1 });
    assert.equal(body.object, 'search_result');
  }
  const last = await conversation.result();
  const quoted = (await storage.sessions.issuedQuotes({ since: 0, limit: 10_000 })).length;
  operator.misbehave = () => assert.fail('no operator is asked for a session that is used up');
  const { body } = await conversation.send({ guests: STAY.guests });
  assert.equal(body.error, 'session_used_up');
  assert.equal((await service.get(body.available_requests[0].url)).raw, last.raw);
  assert.equal((await storage.sessions.issuedQuotes({ since: 0, limit: 10_000 })).length, quoted);
});
