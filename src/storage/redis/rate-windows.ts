import type { ClockTime } from '../../clock.ts';
import { hasEnded, newWindow, readingOf } from '../../sessions/rate-reading.ts';
import type { RateReading, RateRule, RateWindows } from '../../sessions/rate-windows.ts';
import { createMemoryRateWindows } from '../memory/rate-windows.ts';
import type { RedisConnection } from './connection.ts';
import type { ServerTime } from './server-time.ts';

/** How long a window that has ended is kept: beyond what clocks of nodes and of the server can be apart. */
const KEPT_AFTER_END_MS = 60_000;

/**
 * Windows that all nodes count in, by the server's clock. Nobody is refused because the server is away: until it is back, each
 * node counts for itself.
 */
export function createRedisRateWindows({
  redis,
  prefix,
  rule,
  serverTime,
}: {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly rule: RateRule;
  readonly serverTime: Pick<ServerTime, 'at'>;
}): RateWindows {
  const local = createMemoryRateWindows(rule);
  const keyOf = (caller: string) => `${prefix}:rate:{${caller}}`;
  const count = redis.script<readonly [startedAt: string, resetAt: string, taken: number, allowed: number]>({
    keys: 1,
    lua: `
local now, windowMs, limit, resetAt, lifeMs = unpack(ARGV)
local startedAt, shown, taken = unpack(redis.call('HMGET', KEYS[1], 'startedAt', 'resetAt', 'taken'))
if not startedAt or tonumber(now) >= startedAt + windowMs then
  startedAt, shown, taken = now, resetAt, 0
  redis.call('HSET', KEYS[1], 'startedAt', startedAt, 'resetAt', shown, 'taken', 0)
  redis.call('PEXPIRE', KEYS[1], lifeMs)
end
if tonumber(taken) >= tonumber(limit) then return { startedAt, shown, tonumber(taken), 0 } end
return { startedAt, shown, redis.call('HINCRBY', KEYS[1], 'taken', 1), 1 }`,
  });

  async function shared(
    time: ClockTime,
    read: (serverClock: ClockTime) => Promise<RateReading>,
    readLocally: () => Promise<RateReading>,
  ): Promise<RateReading> {
    const elapsed = serverTime.at(time.elapsed);
    if (elapsed === undefined || !redis.isReachable()) return readLocally();
    return read({ now: time.now, elapsed }).catch(readLocally);
  }

  return {
    take: (caller, time) =>
      shared(
        time,
        async (at) => {
          const { windowMs, limit } = rule;
          const { startedAt, resetAt } = newWindow(rule, at);
          const lifeMs = windowMs + KEPT_AFTER_END_MS;
          const reply = await count(keyOf(caller), startedAt, windowMs, limit, resetAt, lifeMs);
          const [began, shown, taken, allowed] = reply;
          const window = { startedAt: Number(began), resetAt: Number(shown), taken };
          return readingOf(window, allowed === 1, rule, at);
        },
        () => local.take(caller, time),
      ),
    peek: (caller, time) =>
      shared(
        time,
        async (at) => {
          const fields = await redis.ask((client) =>
            client.hmget(keyOf(caller), 'startedAt', 'resetAt', 'taken'),
          );
          const [startedAt, resetAt, taken] = fields.map(Number) as [number, number, number];
          const isLive = fields[0] !== null && !hasEnded({ startedAt }, rule, at.elapsed);
          const window = isLive ? { startedAt, resetAt, taken } : newWindow(rule, at);
          return readingOf(window, window.taken < rule.limit, rule, at);
        },
        () => local.peek(caller, time),
      ),
  };
}
