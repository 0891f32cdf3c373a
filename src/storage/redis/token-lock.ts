import type { FailureKind } from '../../limits/booking-system-failure.ts';
import type { TokenLock } from '../../limits/shared-account.ts';
import type { RedisConnection } from './connection.ts';
import { READ_TIME } from './script-time.ts';

/** Longer than a request for a token may take, and its storing. */
const HELD_MS = 25_000;

/** Who has it, until when, and the failure for which nobody is to have it until then. */
const TAKE = `${READ_TIME}
local kept = redis.call('HMGET', KEYS[1], 'until', 'failure')
local leftMs = tonumber(kept[1] or '0') - now
if leftMs > 0 then
  if kept[2] ~= '' then return { 'resting', kept[2], math.ceil(leftMs) } end
  return { 'held', '', 0 }
end
redis.call('HSET', KEYS[1], 'holder', ARGV[2], 'until', now + ${HELD_MS}, 'failure', '')
keepFor(KEYS[1], ${HELD_MS})
return { 'taken', '', 0 }
`;

/** Whoever was too slow has lost it to another, and leaves that one alone. */
const RELEASE = `${READ_TIME}
local restMs = tonumber(ARGV[3])
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1])
if restMs > 0 then
  redis.call('HSET', KEYS[1], 'until', now + restMs, 'failure', ARGV[4])
  keepFor(KEYS[1], restMs)
end
return 1
`;

export function createRedisTokenLocks({
  redis,
  newTicket,
  time,
}: {
  readonly redis: RedisConnection;
  readonly newTicket: () => string;
  /** Empty for Redis' own. */
  readonly time: () => string;
}): (key: string) => TokenLock {
  const askForIt = redis.script<
    readonly [kind: 'taken' | 'held' | 'resting', failure: FailureKind, forMs: number]
  >({
    keys: 1,
    lua: TAKE,
  });
  const giveItBack = redis.script<number>({ keys: 1, lua: RELEASE });

  return (key) => ({
    async take() {
      const holder = newTicket();
      const [kind, failure, forMs] = await askForIt(key, time(), holder);
      if (kind === 'resting') return { kind, failure, forMs };
      if (kind === 'held') return { kind };
      return {
        kind,
        release(failed) {
          const restMs = Math.ceil(failed?.restMs ?? 0);
          // Where it does not arrive, the lock is free when its time is over.
          giveItBack(key, time(), holder, restMs, failed?.failure ?? '').catch(() => undefined);
        },
      };
    },
  });
}
