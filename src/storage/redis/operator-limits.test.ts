import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openRedisNodes, type RedisNodes } from '../../../test/support/redis-nodes.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { throwawayRedis } from '../../../test/support/throwaway-redis.ts';
import { createConcurrencyGate } from '../../limits/fair-semaphore.ts';
import { callEntranceContract, type EntranceTerms } from '../../quotes/call-entrance.contract.ts';
import { createSharedEntrance, type OperatorLimits } from '../../quotes/call-entrance.ts';
import { systemRandom } from '../../random.ts';
import { operatorLimitsContract } from './operator-limits.contract.ts';

operatorLimitsContract(testRedis, { skip: skippedWithoutRedis });

function entranceOf({ clock }: RedisNodes, { operator }: OperatorLimits, terms: EntranceTerms) {
  const { limit, reservesLast = false, maxWaitMs, maxPlaceMs } = terms;
  return createSharedEntrance({
    gate: createConcurrencyGate({ clock, limit: limit + 2, reserved: 2, queueLimit: 100 }),
    open: (onBreaker) => operator({ brand: 'sol', concurrency: limit, reservesLast, maxPlaceMs, onBreaker }),
    maxWaitMs,
    clock,
    random: systemRandom,
  });
}

async function open(terms: EntranceTerms, t: TestContext, url?: string) {
  const opened = await openRedisNodes(t, url);
  const [one, other] = opened.limits;
  const nodes = [entranceOf(opened, one, terms), entranceOf(opened, other, terms)] as const;
  return { ...opened, nodes };
}

callEntranceContract('of two nodes with Redis', open, { skip: skippedWithoutRedis });

describe('an operator that nodes share', { skip: skippedWithoutRedis }, () => {
  it('is asked by nobody while Redis does not answer, and again when it does', async (t) => {
    const server = await throwawayRedis();
    if ('missing' in server) return;
    const proxy = await startTcpProxy(server);
    t.after(() => proxy.close());
    const terms = { limit: 2, maxWaitMs: 400, maxPlaceMs: 5000 };
    const { nodes, clock, pass } = await open(terms, t, proxy.via(server.url));
    const enter = () => nodes[0].enter(new AbortController().signal, { follow: (join) => join([]) });
    proxy.refuse();
    const refused = enter();
    await pass(1000);
    assert.deepEqual(await refused, { kind: 'kept_out', failure: 'overloaded' });
    assert.equal(clock.pendingTimers, 0);
    proxy.resume();
    for (let isBack = false; !isBack; ) {
      const entry = enter();
      await pass(1000);
      isBack = (await entry).kind === 'entered';
    }
  });
});
