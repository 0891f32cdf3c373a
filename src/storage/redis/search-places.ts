import type { Random } from '../../random.ts';
import { createSearchPlaces, type SearchPlaces } from '../../sessions/assistant-limits.ts';
import { READ_TIME, type RedisConnection } from './connection.ts';

/** One ticket per search, by when its place is free at the latest. */
const TAKE = `${READ_TIME}
local limit, ticket, maxMs = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= limit then return 0 end
redis.call('ZADD', KEYS[1], now + maxMs, ticket)
keepFor(KEYS[1], maxMs)
return 1
`;

/**
 * Places for all nodes. Each node counts its own as well: an assistant with too many on this node alone is refused without a call, and while
 * the server is unreachable that count decides. The places of a dead node expire.
 */
export function createRedisSearchPlaces({
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
}): SearchPlaces {
  const ofThisNode = createSearchPlaces();
  const takeOfAll = redis.script<number>({ keys: 1, lua: TAKE });

  return {
    async take(assistant, terms) {
      const leaveNode = await ofThisNode.take(assistant, terms);
      if (!leaveNode) return null;
      const key = `${prefix}:searches:{${assistant}}`;
      const ticket = random.bytes(12).toString('base64url');
      const isTaken = takeOfAll(key, now ? Math.floor(now()) : '', terms.limit, ticket, terms.maxMs).then(
        (taken) => taken === 1,
      );
      if (!(await isTaken.catch(() => true))) {
        leaveNode();
        return null;
      }
      return () => {
        leaveNode();
        // Not awaited: the caller's next command follows on the same connection.
        redis.ask((client) => client.zrem(key, ticket)).catch(() => undefined);
      };
    },
  };
}
