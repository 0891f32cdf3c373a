import type { ClockTime } from '../../clock.ts';
import type { Random } from '../../random.ts';
import { createSearchPlaces, type SearchPlaces } from '../../sessions/assistant-limits.ts';
import {
  type AssistantWindow,
  newWindow,
  type RateReading,
  type RateRule,
  type RateWindows,
  readingOf,
  shownReading,
} from '../../sessions/rate-windows.ts';
import { createMemoryRateWindows } from '../memory/rate-windows.ts';
import { READ_TIME, type RedisConnection } from './connection.ts';
import type { ServerState } from './server-state.ts';

/** How long an ended window stays stored: more than the clocks of nodes and server can differ. */
const LIFE_AFTER_END_MS = 60_000;

/** `isFree` is 1 if the window had room for these requests. */
type WindowReply = readonly [startedAt: string, resetAt: string, taken: number, isFree: number];

/** Counts in all of the windows, or in none when one is used up. A window begins with its first counted request. */
const COUNT = `
local now, windowMs, resetAt, lifeMs, requests = unpack(ARGV)
local windows, areFree = {}, true
for index, key in ipairs(KEYS) do
  local startedAt, shown, taken = unpack(redis.call('HMGET', key, 'startedAt', 'resetAt', 'taken'))
  if not startedAt or tonumber(now) >= startedAt + windowMs then startedAt, shown, taken = now, resetAt, 0 end
  local isFree = taken + requests <= tonumber(ARGV[5 + index])
  areFree = areFree and isFree
  windows[index] = { startedAt, shown, tonumber(taken), isFree and 1 or 0 }
end
if not areFree then return windows end
for index, key in ipairs(KEYS) do
  local window = windows[index]
  if window[3] == 0 then
    redis.call('HSET', key, 'startedAt', window[1], 'resetAt', window[2], 'taken', requests)
    redis.call('PEXPIRE', key, lifeMs)
  else
    redis.call('HINCRBY', key, 'taken', requests)
  end
  window[3] = window[3] + requests
end
return windows`;

/**
 * Windows that all nodes share, by the server's clock. While the server is unreachable, each node counts only its
 * own requests, so a caller may use its limit on every node.
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
  readonly serverTime: Pick<ServerState, 'at'>;
}): RateWindows {
  const local = createMemoryRateWindows(rule);
  const countInOne = redis.script<readonly WindowReply[]>({ keys: 1, lua: COUNT });
  const countInBoth = redis.script<readonly WindowReply[]>({ keys: 2, lua: COUNT });
  const lifeMs = rule.windowMs + LIFE_AFTER_END_MS;

  /**
   * The window of an assistant's caller is in the slot of the assistant, so that one script counts in both: every request of the assistant
   * goes there anyway.
   */
  function keysOf(caller: string, assistant: AssistantWindow | undefined) {
    if (!assistant) return { own: `${prefix}:rate:{${caller}}`, whole: '' };
    const slot = `${prefix}:assistant-rate:{${assistant.assistant}}`;
    return { own: `${slot}:${caller}`, whole: slot };
  }

  function limitsWith(assistant: AssistantWindow | undefined): readonly number[] {
    return assistant ? [rule.limit, assistant.limit] : [rule.limit];
  }

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
    take: (caller, time, assistant, requests = 1) =>
      shared(
        time,
        async (at) => {
          const { own, whole } = keysOf(caller, assistant);
          const { startedAt, resetAt } = newWindow(rule, at);
          const limits = limitsWith(assistant);
          const given = [startedAt, rule.windowMs, resetAt, lifeMs, requests, ...limits];
          const replies = await (assistant ? countInBoth(own, whole, ...given) : countInOne(own, ...given));
          const readings = replies.map(([began, shown, taken, isFree], index) => {
            const window = { startedAt: Number(began), resetAt: Number(shown), taken };
            return readingOf(window, isFree === 1, { ...rule, limit: limits[index] ?? 0 }, at);
          });
          return combined(readings);
        },
        () => local.take(caller, time, assistant, requests),
      ),
    peek: (caller, time, assistant) =>
      shared(
        time,
        async (at) => {
          const { own, whole } = keysOf(caller, assistant);
          const look = async (key: string, limit: number) => {
            const fields = await redis.ask((client) => client.hmget(key, 'startedAt', 'resetAt', 'taken'));
            const [startedAt, resetAt, taken] = fields.map(Number) as [number, number, number];
            const isLive = fields[0] !== null && at.elapsed < startedAt + rule.windowMs;
            const window = isLive ? { startedAt, resetAt, taken } : newWindow(rule, at);
            return readingOf(window, window.taken < limit, { ...rule, limit }, at);
          };
          const looks = [look(own, rule.limit), ...(assistant ? [look(whole, assistant.limit)] : [])];
          return combined(await Promise.all(looks));
        },
        () => local.peek(caller, time, assistant),
      ),
  };
}

/** Combines the caller's reading with that of its assistant, if it has one. */
function combined([own, ofAssistant]: readonly RateReading[]): RateReading {
  if (!own) throw new Error('a caller has a window');
  return ofAssistant ? shownReading(own, ofAssistant) : own;
}

/** One ticket per search, by when its place is free at the latest. */
const TAKE_PLACE = `${READ_TIME}
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
  const takeOfAll = redis.script<number>({ keys: 1, lua: TAKE_PLACE });

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
