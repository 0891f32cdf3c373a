import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { usedNoncesContract } from '../../access/web-bot-auth/used-nonces.contract.ts';
import { createNoncesInMemory } from '../../access/web-bot-auth/used-nonces.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisUsedNonces } from './used-nonces.ts';

const SIGNER = 'https://agent.example';
const TEN_MINUTES = 600_000;

const node = (redis: RedisConnection, prefix: string, clock = createFakeClock(0)) =>
  createRedisUsedNonces({ redis, prefix, ofThisNode: createNoncesInMemory(clock) });

describe('used nonces in Redis', { skip: skippedWithoutRedis }, () => {
  usedNoncesContract({
    ofMany: async (_test, count) => {
      const [redis, prefix, clock] = [await testRedis(), newPrefix(), createFakeClock(0)];
      return {
        nonces: Array.from({ length: count }, () => node(redis, prefix, clock)),
        // Redis forgets by its own clock: its keys are given that much less to live.
        async pass(milliseconds) {
          await clock.advance(milliseconds);
          for (const key of await redis.ask((client) => client.keys(`${prefix}:*`))) {
            const leftMs = await redis.ask((client) => client.pttl(key));
            await redis.ask((client) => client.pexpire(key, leftMs - milliseconds));
          }
        },
      };
    },
  });

  it('can be used again when they were forgotten, here and by the server', async () => {
    const [redis, prefix] = [await testRedis(), newPrefix()];
    const clock = createFakeClock(0);
    const nonces = node(redis, prefix, clock);
    assert.equal(await nonces.claim(SIGNER, 'a', 1), true);
    await clock.advance(1);
    const [key = ''] = await redis.ask((client) => client.keys(`${prefix}:*`));
    while (await redis.ask((client) => client.exists(key))) await redis.ask((client) => client.ping());
    assert.equal(await nonces.claim(SIGNER, 'a', TEN_MINUTES), true);
  });

  it('are remembered by each node while the server is away', async () => {
    const [redis, prefix] = [await testRedis(), newPrefix()];
    let isAway = false;
    const failing: RedisConnection = {
      ...redis,
      ask: (call) => (isAway ? Promise.reject(new Error('away')) : redis.ask(call)),
    };
    const nonces = node(failing, prefix);
    assert.equal(await nonces.claim(SIGNER, 'before', TEN_MINUTES), true);
    isAway = true;
    assert.equal(await nonces.claim(SIGNER, 'before', TEN_MINUTES), false);
    assert.equal(
      await nonces.claim(SIGNER, 'meanwhile', TEN_MINUTES),
      true,
      'nobody is refused for the outage',
    );
    assert.equal(await nonces.claim(SIGNER, 'meanwhile', TEN_MINUTES), false);
    isAway = false;
    assert.equal(await nonces.claim(SIGNER, 'meanwhile', TEN_MINUTES), false);
  });
});
