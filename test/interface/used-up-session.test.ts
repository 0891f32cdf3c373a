import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sessionIdOf } from '../../src/sessions/session-token.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';
import { openSqliteIn, temporaryDirectory } from '../support/temporary-storage.ts';

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

test('a repeated value under new keys stores its key and nothing else', async (t) => {
  const directory = temporaryDirectory(t);
  const size = () => statSync(join(directory, 'sessions.sqlite')).size;
  const measured: number[] = [];
  for (const repeats of [0, 100]) {
    const storage = await openSqliteIn(directory, { rateRule });
    const { service, open } = await setScene(t, { storage });
    const conversation = await open();
    await conversation.send(STAY);
    for (let key = 0; key < repeats; key += 1) {
      assert.equal((await conversation.send({ guests: STAY.guests }, own(key))).body.object, 'search_result');
    }
    await service.close();
    measured.push(size());
  }
  const [once = 0, repeatedly = 0] = measured;
  assert.ok(repeatedly - once < 100 * 200, `${once} bytes, then ${repeatedly}`);
});

test('invented keys of the service take no room, and the latest of them is still a repeat', async (t) => {
  const { conversation, service, storage } = await setUp(t);
  await conversation.send({ guests: 2 });
  const send = (key: number) =>
    service.post(conversation.address({ idempotency_key: `sw.1.x${key}` }), { guests: 2 });
  for (let key = 0; key < 100; key += 1) {
    assert.equal((await send(key)).headers['idempotent-replayed'], undefined);
  }
  assert.equal((await send(99)).headers['idempotent-replayed'], 'true');
  const id = sessionIdOf(conversation.token) ?? '';
  assert.equal(await storage.sessions.countUsedKeys(id), 0);
  assert.ok(JSON.stringify(await storage.sessions.find(id)).length < 2_000);
});
