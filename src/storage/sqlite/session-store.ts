import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { createNoncesInMemory, type UsedNonces } from '../../access/web-bot-auth/used-nonces.ts';
import type { Clock } from '../../clock.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import type { Session, SessionId } from '../../sessions/session.ts';
import { createSessionClaims, type SessionStore, type UsedKeyId } from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { bytesIn, numberIn, textIn } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import { foundQuotesIn, quoteIn, SELECT_QUOTES } from './quote-ledger.ts';
import type { SessionTables } from './session-tables.ts';

/** Deletions alternate with commits: after this many sessions, waiting commits go first. */
const MAX_SESSIONS_PER_DELETION = 16;
const MAX_CACHED_SESSIONS = 20_000;

type CachedSession = {
  /** Shared with its writer and all readers: sessions are never changed in place. */
  readonly session: Session;
  /** All keys that it has used; undefined until they are read. Most keys of requests are new, so a step reads none. */
  usedKeyIds: Set<UsedKeyId> | undefined;
};

export function createSqliteSessionStore({
  database,
  writes,
  read,
  clock,
  maxCachedSessions = MAX_CACHED_SESSIONS,
}: {
  /** For reading. */
  readonly database: DatabaseSync;
  readonly writes: GroupCommit<SessionTables>;
  /** Runs each query and throws its faults as `StorageFailure`. */
  readonly read: <T>(query: () => T) => T;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly maxCachedSessions?: number | undefined;
}): SessionStore & QuoteLedger {
  /** Recent sessions, so that a step rarely reads the database. Contains only states that are on disk. */
  const cache = new LRUCache<SessionId, CachedSession>({ max: maxCachedSessions });
  const claims = createSessionClaims(clock);
  const ofSession = '= (SELECT number FROM session WHERE id = ?)';
  const storedState = database.prepare('SELECT state FROM session WHERE id = ?');
  const storedResult = database.prepare(`SELECT body FROM result WHERE session ${ofSession}`);
  const storedKey = database.prepare(
    `SELECT fingerprint, revision FROM used_key WHERE session ${ofSession} AND id = ?`,
  );
  const storedKeyIds = database.prepare(`SELECT id FROM used_key WHERE session ${ofSession}`);
  const quotesSince = database.prepare(
    `${SELECT_QUOTES} WHERE retrieved_at >= ? ORDER BY retrieved_at, number LIMIT ?`,
  );
  const foundQuotes = foundQuotesIn(database);
  let closing: Promise<void> | undefined;

  function readOpen<T>(query: () => T): T {
    if (closing) throw new StorageFailure('closed', 'The session store is closed.');
    return read(query);
  }

  function found(id: SessionId): Session | undefined {
    const cached = cache.get(id);
    if (cached && !closing) return cached.session;
    const row = readOpen(() => storedState.get(id));
    if (!row) return undefined;
    const session: Session = JSON.parse(textIn(row, 'state'));
    cache.set(id, { session, usedKeyIds: undefined });
    return session;
  }

  function usedKeyIdsOf(id: SessionId): ReadonlySet<UsedKeyId> {
    const cached = cache.get(id);
    if (cached?.usedKeyIds && !closing) return cached.usedKeyIds;
    const read = new Set(readOpen(() => storedKeyIds.all(id)).map((row) => textIn(row, 'id')));
    if (cached) cached.usedKeyIds = read;
    return read;
  }

  return {
    async open(session, quota) {
      const { id, assistant, openedAt, revision, expiresAt } = session;
      const state = JSON.stringify(session);
      const row = { id, assistant, openedAt, revision, expiresAt, state, quota: quota ?? null };
      const outcome = await writes.call('open', [row]);
      if (outcome.kind === 'opened') cache.set(id, { session, usedKeyIds: new Set() });
      return outcome;
    },

    find: async (id) => found(id),

    async commit({ session, expectedRevision, usedKey, result, quotes }) {
      const { id, revision, notes } = session;
      // A copy: its memory moves to the writing thread, and the caller's may be a view of a larger buffer.
      const body: OwnedBytes | null = result && new Uint8Array(result);
      const row = {
        ...{ id, revision, state: JSON.stringify(session), expectedRevision, result: body },
        expectedNotes: notes === undefined ? null : notes - 1,
        usedKey: usedKey && { id: usedKey.id, fingerprint: usedKey.fingerprint },
        quotes: quotes.length === 0 ? null : JSON.stringify(quotes),
      };
      const outcome = await writes.call('commit', [row], body ? [body] : []);
      if (outcome.kind === 'conflict') {
        // The cache may be behind after a writing thread died between a commit and its confirmation.
        cache.delete(id);
      } else {
        if (revision !== expectedRevision) claims.release(id, expectedRevision);
        const usedKeyIds = cache.peek(id)?.usedKeyIds;
        if (usedKey) usedKeyIds?.add(usedKey.id);
        cache.set(id, { session, usedKeyIds });
      }
      return outcome;
    },

    async claim(id, revision, forMs) {
      if (found(id)?.revision !== revision) return { kind: 'conflict' };
      return { kind: claims.take(id, revision, forMs) ? 'claimed' : 'taken' };
    },

    release: claims.release,

    async result(id) {
      const row = readOpen(() => storedResult.get(id));
      return row && bytesIn(row, 'body');
    },

    async usedKey(session, id) {
      const row = usedKeyIdsOf(session).has(id) ? readOpen(() => storedKey.get(session, id)) : undefined;
      return row && { fingerprint: textIn(row, 'fingerprint'), revision: numberIn(row, 'revision') };
    },

    countUsedKeys: async (session) => usedKeyIdsOf(session).size,

    async deleteExpired({ bodiesBefore, sessionsBefore, limit }) {
      let total = 0;
      while (total < limit) {
        const some = Math.min(MAX_SESSIONS_PER_DELETION, limit - total);
        const deleted = await writes.call('deleteExpired', [bodiesBefore, sessionsBefore, some]);
        for (const id of deleted) cache.delete(id);
        total += deleted.length;
        if (deleted.length < some) break;
      }
      return total;
    },

    issuedQuotes: async ({ since, limit }) => readOpen(() => quotesSince.all(since, limit).map(quoteIn)),
    findQuotes: async (question, limit) => readOpen(() => foundQuotes(question, limit)),
    deleteQuotes: ({ now, keptMs, limit }) => writes.call('deleteQuotes', [Math.floor(now - keptMs), limit]),
    deleteSurplus: (surplus) => writes.call('deleteSurplus', [surplus]),

    close() {
      if (!closing) {
        // Close this one first: the last connection checkpoints the log, and this one cannot write.
        database.close();
        closing = writes.close();
      }
      return closing;
    },
  };
}

/**
 * Nonces that outlive the process. Memory decides, so no request waits for the disk: a killed process loses only the uses of its last
 * milliseconds.
 */
export function createSqliteUsedNonces(
  database: DatabaseSync,
  writes: Pick<GroupCommit<SessionTables>, 'call'>,
  clock: Pick<Clock, 'now' | 'elapsed'>,
): UsedNonces {
  const now = clock.now();
  const known = database
    .prepare('SELECT ends_at, name, signer FROM used_nonce WHERE ends_at > ? ORDER BY ends_at')
    .all(now)
    .map((row) => ({
      signer: textIn(row, 'signer'),
      name: textIn(row, 'name'),
      keepMs: numberIn(row, 'ends_at') - now,
    }));
  const inMemory = createNoncesInMemory(clock, { known });
  return {
    async claim(signer, name, keepMs) {
      if (!(await inMemory.claim(signer, name, keepMs))) return false;
      const usedAt = clock.now();
      // While the disk cannot be written, memory still decides; the store's health reports it to the owner.
      writes.call('useNonce', [signer, name, usedAt, Math.ceil(usedAt + keepMs)]).catch(() => {});
      return true;
    },
  };
}
