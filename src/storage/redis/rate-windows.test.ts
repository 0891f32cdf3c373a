import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { systemClock } from '../../clock.ts';
import { rateWindowsContract } from '../../sessions/rate-windows.contract.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisRateWindows } from './rate-windows.ts';
import { watchServer } from './server-state.ts';

const rule = { limit: 2, windowMs: 60_000 };

describe('rate windows in Redis', { skip: skippedWithoutRedis }, () => {
  rateWindowsContract({
    async newWindows(test, rule) {
      const redis = await testRedis();
      const serverTime = watchServer(redis, systemClock);
      test.after(() => serverTime.stop());
      while (serverTime.at(0) === undefined) await redis.ask((client) => client.ping());
      return createRedisRateWindows({ redis, prefix: newPrefix(), rule, serverTime });
    },
  });

  it('are one for all nodes, whatever their clocks say', async () => {
    const redis = await testRedis();
    const prefix = newPrefix();
    const node = (startedAt: number) =>
      createRedisRateWindows({ redis, prefix, rule, serverTime: { at: (elapsed) => elapsed + startedAt } });
    const [one, other] = [node(1_000_000), node(999_000)];
    assert.equal((await one.take('a', { now: 50_000, elapsed: 0 })).remaining, 1);
    assert.equal((await other.take('a', { now: 7_000, elapsed: 2_000 })).remaining, 0);
    const refused = await one.take('a', { now: 52_000, elapsed: 2_000 });
    assert.deepEqual([refused.allowed, refused.retryAfterSeconds], [false, 58]);
    assert.equal((await other.take('a', { now: 66_000, elapsed: 61_000 })).allowed, true);
  });

  it('are counted by each node for itself while the server is away, and nobody is refused for that', async () => {
    const redis = await testRedis();
    let isReachable = true;
    const failing: RedisConnection = {
      ...redis,
      isReachable: () => isReachable,
      script: () => () => Promise.reject(new Error('away')),
      ask: () => Promise.reject(new Error('away')),
    };
    const serverTime = { at: (elapsed: number) => elapsed };
    const windows = createRedisRateWindows({ redis: failing, prefix: newPrefix(), rule, serverTime });
    const time = { now: 0, elapsed: 0 };
    assert.equal((await windows.take('a', time)).remaining, 1);
    isReachable = false;
    assert.equal((await windows.take('a', time)).remaining, 0);
    assert.equal((await windows.peek('a', time)).allowed, false);
    assert.equal((await windows.take('a', time)).allowed, false, 'a limit is a limit');
  });
});
