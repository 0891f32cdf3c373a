import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { redisSessions } from '../../../test/support/redis-sessions.ts';
import { sampleSession } from '../../../test/support/sample-session.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { SESSION_BYTES } from '../../sessions/assistant-limits.ts';
import { type NewSessionStore, sessionStoreContract } from '../../sessions/session-store.contract.ts';
import { sessionStoreModelContract } from '../../sessions/session-store.model.contract.ts';

describe('sessions in Redis', { skip: skippedWithoutRedis }, () => {
  const newStore: NewSessionStore = async (test) => {
    const store = redisSessions(await testRedis(), newPrefix());
    test.after(() => store.close());
    return store;
  };
  it('count sessions exactly however many have ended together, and strike these off a few at a time', async (t) => {
    const [redis, prefix] = [await testRedis(), newPrefix()];
    const store = redisSessions(redis, prefix);
    t.after(() => store.close());
    const quota = { sessions: 1000, bytes: 1e9, totalBytes: 1e9, shareBytes: 1e9 };
    const open = (id: string, openedAt: number, expiresAt: number) =>
      store.open({ ...sampleSession(id), openedAt, expiresAt }, quota);
    await Promise.all(Array.from({ length: 1000 }, (_, at) => open(`early ${at}`, 0, 500)));
    assert.deepEqual(await open('one too many', 499, 900), { kind: 'over_quota', until: 500 });
    const counted = `${prefix}:kept:{assistant}:counted`;
    const left: number[] = [];
    for (let late = 0; late < 12; late += 1) {
      assert.deepEqual(await open(`late ${late}`, 500, 900), { kind: 'opened' });
      left.push(await redis.ask((client) => client.zcount(counted, '-inf', 500)));
    }
    assert.deepEqual(left, [900, 800, 700, 600, 500, 400, 300, 200, 100, 0, 0, 0]);
    const bytes = await redis.ask((client) => client.hget(`${prefix}:kept:{assistant}:bytes`, ''));
    assert.equal(Number(bytes), 12 * SESSION_BYTES);
    assert.equal(await store.deleteExpired({ bodiesBefore: 600, sessionsBefore: 0, limit: 5000 }), 1000);
  });
  it('of one assistant are fewer than Redis has room for, whatever its limits are, and leave room for another', async (t) => {
    const store = redisSessions(await testRedis(), newPrefix(), 'node', () => 1_000_000);
    t.after(() => store.close());
    const quota = { sessions: 1000, bytes: 1e9, totalBytes: 1e9, shareBytes: 5e8 };
    const open = (id: string, assistant: string) => store.open({ ...sampleSession(id), assistant }, quota);
    const opened = { greedy: 0, other: 0 };
    for (const assistant of ['greedy', 'other'] as const) {
      for (let at = 0; at < 20; at += 1) {
        if ((await open(`${assistant} ${at}`, assistant)).kind === 'opened') opened[assistant] += 1;
      }
    }
    assert.deepEqual(opened, { greedy: 6, other: 6 });
  });
  it('keep a claim from a node whose own claim of the same revision has run out', async (t) => {
    const [redis, prefix] = [await testRedis(), newPrefix()];
    const [late, current, next] = ['late', 'current', 'next'].map((node) =>
      redisSessions(redis, prefix, node),
    );
    assert.ok(late && current && next);
    t.after(() => Promise.all([late.close(), current.close(), next.close()]));
    const session = sampleSession('claimed twice');
    const quota = { sessions: 10, bytes: 1e9, totalBytes: 1e9, shareBytes: 1e9 };
    await late.open({ ...session, openedAt: 0, expiresAt: 1000 }, quota);
    assert.deepEqual(await late.claim(session.id, session.revision, 1), { kind: 'claimed' });
    let claim = await current.claim(session.id, session.revision, 60_000);
    while (claim.kind === 'taken') claim = await current.claim(session.id, session.revision, 60_000);
    assert.deepEqual(claim, { kind: 'claimed' });
    late.release(session.id, session.revision);
    await late.close();
    assert.deepEqual(await next.claim(session.id, session.revision, 60_000), { kind: 'taken' });
    current.release(session.id, session.revision);
    await current.close();
    assert.deepEqual(await next.claim(session.id, session.revision, 60_000), { kind: 'claimed' });
  });
  sessionStoreContract({ newStore });
  sessionStoreModelContract({ newStore });
});
