import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { ownRedis } from '../../../test/support/throwaway-redis.ts';
import { openRedis, type RedisConnection } from './connection.ts';
import { serverNow, watchServer } from './server-state.ts';

describe('a Redis that', () => {
  const cases = [
    [
      'throws keys out when it is full is warned of',
      { maxmemory: '50mb', 'maxmemory-policy': 'allkeys-lru' },
      1,
    ],
    ['refuses when it is full is not', { maxmemory: '50mb', 'maxmemory-policy': 'noeviction' }, 0],
    ['has no limit is not', { maxmemory: '0', 'maxmemory-policy': 'allkeys-lru' }, 0],
  ] as const;
  for (const [title, settings, count] of cases) {
    it(title, async (t) => {
      const server = await ownRedis(settings);
      if ('missing' in server) return t.skip(`NOT TESTED: ${server.missing}`);
      t.after(() => server.stop());
      const redis = await openRedis({ url: server.url });
      t.after(() => redis.close());
      const warnings: string[] = [];
      const clock = createFakeClock(await serverNow(redis));
      const memory = watchServer(redis, clock, (warning) => warnings.push(warning));
      await untilAnswered(redis);
      await clock.advance(5_000);
      await untilAnswered(redis);
      memory.stop();
      assert.equal(warnings.length, count);
      assert.ok(warnings.every((warning) => warning.includes('allkeys-lru')));
    });
  }

  it('is full refuses changes, says how much it may hold, and is not full once there is room', async (t) => {
    const server = await ownRedis({ maxmemory: '8mb', 'maxmemory-policy': 'noeviction' });
    if ('missing' in server) return t.skip(`NOT TESTED: ${server.missing}`);
    t.after(() => server.stop());
    const redis = await openRedis({ url: server.url });
    t.after(() => redis.close());
    const clock = createFakeClock(await serverNow(redis));
    const memory = watchServer(redis, clock, () => {});
    t.after(() => memory.stop());
    const isFullLater = async () => {
      await untilAnswered(redis);
      await clock.advance(5_000);
      await untilAnswered(redis);
      return memory.isFull();
    };
    assert.equal(await isFullLater(), false);
    assert.equal(memory.maxBytes(), 8 * 1024 * 1024);
    const text = 'x'.repeat(10_000);
    const fill = async () => {
      for (let at = 0; ; at += 1) await redis.ask((client) => client.set(`key ${at}`, text));
    };
    await assert.rejects(fill(), { kind: 'full' });
    assert.equal(await isFullLater(), true);
    await redis.ask((client) => client.flushall());
    assert.equal(await isFullLater(), false);
  });

  it('a clock that is a minute from that of Redis is warned of, once until it is right', {
    skip: skippedWithoutRedis,
  }, async (t) => {
    const redis = await testRedis();
    const clock = createFakeClock(await serverNow(redis));
    const warnings: string[] = [];
    const time = watchServer(redis, clock, (warning) => warnings.push(warning));
    t.after(() => time.stop());
    // The clock of the test goes on by a minute for each question, that of Redis hardly does.
    for (const [stepMs, count] of [
      [-60_000, 0],
      [-3 * 60_000, 1],
      [-60_000, 1],
      [2 * 60_000, 1],
      [2 * 60_000, 2],
    ] as const) {
      await serverNow(redis);
      await new Promise((resolve) => setImmediate(resolve));
      clock.stepWallClock(stepMs);
      await clock.advance(60_000);
      await serverNow(redis);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(warnings.length, count, warnings.join());
    }
    assert.match(warnings[0] ?? '', /12\d s behind/);
    assert.match(warnings[1] ?? '', /ahead of/);
  });
});

/** Commands of one connection are answered in turn. */
async function untilAnswered(redis: RedisConnection): Promise<void> {
  await redis.ask((client) => client.ping());
  await new Promise((resolve) => setImmediate(resolve));
}
