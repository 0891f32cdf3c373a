import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '../../src/random.ts';
import { createMemoryInventoryStore } from '../../src/storage/memory/inventory-store.ts';
import { openRedis } from '../../src/storage/redis/connection.ts';
import { createRedisOperatorLimits } from '../../src/storage/redis/operator-limits.ts';
import { aHome } from '../emulators/homes.ts';
import { newPrefix } from '../support/new-prefix.ts';
import { skippedWithoutRedis } from '../support/test-redis.ts';
import { throwawayRedis } from '../support/throwaway-redis.ts';
import { clockOf, connectBrands } from './connected-vendor.ts';
import { patient } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { VENDORS } from './vendors.ts';
import { verdictOf } from './verdict.ts';

/** The vendors' own limits are for minutes and hours; both sides are told this one. */
const LIMIT = { requests: 6, perMs: 300 };
const homes = Array.from({ length: 6 }, (_, index) => aHome({ id: index + 1 }));

describe('two nodes with one account', { skip: skippedWithoutRedis }, () => {
  for (const vendor of VENDORS) {
    it(`at ${vendor.name} keep to its limits together, and ask for one token`, async (t) => {
      const server = await throwawayRedis();
      if ('missing' in server) return;
      const clock = clockOf(vendor);
      const { isLimited } = vendor;
      const limits = [{ ...LIMIT, ...(isLimited ? { applies: isLimited } : {}) }];
      const emulator = await vendor.start({ homes, limits, now: clock.now });
      t.after(() => emulator.close());
      const entry = { rate_limits: [{ requests: LIMIT.requests, seconds: 0.3 }], timeout_ms: 30_000 };
      const prefix = newPrefix();
      const store = createMemoryInventoryStore();
      const nodes = await Promise.all(
        [1, 2].map(async () => {
          const redis = await openRedis({ url: server.url });
          const { account } = createRedisOperatorLimits({
            redis,
            prefix,
            random: systemRandom,
            now: clock.now,
          });
          const brand = { vendor, emulator, entry };
          const system = connectBrands({ acme: brand }, { clock, store, shareAccount: account })('acme');
          t.after(async () => {
            await system.close();
            await redis.close();
          });
          return system;
        }),
      );
      await Promise.all(nodes.map((node) => node.catalogue(patient)));
      const stay = { checkIn: TODAY + 3, checkOut: TODAY + 6, guests: 2, currency: 'EUR' };
      const prices = await Promise.all(
        nodes.flatMap((node) =>
          homes.map(({ id }) => node.quote({ references: [emulator.referenceOf(id)], ...stay }, patient)),
        ),
      );
      assert.deepEqual([...new Set(prices.flat().map(verdictOf))], ['quoted']);
      const { exceeded, refused, most } = emulator.budget;
      assert.deepEqual({ exceeded, refused }, { exceeded: 0, refused: 0 });
      assert.ok(Math.max(...most) <= LIMIT.requests, `${most} in a window`);
      assert.equal(emulator.tokensIssued(), vendor.hasTokens ? 1 : 0);
    });
  }
});
