import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openRedisNodes } from '../../../test/support/redis-nodes.ts';
import { createScriptedSystem } from '../../../test/support/scripted-booking-system.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { throwawayRedis } from '../../../test/support/throwaway-redis.ts';
import { circuitBreakerContract } from '../../limits/circuit-breaker.contract.ts';
import { createOperator } from '../../quotes/ask-operator.ts';
import { systemRandom } from '../../random.ts';
import { operatorLimitsContract } from './operator-limits.contract.ts';

const TERMS = { brand: 'sol', concurrency: 3, maxPlaceMs: 10_000, onBreaker: () => undefined };
const MODEST = ['modest', '192.0.2.2'];

operatorLimitsContract(testRedis, { skip: skippedWithoutRedis });

circuitBreakerContract(
  'of two nodes with Redis',
  async (onBreaker, t) => {
    const { limits, pass } = await openRedisNodes(t);
    const [one, other] = limits.map(({ operator }) => operator({ ...TERMS, concurrency: 100, onBreaker }));
    assert.ok(one && other);
    return { nodes: [one, other], pass };
  },
  { skip: skippedWithoutRedis },
);

/** Two nodes that ask an operator; its calls end when the test says so. */
async function twoNodes(t: TestContext, concurrency: number, url?: string) {
  const { clock, limits, pass, endFirst } = await openRedisNodes(t, url);
  const inFlight: { readonly asker: string; end(): void }[] = [];
  const order: string[] = [];
  const nodes = limits.map(({ operator }) => {
    const system = createScriptedSystem('sol', {
      limits: { batchSize: 1, concurrency },
      quote: ({ askedBy: [asker = ''] = [] }) =>
        new Promise((resolve) => {
          order.push(asker);
          inFlight.push({ asker, end: () => resolve([]) });
        }),
    });
    return createOperator({
      system,
      clock,
      pauseSignal: () => new AbortController().signal,
      timeoutMs: 60_000,
      maxWaitMs: 60_000,
      callsWaiting: 100,
      shared: { open: operator, random: systemRandom },
      observe: {
        call: () => undefined,
        breaker: () => undefined,
        breakdownsNotShown: () => undefined,
        policiesNotShown: () => undefined,
        fault: () => undefined,
      },
    });
  });
  let stays = 0;
  const ask = (node: 0 | 1, caller: readonly string[]) => {
    stays += 1;
    const stay = { checkIn: 40_000, checkOut: 40_000 + stays, guests: 2, currency: 'EUR' };
    return nodes[node]?.ask({ references: ['a'], ...stay }, new AbortController().signal, caller);
  };
  return { ask, inFlight, order, pass, endFirst, clock };
}

describe('an operator that nodes share', { skip: skippedWithoutRedis }, () => {
  it('gets no more calls than it may have, and nodes take turns', async (t) => {
    for (const concurrency of [1, 3]) {
      const { ask, inFlight, order, pass } = await twoNodes(t, concurrency);
      for (let call = 0; call < 10; call += 1) void ask(0, ['greedy', `${call}`]);
      await pass(200);
      void ask(1, MODEST);
      await pass(500);
      for (let turn = 0; turn < 2; turn += 1) {
        assert.equal(inFlight.length, concurrency);
        inFlight.shift()?.end();
        await pass(1000);
      }
      assert.ok(order.includes('modest'), `${concurrency} places: ${order}`);
      assert.equal(inFlight.length, concurrency, 'no place stays empty');
    }
  });

  it('has the places of a node that ended back', async (t) => {
    const { limits, pass, endFirst } = await openRedisNodes(t);
    const [one, other] = limits.map(({ operator }) => operator({ ...TERMS, concurrency: 1 }));
    assert.equal((await one?.admit(MODEST))?.kind, 'entered');
    await endFirst();
    await pass(9000);
    assert.equal((await other?.admit(MODEST))?.kind, 'full');
    await pass(1000);
    assert.equal((await other?.admit(MODEST))?.kind, 'entered');
  });

  it('is not asked while Redis does not answer, and again when it does', async (t) => {
    const server = await throwawayRedis();
    if ('missing' in server) return;
    const proxy = await startTcpProxy(server);
    t.after(() => proxy.close());
    const { ask, inFlight, pass, clock } = await twoNodes(t, 2, proxy.via(server.url));
    proxy.refuse();
    const refused = ask(0, MODEST);
    await pass(61_000);
    assert.equal((await refused)?.failure, 'overloaded');
    assert.equal(clock.pendingTimers, 0);
    proxy.resume();
    void ask(0, MODEST);
    for (let tries = 0; inFlight.length === 0 && tries < 100; tries += 1) await pass(500);
    assert.equal(inFlight.length, 1);
  });
});
