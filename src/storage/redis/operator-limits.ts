import { BREAKER_RULE, type BreakerState, circuitNames } from '../../limits/circuit-breaker.ts';
import type { OpenSharedOperator, OperatorLimits } from '../../limits/shared-limits.ts';
import type { Random } from '../../random.ts';
import { createRedisBudgets, createRedisTokenLocks, type SharedScripts } from './account-limits.ts';
import { READ_TIME, type RedisConnection } from './connection.ts';

/** The keys of an operator share a hash tag, and so do those of an account, so that all keys of a script are on one node of a cluster. */
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
    operator: createRedisOperators({ redis, prefix, node, newTicket, time }),
    account({ id, windows, maxInFlight }) {
      const name = `${prefix}:account:{${id}}`;
      return {
        budget: budgetOf(name, windows, maxInFlight),
        tokenLock: (token) => lockOf(`${name}:token:${token}`),
      };
    },
  };
}

/** After an hour without calls, a breaker begins anew. */
const BREAKER_LIFE_MS = 3_600_000;
/** A node that waits for a place asks again within this time. */
const RETRY_MS = 500;

/**
 * A circuit: the number of failures in a row, until when it is open, until when its probe is in flight, and a generation that changes with
 * its state. `own`, of a caller, exists once the operator has answered it, and then replaces that of its assistant.
 */
const READ_CIRCUIT = `${READ_TIME}
local own, ofAssistant = KEYS[1], KEYS[2]
local isOwn = redis.call('EXISTS', own) == 1
local circuit = isOwn and own or ofAssistant
local kept = redis.call('HMGET', circuit, 'generation', 'open_until', 'probe_until', 'failures')
local generation, openUntil = kept[1] or '0', tonumber(kept[2] or '0')

local function answer(kind)
  local state = openUntil == 0 and 'closed' or openUntil > now and 'open' or 'half_open'
  return { kind, generation, state, math.max(0, openUntil - now), isOwn and 1 or 0 }
end
`;

/**
 * `places`: a ticket for each call, by when its place is free at the latest. `wanted`: the node that found no place first and gets the
 * next, so that nodes take turns.
 */
const ADMIT = `${READ_CIRCUIT}
local places, wanted = KEYS[3], KEYS[4]
local limit, placeMs, ticket, node = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
if openUntil > now then return answer('refused') end
if tonumber(kept[3] or '0') > now then return answer('full') end
redis.call('ZREMRANGEBYSCORE', places, '-inf', now)
local claim = redis.call('HMGET', wanted, 'node', 'until')
local isOthers = claim[1] and claim[1] ~= node and tonumber(claim[2]) > now
if isOthers or redis.call('ZCARD', places) >= limit then
  if not isOthers then
    redis.call('HSET', wanted, 'node', node, 'until', now + ${RETRY_MS})
    keepFor(wanted, ${RETRY_MS})
  end
  return answer('full')
end
redis.call('DEL', wanted)
redis.call('ZADD', places, now + placeMs, ticket)
keepFor(places, placeMs)
if openUntil > 0 then redis.call('HSET', circuit, 'probe_until', now + placeMs) end
return answer('entered')
`;

const REPORT = `${READ_CIRCUIT}
local admittedBy, admittedIn, result, maxFailures, openMs = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
-- Results of calls that were admitted before a change of state, or by the circuit of the assistant, are ignored.
local counts = admittedIn == generation and admittedBy == (isOwn and '1' or '0')
if counts and result == 'abandoned' then redis.call('HDEL', circuit, 'probe_until') end
if counts and result ~= 'abandoned' then
  local failures = result == 'failed' and tonumber(kept[4] or '0') + 1 or 0
  if openUntil > 0 or failures >= maxFailures then
    generation, openUntil = tostring(tonumber(generation) + 1), failures > 0 and now + openMs or 0
  end
  if failures > 0 or kept[4] then
    redis.call('HSET', circuit, 'generation', generation, 'open_until', openUntil, 'probe_until', 0, 'failures', failures)
    keepFor(circuit, ${BREAKER_LIFE_MS})
  end
end
if result == 'succeeded' then
  redis.call('HSETNX', own, 'generation', '0')
  keepFor(own, ${BREAKER_LIFE_MS})
end
return answer('')
`;

type Reply = readonly [
  kind: 'entered' | 'full' | 'refused',
  generation: string,
  state: BreakerState,
  forMs: number,
  isOwn: 0 | 1,
];

function createRedisOperators({
  redis,
  prefix,
  node,
  newTicket,
  time,
}: SharedScripts & { readonly prefix: string; readonly node: string }): OpenSharedOperator {
  const admitCall = redis.script<Reply>({ keys: 4, lua: ADMIT });
  const reportResult = redis.script<Reply>({ keys: 2, lua: REPORT });

  return ({ brand, concurrency, maxPlaceMs, onBreaker }) => {
    const own = `${prefix}:operator:{${brand}}`;
    const [places, wanted] = [`${own}:places`, `${own}:wanted`];
    return {
      async admit(caller) {
        const names = circuitNames(caller);
        const circuits = [`${own}:breaker:${names[0]}`, `${own}:breaker:${names[1]}`] as const;
        const note = ([, , state, forMs, isOwn]: Reply) =>
          onBreaker(state, forMs, names[isOwn === 1 ? 0 : 1]);
        const ticket = newTicket();
        const terms = [concurrency, maxPlaceMs, ticket, node];
        const reply = await admitCall(...circuits, places, wanted, time(), ...terms);
        const [kind, generation, , , isOwn] = reply;
        note(reply);
        if (kind !== 'entered') return { kind };
        return {
          kind,
          async report(result) {
            const terms = [isOwn, generation, result, BREAKER_RULE.failures, BREAKER_RULE.openMs];
            // While Redis is down the result is lost, and the place is free when its time is over.
            const answer = await reportResult(...circuits, time(), ...terms).catch(() => null);
            if (answer) note(answer);
          },
          leave: () => void redis.ask((client) => client.zrem(places, ticket)).catch(() => undefined),
        };
      },
    };
  };
}
