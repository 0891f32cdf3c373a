import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownRedis } from '../../../test/support/throwaway-redis.ts';
import { openRedis } from './connection.ts';
import { warnOfEviction } from './eviction-warning.ts';

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
      const stop = warnOfEviction(redis, (warning) => warnings.push(warning));
      // Commands of one connection are answered in turn.
      await redis.ask((client) => client.ping());
      await new Promise((resolve) => setImmediate(resolve));
      stop();
      assert.equal(warnings.length, count);
      assert.ok(warnings.every((warning) => warning.includes('allkeys-lru')));
    });
  }
});
