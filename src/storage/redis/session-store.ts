import { quotaWithin, SESSION_BYTES, USED_KEY_BYTES } from '../../sessions/assistant-limits.ts';
import type { LedgerEntries } from '../../sessions/quote-ledger.ts';
import { bytesOfQuotes } from '../../sessions/quote-ledger.ts';
import type { Session, SessionId } from '../../sessions/session.ts';
import { MAX_COUNTED, type SessionTally, withoutTally, withTally } from '../../sessions/session.ts';
import type {
  ClaimOutcome,
  CommitOutcome,
  SessionChange,
  SessionStore,
  UsedKey,
} from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createAssistantAccounts } from './assistant-accounts.ts';
import type { RedisConnection } from './connection.ts';
import { sessionScripts } from './session-scripts.ts';

/** By the server's own clock, which no node's has to agree with: as long as the session lives, and a day, and an hour. */
const KEPT_AFTER_EXPIRY_MS = 25 * 60 * 60 * 1000;
/** Less is not worth a second message with each step. */
const MIN_DIFFERENCE_BYTES = 1000;
const NO_BYTES = Buffer.alloc(0);

const CLAIM_OUTCOMES: readonly ClaimOutcome[] = [
  { kind: 'conflict' },
  { kind: 'taken' },
  { kind: 'claimed' },
];

/** The connection stays open: whoever opened it closes it, after this. */
export function createRedisSessionStore({
  redis,
  prefix,
  node,
  ledger,
  maxSkewMs = 0,
  maxBytes = () => Number.POSITIVE_INFINITY,
}: {
  readonly redis: RedisConnection;
  /** All keys begin with it. */
  readonly prefix: string;
  /** Whose claims these are: another for each process. */
  readonly node: string;
  readonly ledger: LedgerEntries;
  /** Nodes whose clocks are ahead by no more than this delete nothing that still lives for others. */
  readonly maxSkewMs?: number;
  /** What Redis may hold. */
  readonly maxBytes?: () => number;
}): SessionStore {
  const scripts = sessionScripts(redis);
  const accounts = createAssistantAccounts(redis, prefix);
  /** Claims that are still this store's to release. */
  const claimed = new Map<SessionId, number>();
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const sessionKey = (id: SessionId) => `${prefix}:session:{${id}}`;
  const claimKey = (id: SessionId) => `${prefix}:claim:{${id}}`;

  /** Counted, so that closing waits for it. */
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
      JSON.stringify(withoutTally(session)),
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
    // Not waited for: the change is stored, and what comes later on this connection is carried out later.
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
        const lifeMs = Math.max(0, expiresAt - openedAt) + KEPT_AFTER_EXPIRY_MS;
        const key = sessionKey(id);
        const state = JSON.stringify(withoutTally(session));
        if (await scripts.open(key, state, revision, expiresAt, assistant, SESSION_BYTES, lifeMs)) {
          return { kind: 'opened' };
        }
        if ((await field(id, 'assistant')) !== assistant) await accounts.forget({ assistant, id });
        throw new StorageFailure('refused', 'The session is open already.');
      }),

    find: (id) =>
      perform(async () => {
        const fields = ['state', 'tally', 'counted'];
        const [state, tally, counted] = await redis.ask((client) => client.hmget(sessionKey(id), ...fields));
        if (typeof state !== 'string') return undefined;
        const session: Session = JSON.parse(state);
        return withTally(session, tally ? tallyIn(tally, counted ?? '') : undefined);
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

    noteTallies: (tallies) =>
      perform(async () => {
        const noted = Array.from(tallies, async ([id, { changes, stage, refusal, counted }]) => {
          const [tally, ...own] = await scripts.noteTally(
            ...[sessionKey(id), changes, `${stage} ${refusal}`, node, MAX_COUNTED],
            ...counted,
          );
          return [id, { replaced: tally ? refusalIn(tally) : null, own: own.map(Number) }] as const;
        });
        return new Map(await Promise.all(noted));
      }),

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
        // The account after the session: what a node that dies leaves undone is found again.
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

function tallyIn(text: string, counted: string): SessionTally {
  const marks = Array.from(counted.matchAll(/(\d+)=/g), ([, mark]) => Number(mark));
  return { changes: Number.parseInt(text, 10), ...refusalIn(text), counted: marks };
}

/** Codes of ours, none of which has a space. */
function refusalIn(tally: string): Pick<SessionTally, 'stage' | 'refusal'> {
  const [, stage = '', refusal = ''] = tally.split(' ');
  return { stage, refusal };
}

function usedKeyIn(text: string): UsedKey {
  const space = text.indexOf(' ');
  return { fingerprint: text.slice(space + 1), revision: Number(text.slice(0, space)) };
}
