import type { OperatorLimits } from '../../quotes/call-entrance.ts';
import type { Random } from '../../random.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisBudgets } from './shared-budget.ts';
import { createRedisOperators } from './shared-operator.ts';
import { createRedisTokenLocks } from './token-lock.ts';

/** The keys of an operator share a hash tag, and so do those of an account, so that each script finds all of its keys on one node of a cluster. */
export function createRedisOperatorLimits({
  redis,
  prefix,
  random,
  now,
}: {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly random: Random;
  /** In place of Redis' own clock, for tests. */
  readonly now?: () => number;
}): OperatorLimits {
  const node = random.bytes(8).toString('hex');
  let tickets = 0;
  const newTicket = () => {
    tickets += 1;
    return `${node}-${tickets}`;
  };
  const time = () => (now ? String(Math.floor(now())) : '');
  const budgetOf = createRedisBudgets({ redis, newTicket, time });
  const lockOf = createRedisTokenLocks({ redis, newTicket, time });

  return {
    operator: createRedisOperators({ redis, prefix, newTicket, time }),
    account({ id, windows, maxInFlight }) {
      const name = `${prefix}:account:{${id}}`;
      return {
        budget: budgetOf(name, windows, maxInFlight),
        tokenLock: (token) => lockOf(`${name}:token:${token}`),
      };
    },
  };
}
