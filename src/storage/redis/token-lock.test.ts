import { openRedisNodes, type RedisNodes } from '../../../test/support/redis-nodes.ts';
import { skippedWithoutRedis } from '../../../test/support/test-redis.ts';
import {
  accessTokenContract,
  type TokenTerms,
} from '../../connectors/shared/account/access-token.contract.ts';
import { createAccessToken } from '../../connectors/shared/account/access-token.ts';
import { createRequestBudget } from '../../limits/node-budget.ts';
import type { OperatorLimits } from '../../quotes/call-entrance.ts';
import { systemRandom } from '../../random.ts';

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
