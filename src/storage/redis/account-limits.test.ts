import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openRedisNodes, type RedisNodes } from '../../../test/support/redis-nodes.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { skippedWithoutRedis } from '../../../test/support/test-redis.ts';
import { throwawayRedis } from '../../../test/support/throwaway-redis.ts';
import {
  accessTokenContract,
  type TokenTerms,
} from '../../connectors/shared/account/access-token.contract.ts';
import { createAccessToken } from '../../connectors/shared/account/access-token.ts';
import { type BudgetTerms, requestBudgetContract } from '../../limits/request-budget.contract.ts';
import { createRequestBudget } from '../../limits/request-budget.ts';
import type { OperatorLimits } from '../../limits/shared-limits.ts';
import { systemRandom } from '../../random.ts';

function budgetOf({ clock }: RedisNodes, { account }: OperatorLimits, terms: BudgetTerms) {
  const { budget } = account({ id: 'hostaway/main/1', ...terms });
  return createRequestBudget({ ...terms, shared: { budget, random: systemRandom }, clock });
}

async function open(terms: BudgetTerms, t: TestContext, url?: string) {
  const opened = await openRedisNodes(t, url);
  const [one, other] = opened.limits;
  const nodes = [budgetOf(opened, one, terms), budgetOf(opened, other, terms)] as const;
  return { ...opened, nodes, elapsed: opened.clock.elapsed };
}

requestBudgetContract('of two nodes with Redis', open, { skip: skippedWithoutRedis, runs: 8 });

describe('a budget that nodes share', { skip: skippedWithoutRedis }, () => {
  it('refuses live calls in time while Redis does not answer, and lets background calls wait', async (t) => {
    const server = await throwawayRedis();
    if ('missing' in server) return;
    const proxy = await startTcpProxy(server);
    t.after(() => proxy.close());
    const terms = { windows: [{ requests: 5, perMs: 1000 }], maxInFlight: 2 };
    const { nodes, pass } = await open(terms, t, proxy.via(server.url));
    const { signal } = new AbortController();
    proxy.refuse();
    const live = assert.rejects(nodes[0].take({ urgency: 'live', withinMs: 300, signal }), {
      kind: 'rate_limited',
    });
    let hasBegun = false;
    const background = nodes[0].take({ urgency: 'background', withinMs: 1e9, signal }).then((permit) => {
      hasBegun = true;
      permit.done();
    });
    await pass(1000);
    await live;
    assert.ok(!hasBegun);
    proxy.resume();
    while (!hasBegun) await pass(100);
    await background;
  });
});

function tokenOf({ clock }: RedisNodes, { account }: OperatorLimits, terms: TokenTerms) {
  const windows = [{ requests: 100, perMs: 1000 }];
  const { tokenLock } = account({ id: 'guesty/main/1', windows, maxInFlight: Number.POSITIVE_INFINITY });
  return createAccessToken({
    ...terms,
    lock: tokenLock('secret-1'),
    // Each its own, so that only the lock keeps nodes from asking twice.
    budget: createRequestBudget({ windows, clock }),
    clock,
    random: systemRandom,
  });
}

accessTokenContract(
  'of two nodes with Redis',
  async (terms, t) => {
    const opened = await openRedisNodes(t);
    const [one, other] = opened.limits;
    return { ...opened, nodes: [tokenOf(opened, one, terms), tokenOf(opened, other, terms)] };
  },
  { skip: skippedWithoutRedis },
);
