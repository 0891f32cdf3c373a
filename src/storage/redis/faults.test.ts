import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { untilItAnswers } from '../../../test/support/test-redis.ts';
import { ownRedis } from '../../../test/support/throwaway-redis.ts';
import { openRedis } from './connection.ts';
import { createRedisSessionStore } from './session-store.ts';

/** Not so short that a busy machine takes longer for what succeeds. */
const SOON = 1000;
const unreachable = { name: 'StorageFailure', kind: 'unreachable' };

const server = await ownRedis();
const skip = 'missing' in server && server.missing;

async function setUp(t: TestContext) {
  if ('missing' in server) throw new Error(server.missing);
  const proxy = await startTcpProxy(server);
  const redis = await openRedis({ url: proxy.via(server.url), deadlineMs: SOON });
  const entries: string[] = [];
  const ledger = {
    append: async () => ({ settle: () => entries.push('settled'), discard: () => entries.push('discarded') }),
  };
  // Sessions of other tests of this file have the same names.
  await redis.ask((client) => client.flushall());
  const store = createRedisSessionStore({ redis, prefix: newPrefix(), node: 'one', ledger });
  t.after(async () => {
    await store.close();
    await redis.close();
    await proxy.close();
  });
  return { server, proxy, redis, store, entries };
}

describe('sessions when Redis fails', { skip }, () => {
  it('may be stored when the connection is cut during a commit, and a repeat finds out', async (t) => {
    const { store, proxy, redis, entries, server } = await setUp(t);
    const direct = await openRedis({ url: server.url });
    t.after(() => direct.close());
    await store.open(sampleSession('s'));
    const [key = ''] = await direct.ask((client) => client.keys('*:session:{s}'));
    proxy.swallowAnswers();
    const change = sampleChange('s', 1, new Uint8Array(2));
    const committing = assert.rejects(store.commit(change), unreachable);
    while ((await direct.ask((client) => client.hget(key, 'revision'))) !== '1') await wait(1);
    proxy.cut();
    await committing;
    assert.deepEqual(entries, ['settled'], 'a price that may be shown stays in the ledger');
    proxy.resume();
    await untilItAnswers(redis);
    assert.equal((await store.find('s'))?.revision, 1, 'it was carried out, and its answer was lost');
    assert.ok(change.usedKey);
    assert.equal((await store.usedKey('s', change.usedKey.id))?.revision, 1, 'so a repeat is recognised');
    assert.deepEqual(await store.commit(change), { kind: 'conflict' }, 'and is not carried out again');
    assert.deepEqual(entries, ['settled', 'discarded']);
  });

  it('leave nothing in the ledger when it is certain that they were not stored', async (t) => {
    const { store, proxy, redis, entries, server } = await setUp(t);
    const direct = await openRedis({ url: server.url });
    t.after(() => direct.close());
    await store.open(sampleSession('s'));
    const change = sampleChange('s', 1, new Uint8Array(2));
    // As after a failover: the connection leads to a server that is a replica now.
    await direct.ask((client) => client.replicaof('127.0.0.1', 1));
    await assert.rejects(store.commit(change), unreachable);
    await direct.ask((client) => client.replicaof('NO', 'ONE'));
    assert.deepEqual(entries, ['discarded']);
    proxy.refuse();
    while (redis.isReachable()) await wait(1);
    await assert.rejects(store.commit(change), unreachable);
    assert.deepEqual(entries, ['discarded', 'discarded']);
  });

  it('are found when they expire, although one message about their assistant was lost', async (t) => {
    const { redis } = await setUp(t);
    let isLost = true;
    const losing: typeof redis = {
      ...redis,
      ask: (call) =>
        redis.ask((client) =>
          call(
            new Proxy(client, {
              get(target, name) {
                if (name === 'sadd' && isLost) {
                  isLost = false;
                  throw new Error('Command timed out');
                }
                const member: unknown = Reflect.get(target, name);
                return typeof member === 'function' ? member.bind(target) : member;
              },
            }),
          ),
        ),
    };
    const ledger = { append: async () => ({ settle() {}, discard() {} }) };
    const store = createRedisSessionStore({ redis: losing, prefix: newPrefix(), node: 'one', ledger });
    await assert.rejects(store.open(sampleSession('lost')), unreachable);
    await store.open(sampleSession('next'));
    const deleted = await store.deleteExpired({ bodiesBefore: 1e6, sessionsBefore: 1e6, limit: 10 });
    assert.equal(deleted, 2, 'the one that was only reserved too');
    await store.close();
  });

  it('are refused within the deadline while it hangs, and served once it answers', async (t) => {
    const { store, proxy, redis } = await setUp(t);
    await store.open(sampleSession('s'));
    proxy.hang();
    const calls = [
      store.find('s'),
      store.result('s'),
      store.usedKey('s', 'key'),
      store.countUsedKeys('s'),
      store.claim('s', 0, 1000),
      store.commit(sampleChange('s', 1, new Uint8Array(1))),
      store.open(sampleSession('t')),
      store.deleteExpired({ bodiesBefore: 0, sessionsBefore: 0, limit: 1 }),
    ];
    for (const { status } of await Promise.allSettled(calls)) assert.equal(status, 'rejected');
    await assert.rejects(store.find('s'), unreachable);
    proxy.resume();
    await untilItAnswers(redis);
    assert.equal((await store.find('s'))?.id, 's');
  });

  it('are unknown to a server that starts empty, and new ones are opened as ever', async (t) => {
    const { store, redis, server } = await setUp(t);
    await store.open(sampleSession('s'));
    await store.commit(sampleChange('s', 1, new Uint8Array(1)));
    await server.stop();
    await assert.rejects(store.find('s'), unreachable);
    await server.start();
    await untilItAnswers(redis);
    assert.equal(await store.find('s'), undefined);
    assert.equal(await store.result('s'), undefined);
    assert.deepEqual(await store.claim('s', 1, 1000), { kind: 'conflict' });
    assert.deepEqual(await store.commit(sampleChange('s', 2, new Uint8Array(1))), { kind: 'conflict' });
    const quota = { sessions: 1, bytes: 1e9, totalBytes: 1e9, shareBytes: 1e9 };
    assert.deepEqual(await store.open(sampleSession('t'), quota), { kind: 'opened' });
    assert.equal(await store.deleteExpired({ bodiesBefore: 1e15, sessionsBefore: 1e15, limit: 10 }), 1);
  });
});
