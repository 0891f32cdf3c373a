import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { systemClock } from '../../clock.ts';
import { systemRandom } from '../../random.ts';
import { recentOpeningsContract } from '../../sessions/recent-openings.contract.ts';
import { createRedisOpenings } from './openings.ts';

const key = new Uint8Array(32).fill(7);

async function openingsOf({ prefix = newPrefix(), sealedWith = key } = {}) {
  const redis = await testRedis();
  return createRedisOpenings({ redis, prefix, key: sealedWith, random: systemRandom, clock: systemClock });
}

describe('openings in Redis', { skip: skippedWithoutRedis }, () => {
  recentOpeningsContract({
    async ofNodes(_test, nodes) {
      const prefix = newPrefix();
      return Promise.all(Array.from({ length: nodes }, () => openingsOf({ prefix })));
    },
  });

  it('reveal no token to whoever reads Redis, and end within a minute by its clock', async () => {
    const redis = await testRedis();
    const prefix = newPrefix();
    const openings = (await openingsOf({ prefix }))<{ token: string }>('calls');
    const token = 'ses_a-token-that-nobody-may-read';
    await openings.remember('id', token, { token });
    const keys = await redis.ask((client) => client.keys(`${prefix}*`));
    assert.equal(keys.length, 2);
    for (const name of keys) {
      const text = await redis.ask((client) => client.get(name));
      assert.ok(!`${name} ${text}`.includes(token));
      const left = await redis.ask((client) => client.pttl(name));
      assert.ok(left > 0 && left <= 60_000);
    }
    const others = (await openingsOf({ prefix, sealedWith: new Uint8Array(32) }))('calls');
    assert.equal(await others.find('id'), undefined, 'with another key it is not known');
  });
});
