import { isOverQuota, SESSION_BYTES, type StorageQuota } from '../../sessions/assistant-limits.ts';
import type { AssistantId, SessionId } from '../../sessions/session.ts';
import type { RedisConnection } from './connection.ts';

export type ExpiredSession = {
  readonly id: SessionId;
  readonly assistant: AssistantId;
  readonly expiresAt: number;
};

type Reservation = ExpiredSession & { readonly openedAt: number };

type Expired = Readonly<Record<'from' | 'before' | 'limit', number>> & { readonly withBodies: boolean };

const BY_SCORE = ['BYSCORE', 'LIMIT', 0] as const;
/** Bounds the script to a fraction of a millisecond. */
const MAX_EXPIRED_PER_SCRIPT = 100;
/** Far longer than any session is stored. */
const INDEX_LIFE_MS = 14 * 24 * 60 * 60 * 1000;

/**
 * The stored sessions of each assistant, in a separate slot, by expiry: `open`, sessions that still have bodies; `counted`, those whose
 * bytes count, with the weight of each in `bytes` and the sum in its field ''; and `all`, including those that lost their bodies. It is
 * written before a session is opened and after it was changed, so it may list a session that does not exist, but never misses one.
 */
export function createAssistantAccounts(redis: RedisConnection, prefix: string) {
  const keysOf = (assistant: AssistantId) =>
    ['open', 'bytes', 'all', 'counted'].map((kind) => `${prefix}:kept:{${assistant}}:${kind}`);
  const assistantsKey = `${prefix}:assistants`;

  /**
   * Sessions that have ended by then do not count, deleted or not. A script subtracts the bytes of a few at a time, because thousands may end
   * together and a script blocks the server; until then the sum is too high.
   */
  const LIVE = `
local function live(at)
  local ended = redis.call('ZRANGE', KEYS[4], '-inf', at, 'BYSCORE', 'LIMIT', 0, ${MAX_EXPIRED_PER_SCRIPT})
  for _, id in ipairs(ended) do
    redis.call('HINCRBY', KEYS[2], '', -tonumber(redis.call('HGET', KEYS[2], 's' .. id) or 0))
    redis.call('HDEL', KEYS[2], 's' .. id)
    redis.call('ZREM', KEYS[4], id)
  end
  return redis.call('ZCOUNT', KEYS[1], '(' .. at, '+inf'), tonumber(redis.call('HGET', KEYS[2], '') or 0)
end`;
  const WEIGH = `
local function weigh(id, expiresAt, bytes)
  local before = tonumber(redis.call('HGET', KEYS[2], 's' .. id) or 0)
  redis.call('HSET', KEYS[2], 's' .. id, bytes)
  redis.call('HINCRBY', KEYS[2], '', bytes - before)
  redis.call('ZADD', KEYS[1], expiresAt, id)
  redis.call('ZADD', KEYS[4], expiresAt, id)
end
local function forgetBodies(id)
  local before = redis.call('HGET', KEYS[2], 's' .. id)
  if before then
    redis.call('HDEL', KEYS[2], 's' .. id)
    redis.call('HINCRBY', KEYS[2], '', -tonumber(before))
  end
  redis.call('ZREM', KEYS[1], id)
  redis.call('ZREM', KEYS[4], id)
end`;
  const readLive = redis.script<readonly [sessions: number, bytes: number, until: string | null]>({
    keys: 4,
    lua: `${LIVE}
local sessions, bytes = live(ARGV[1])
local first = redis.call('ZRANGE', KEYS[1], '(' .. ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
return { sessions, bytes, first[2] or false }`,
  });
  /** Null when the quota is exhausted. */
  const add = redis.script<number | null>({
    keys: 4,
    lua: `${LIVE} ${WEIGH}
local id, openedAt, expiresAt, bytes, maxSessions, maxBytes, lifeMs = unpack(ARGV)
local sessions, kept = live(openedAt)
if maxSessions ~= '' and (sessions >= tonumber(maxSessions) or kept >= tonumber(maxBytes)) then return false end
if redis.call('ZSCORE', KEYS[3], id) then return 1 end
weigh(id, expiresAt, tonumber(bytes))
redis.call('ZADD', KEYS[3], expiresAt, id)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, lifeMs) end
return 1`,
  });
  const setWeight = redis.script<number>({
    keys: 4,
    lua: `${WEIGH}
if redis.call('ZSCORE', KEYS[3], ARGV[1]) then weigh(ARGV[1], ARGV[2], tonumber(ARGV[3])) end
return 1`,
  });
  const removeBodies = redis.script<number>({
    keys: 4,
    lua: `${WEIGH} forgetBodies(ARGV[1]) return 1`,
  });
  const remove = redis.script<number>({
    keys: 4,
    lua: `${WEIGH} forgetBodies(ARGV[1]) return redis.call('ZREM', KEYS[3], ARGV[1])`,
  });

  const assistants = () => redis.ask((client) => client.smembers(assistantsKey));

  /** The total of all assistants matters only to one above its share, so only then are the others read. */
  async function fullUntil(
    { assistant, openedAt }: Reservation,
    quota: StorageQuota,
  ): Promise<number | null> {
    const [sessions, bytes, until] = await readLive(...keysOf(assistant), openedAt);
    const totalBytes = bytes < quota.shareBytes ? 0 : await bytesOfAll(openedAt);
    return isOverQuota({ sessions, bytes }, totalBytes, quota) ? Number(until ?? openedAt) : null;
  }

  async function bytesOfAll(at: number): Promise<number> {
    const all = await Promise.all((await assistants()).map((one) => readLive(...keysOf(one), at)));
    return all.reduce((sum, [, bytes]) => sum + bytes, 0);
  }

  return {
    /** Undefined when the quota admits the session, which then counts; otherwise the earliest end of an open one. */
    async reserve(
      session: Reservation,
      quota?: StorageQuota,
    ): Promise<{ readonly until: number } | undefined> {
      const { id, assistant, openedAt, expiresAt } = session;
      const reserve = (maxSessions: number | '', maxBytes: number | '') =>
        add(
          ...[...keysOf(assistant), id, openedAt, expiresAt],
          ...[SESSION_BYTES, maxSessions, maxBytes, INDEX_LIFE_MS],
        );
      let isReserved = quota
        ? await reserve(quota.sessions, Math.min(quota.bytes, quota.shareBytes))
        : await reserve('', '');
      if (isReserved === null && quota) {
        const until = await fullUntil(session, quota);
        if (until !== null) return { until };
        isReserved = await reserve(quota.sessions, quota.bytes);
        // Another request reserved the rest first.
        if (isReserved === null) return { until: (await fullUntil(session, quota)) ?? openedAt };
      }
      // With every session, pipelined with other commands: an assistant missing here would never be cleaned up.
      await redis.ask((client) => client.sadd(assistantsKey, assistant));
      return undefined;
    },
    /** If the message is lost, the session counts too little. */
    async weigh(assistant: AssistantId, id: SessionId, expiresAt: number, bytes: number): Promise<void> {
      await setWeight(...keysOf(assistant), id, expiresAt, bytes);
    },
    /** Of all assistants, oldest first. */
    async expired({ from, before, limit, withBodies }: Expired): Promise<readonly ExpiredSession[]> {
      const found = await Promise.all(
        (await assistants()).map(async (assistant) => {
          const [open = '', , all = ''] = keysOf(assistant);
          const replies = await redis.ask((client) =>
            client.zrange(withBodies ? open : all, from, `(${before}`, ...BY_SCORE, limit, 'WITHSCORES'),
          );
          return Array.from({ length: replies.length / 2 }, (_, at) => ({
            assistant,
            id: replies[2 * at] ?? '',
            expiresAt: Number(replies[2 * at + 1]),
          }));
        }),
      );
      return found
        .flat()
        .sort((one, other) => one.expiresAt - other.expiresAt)
        .slice(0, limit);
    },
    async forgetBodies({ assistant, id }: ExpiredSession): Promise<void> {
      await removeBodies(...keysOf(assistant), id);
    },
    async forget({ assistant, id }: Pick<ExpiredSession, 'assistant' | 'id'>): Promise<void> {
      await remove(...keysOf(assistant), id);
    },
  };
}
