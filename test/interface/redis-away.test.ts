import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { openRedis } from '../../src/storage/redis/connection.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { STAY } from '../support/conversation.ts';
import { newPrefix } from '../support/new-prefix.ts';
import { redisSessions } from '../support/redis-sessions.ts';
import { setScene } from '../support/scene.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { SAMPLE_RATE_RULE } from '../support/temporary-storage.ts';
import { skippedWithoutRedis, untilItAnswers } from '../support/test-redis.ts';
import { throwawayRedis } from '../support/throwaway-redis.ts';

/** What callers are told when Redis is away, slow or cut off, and after it. */

async function setUp(t: TestContext) {
  const server = await throwawayRedis();
  if ('missing' in server) throw new Error(server.missing);
  const proxy = await startTcpProxy(server);
  const redis = await openRedis({ url: proxy.via(server.url), deadlineMs: 2000 });
  t.after(async () => {
    await redis.close();
    await proxy.close();
  });
  const storage = await openMemoryStorage({ directory: '', rateRule: SAMPLE_RATE_RULE });
  const prefix = newPrefix();
  const overRedis: Storage = {
    ...storage,
    sessions: redisSessions(redis, prefix),
    writeFault: () => (redis.isReachable() ? null : 'unreachable'),
    checkWrites: async () => (redis.isReachable() ? null : 'unreachable'),
  };
  const scene = await setScene(t, { storage: overRedis });
  const forgetEverything = () =>
    redis.ask(async (client) => client.del(...(await client.keys(`${prefix}:*`))));
  return { ...scene, storage: overRedis, proxy, forgetEverything, recovered: () => untilItAnswers(redis) };
}

describe('while Redis', { skip: skippedWithoutRedis }, () => {
  it('is away, everything is refused as something to try again, and then goes on where it was', async (t) => {
    const { service, open, proxy, recovered, operator } = await setUp(t);
    const conversation = await open();
    await conversation.send({ destination: 'lisbon-pt' });
    proxy.refuse();
    const refused = [
      await service.post('/ai/v1/auth', {}),
      await conversation.send({ guests: '2' }),
      await conversation.send(STAY),
      await conversation.read(),
      await conversation.result(),
    ];
    for (const { body, headers } of refused) {
      assert.equal(body.error, 'storage_unavailable');
      assert.ok(Number(headers['retry-after']) > 0);
    }
    const alternatives = refused.map(({ body }) => String(body.next_request.url));
    for (const url of alternatives.slice(1))
      assert.ok(url.includes(conversation.token), 'the session is kept');
    assert.equal(operator.asked.length, 0, 'nobody is asked in vain');
    proxy.resume();
    await recovered();
    assert.deepEqual((await conversation.read()).body.received, { destination: 'lisbon-pt' });
    const followed = await service.get(alternatives[3] ?? '');
    assert.deepEqual(followed.body.received, { destination: 'lisbon-pt' });
    await conversation.search();
  });

  it('is away, callers have no more requests than otherwise', async (t) => {
    const { service, open, proxy } = await setUp(t);
    const conversation = await open();
    proxy.refuse();
    const { headers } = await service.get('/ai/v1/schema');
    const left = Number(headers['x-ratelimit-remaining']);
    assert.ok(left > 0);
    const errors = new Map<string, number>();
    for (let request = 0; request < left + 5; request += 1) {
      const { body } = await conversation.read();
      errors.set(body.error, (errors.get(body.error) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(errors), { storage_unavailable: left, rate_limited: 5 });
  });

  it('forgets everything while operators answer, the session is unknown and not said to have ended', async (t) => {
    const { open, operator, forgetEverything } = await setUp(t);
    const conversation = await open();
    let forgetting: Promise<unknown> | undefined;
    operator.misbehave = async (path) => {
      if (path !== '/quotes') return false;
      forgetting ??= forgetEverything();
      await forgetting;
      return false;
    };
    const { body } = await conversation.send(STAY);
    assert.deepEqual([body.error, body.expired_at], ['session_not_found', undefined]);
  });

  it('forgets everything between two looks at it, a result is of a session that is unknown', async (t) => {
    const { open, storage, forgetEverything } = await setUp(t);
    const conversation = await open();
    await conversation.search();
    const { find } = storage.sessions;
    Object.assign(storage.sessions, {
      find: async (id: string) => {
        const found = await find(id);
        Object.assign(storage.sessions, { find });
        await forgetEverything();
        return found;
      },
    });
    const { status, body } = await conversation.result();
    assert.deepEqual([status, body.error, body.expired_at], [404, 'session_not_found', undefined]);
  });

  it('hangs, nobody waits longer than its deadline', async (t) => {
    const { open, proxy, recovered } = await setUp(t);
    const conversation = await open();
    proxy.hang();
    const answers = await Promise.all([conversation.send({ guests: '2' }), conversation.read()]);
    for (const { body } of answers) assert.equal(body.error, 'storage_unavailable');
    proxy.resume();
    await recovered();
    assert.deepEqual((await conversation.send({ guests: '2' })).body.received, { guests: '2' });
  });

  it('loses the answer to a change, a repeat under its key is told what became of it', async (t) => {
    const { open, proxy, recovered, operator } = await setUp(t);
    const conversation = await open();
    const key = { 'idempotency-key': 'once' };
    operator.quote = (property, { currency }) => {
      // Operators have answered, so what comes next is the change.
      proxy.swallowAnswers();
      return { property, status: 'quoted', currency, total: '100.00' };
    };
    const lost = await conversation.send(STAY, key);
    assert.equal(lost.body.error, 'storage_unavailable');
    const asked = operator.asked.length;
    proxy.resume();
    await recovered();
    const repeated = await conversation.send(STAY, key);
    assert.equal(repeated.body.object, 'search_result');
    assert.equal(repeated.headers['idempotent-replayed'], 'true');
    assert.equal(operator.asked.length, asked, 'they are not asked again');
  });
});
