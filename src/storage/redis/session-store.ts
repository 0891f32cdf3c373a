import { quotaWithin, SESSION_BYTES, USED_KEY_BYTES } from '../../sessions/assistant-limits.ts';
import { bytesOfQuotes, type LedgerEntries } from '../../sessions/quote-ledger.ts';
import type { Session, SessionId } from '../../sessions/session.ts';
import type {
  ClaimOutcome,
  CommitOutcome,
  SessionChange,
  SessionStore,
  UsedKey,
} from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createAssistantAccounts } from './assistant-accounts.ts';
import { type RedisConnection, releaseScript } from './connection.ts';

/** On top of the session's life, by the server's own clock: a day, and an hour for clock differences. */
const LIFE_AFTER_EXPIRY_MS = 25 * 60 * 60 * 1000;
/** A smaller change of weight is not worth a second message with each step. */
const MIN_DIFFERENCE_BYTES = 1000;
const NO_BYTES = Buffer.alloc(0);

const CLAIM_OUTCOMES: readonly ClaimOutcome[] = [
  { kind: 'conflict' },
  { kind: 'taken' },
  { kind: 'claimed' },
];

/** Does not close the connection: its opener does, after closing this store. */
export function createRedisSessionStore({
  redis,
  prefix,
  node,
  ledger,
  maxSkewMs = 0,
  maxBytes = () => Number.POSITIVE_INFINITY,
}: {
  readonly redis: RedisConnection;
  /** Prefix of all keys. */
  readonly prefix: string;
  /** The holder of claims; different for each process. */
  readonly node: string;
  readonly ledger: LedgerEntries;
  /** A node whose clock is ahead by up to this deletes nothing that is still live for others. */
  readonly maxSkewMs?: number;
  /** Redis' memory limit. */
  readonly maxBytes?: () => number;
}): SessionStore {
  const scripts = sessionScripts(redis);
  const accounts = createAssistantAccounts(redis, prefix);
  /** Claims that this store still has to release. */
  const claimed = new Map<SessionId, number>();
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const sessionKey = (id: SessionId) => `${prefix}:session:{${id}}`;
  const claimKey = (id: SessionId) => `${prefix}:claim:{${id}}`;

  /** Tracks the work, so that `close` waits for it. */
  async function perform<T>(work: () => Promise<T>): Promise<T> {
    if (isClosed) throw new StorageFailure('closed', 'The session store is closed.');
    const working = work();
    underWay.add(working);
    try {
      return await working;
    } finally {
      underWay.delete(working);
    }
  }

  const field = (id: SessionId, name: string) => redis.ask((client) => client.hget(sessionKey(id), name));

  async function store({
    session,
    expectedRevision,
    usedKey,
    result,
    quotes,
  }: SessionChange): Promise<CommitOutcome> {
    const weighed = await scripts.commit(
      sessionKey(session.id),
      expectedRevision,
      JSON.stringify(session),
      session.revision,
      session.notes ?? '',
      bytesOfQuotes(quotes),
      usedKey?.id ?? '',
      usedKey ? `${session.revision} ${usedKey.fingerprint}` : '',
      USED_KEY_BYTES,
      result ? 1 : 0,
      result ? Buffer.from(result.buffer, result.byteOffset, result.byteLength) : NO_BYTES,
      MIN_DIFFERENCE_BYTES,
    );
    if (weighed === null) return { kind: 'conflict' };
    if (session.revision !== expectedRevision) claimed.delete(session.id);
    const [assistant, expiresAt, bytes] = weighed;
    // Not awaited: the change is stored, and later commands on this connection run after this one.
    if (assistant !== undefined) {
      void perform(() => accounts.weigh(assistant, session.id, Number(expiresAt), Number(bytes))).catch(
        () => {},
      );
    }
    return { kind: 'committed' };
  }

  async function storeWithQuotes(change: SessionChange): Promise<CommitOutcome> {
    const entries = await ledger.append(change.quotes);
    try {
      const outcome = await store(change);
      if (outcome.kind === 'committed') entries.settle();
      else entries.discard();
      return outcome;
    } catch (failure) {
      const mayBeStored =
        failure instanceof StorageFailure && failure.kind === 'unreachable' && !failure.wasNotCarriedOut;
      if (mayBeStored) entries.settle();
      else entries.discard();
      throw failure;
    }
  }

  return {
    open: (session, quota) =>
      perform(async () => {
        const { id, assistant, openedAt, expiresAt, revision } = session;
        const full = await accounts.reserve(
          { id, assistant, openedAt, expiresAt },
          quota && quotaWithin(quota, maxBytes()),
        );
        if (full) return { kind: 'over_quota', until: full.until };
        const lifeMs = Math.max(0, expiresAt - openedAt) + LIFE_AFTER_EXPIRY_MS;
        const key = sessionKey(id);
        const state = JSON.stringify(session);
        if (await scripts.open(key, state, revision, expiresAt, assistant, SESSION_BYTES, lifeMs)) {
          return { kind: 'opened' };
        }
        if ((await field(id, 'assistant')) !== assistant) await accounts.forget({ assistant, id });
        throw new StorageFailure('refused', 'The session is open already.');
      }),

    find: (id) =>
      perform(async () => {
        const state = await field(id, 'state');
        if (state === null) return undefined;
        const session: Session = JSON.parse(state);
        return session;
      }),

    commit: (change) => perform(() => (change.quotes.length > 0 ? storeWithQuotes(change) : store(change))),

    claim: (id, revision, forMs) =>
      perform(async () => {
        const outcome =
          CLAIM_OUTCOMES[
            1 + (await scripts.claim(sessionKey(id), claimKey(id), revision, node, Math.ceil(forMs)))
          ];
        if (outcome === undefined) throw new Error('the script has another answer');
        if (outcome.kind === 'claimed') claimed.set(id, revision);
        return outcome;
      }),

    release(id, revision) {
      if (claimed.get(id) !== revision) return;
      claimed.delete(id);
      void perform(() => scripts.release(claimKey(id), `${revision} ${node}`)).catch(() => {});
    },

    result: (id) =>
      perform(async () => {
        const bytes = await redis.ask((client) => client.hgetBuffer(sessionKey(id), 'result'));
        return bytes === null ? undefined : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }),

    usedKey: (session, id) =>
      perform(async () => {
        const text = await field(session, `k:${id}`);
        return text === null ? undefined : usedKeyIn(text);
      }),

    countUsedKeys: (session) => perform(async () => Number(await field(session, 'keys'))),

    deleteExpired: ({ bodiesBefore, sessionsBefore, limit }) =>
      perform(async () => {
        const [oldBefore, openBefore] = [sessionsBefore - maxSkewMs, bodiesBefore - maxSkewMs];
        const old = await accounts.expired({ from: -Infinity, before: oldBefore, limit, withBodies: false });
        const open = await accounts.expired({
          from: oldBefore,
          before: openBefore,
          limit: limit - old.length,
          withBodies: true,
        });
        // The session first, then the account: if this node dies in between, the next round finds the session again.
        await Promise.all([
          ...old.map(async (session) => {
            await redis.ask((client) => client.del(sessionKey(session.id)));
            await accounts.forget(session);
          }),
          ...open.map(async (session) => {
            await scripts.deleteBodies(sessionKey(session.id), SESSION_BYTES);
            await accounts.forgetBodies(session);
          }),
        ]);
        return old.length + open.length;
      }),

    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
    },
  };
}

function usedKeyIn(text: string): UsedKey {
  const space = text.indexOf(' ');
  return { fingerprint: text.slice(space + 1), revision: Number(text.slice(0, space)) };
}

/**
 * A session is one hash: `state`, `revision`, `notes`, `expiresAt` and `assistant` as it was opened, `kept` (its bytes), its `result`, and each used key as a field that begins with `k:`. One
 * key for all of it, so that every change is one step on the server.
 */
function sessionScripts(redis: RedisConnection) {
  return {
    /** 1, or 0 where the session is open already. */
    open: redis.script<number>({
      keys: 1,
      lua: `
local state, revision, expiresAt, assistant, kept, lifeMs = unpack(ARGV)
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'state', state, 'revision', revision, 'expiresAt', expiresAt, 'assistant', assistant,
  'kept', kept, 'weighed', kept, 'keys', 0)
redis.call('PEXPIRE', KEYS[1], lifeMs)
return 1`,
    }),
    /**
     * Null for a conflict. Otherwise the new weight of the session for its assistant's account, or an empty list when the weight has hardly
     * changed, as for most changes.
     */
    commit: redis.script<readonly string[] | null>({
      keys: 1,
      lua: `
local expected, state, revision, notes, keptMore, keyId, keyText, keyBytes, hasResult, result, minDifference = unpack(ARGV)
local stored = redis.call('HMGET', KEYS[1], 'revision', 'kept', 'weighed', 'expiresAt', 'assistant', 'notes')
if stored[1] ~= expected then return false end
if notes ~= '' and tonumber(notes) ~= tonumber(stored[6] or 0) + 1 then return false end
local kept = tonumber(stored[2]) + tonumber(keptMore)
if keyId ~= '' then
  kept = kept + tonumber(keyBytes)
  if redis.call('HSET', KEYS[1], 'k:' .. keyId, keyText) == 1 then redis.call('HINCRBY', KEYS[1], 'keys', 1) end
end
redis.call('HSET', KEYS[1], 'state', state, 'revision', revision, 'notes', notes == '' and 0 or notes, 'kept', kept)
if hasResult == '1' then redis.call('HSET', KEYS[1], 'result', result) end
local weight = kept + redis.call('HSTRLEN', KEYS[1], 'result')
if stored[3] and math.abs(weight - tonumber(stored[3])) < tonumber(minDifference) then return {} end
redis.call('HSET', KEYS[1], 'weighed', weight)
return { stored[5], stored[4], tostring(weight) }`,
    }),
    /** 1 for claimed, 0 for taken, -1 for a conflict. A claim of an earlier revision is over. The value is revision and holder. */
    claim: redis.script<number>({
      keys: 2,
      lua: `
local revision, holder, forMs = unpack(ARGV)
if redis.call('HGET', KEYS[1], 'revision') ~= revision then return -1 end
local held = redis.call('GET', KEYS[2])
if held and string.match(held, '^%d+') == revision then return 0 end
redis.call('SET', KEYS[2], revision .. ' ' .. holder, 'PX', forMs)
return 1`,
    }),
    release: releaseScript(redis),
    /** Leaves the state, so that a late caller learns that the session has expired. */
    deleteBodies: redis.script<number>({
      keys: 1,
      lua: `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 2) == 'k:' then redis.call('HDEL', KEYS[1], field) end
end
redis.call('HDEL', KEYS[1], 'result', 'weighed')
redis.call('HSET', KEYS[1], 'kept', ARGV[1], 'keys', 0)
return 1`,
    }),
  };
}
