import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { systemRandom } from '../../random.ts';
import { searchPlacesContract } from '../../sessions/search-places.contract.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisSearchPlaces } from './rate-windows.ts';

const TERMS = { limit: 2, maxMs: 10_000 };

const node = (redis: RedisConnection, prefix: string, now?: () => number) =>
  createRedisSearchPlaces({ redis, prefix, random: systemRandom, ...(now && { now }) });

describe('places of searches in Redis', { skip: skippedWithoutRedis }, () => {
  searchPlacesContract(async () => node(await testRedis(), newPrefix()));

  it('come back from a node that died, when their time is over', async () => {
    const [redis, prefix] = [await testRedis(), newPrefix()];
    let now = 1_000_000;
    const time = () => now;
    const [dead, alive] = [node(redis, prefix, time), node(redis, prefix, time)];
    await dead.take('acme', TERMS);
    now += 5_000;
    await dead.take('acme', TERMS);
    assert.equal(await alive.take('acme', TERMS), null);
    now += 5_000;
    assert.ok(await alive.take('acme', TERMS), 'the first of its places');
    assert.equal(await alive.take('acme', TERMS), null, 'the other one is not over');
    const keptMs = await redis.ask((client) => client.pttl(`${prefix}:searches:{acme}`));
    assert.ok(keptMs > 0 && keptMs <= TERMS.maxMs, 'no key stays for ever');
  });

  it('are counted by each node for itself while the server is away', async () => {
    const redis = await testRedis();
    let isAway = false;
    const failing: RedisConnection = {
      ...redis,
      script: (definition) => {
        const script = redis.script<never>(definition);
        return (...given) => (isAway ? Promise.reject(new Error('away')) : script(...given));
      },
      ask: (call) => (isAway ? Promise.reject(new Error('away')) : redis.ask(call)),
    };
    const places = node(failing, newPrefix());
    const before = await places.take('acme', TERMS);
    isAway = true;
    const meanwhile = await places.take('acme', TERMS);
    assert.ok(meanwhile, 'nobody is refused because the server is away');
    assert.equal(await places.take('acme', TERMS), null, 'a limit is a limit');
    before?.();
    meanwhile();
    assert.ok(await places.take('acme', TERMS));
  });
});
