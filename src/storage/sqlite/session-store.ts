import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../clock.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import type { StorageQuota } from '../../sessions/assistant-limits.ts';
import type { IssuedQuote, QuoteLedger, QuoteQuestion } from '../../sessions/quote-ledger.ts';
import type { Session, SessionId } from '../../sessions/session.ts';
import {
  createSessionClaims,
  type SessionChange,
  type SessionStore,
  type UsedKey,
  type UsedKeyId,
} from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { bytesIn, numberIn, textIn } from './database.ts';
import { type GroupCommit, vacuum } from './group-commit.ts';
import { foundQuotesIn, quoteIn, selectQuotes } from './quote-ledger.ts';
import type { CommitWrite, OpenWrite, SessionWrite } from './session-writes.ts';

/** Deletions alternate with commits: after this many sessions, waiting commits go first. */
const MAX_SESSIONS_PER_DELETION = 16;

type CachedSession = {
  /** Shared with its writer and all readers: sessions are never changed in place. */
  readonly session: Session;
  /** All keys that the session has used; undefined until they are read. */
  usedKeyIds: Set<UsedKeyId> | undefined;
};

export function createSqliteSessionStore({
  reads,
  writes,
  maxCachedSessions,
  closeReads,
  clock = systemClock,
}: {
  readonly reads: SessionReads;
  readonly writes: GroupCommit<SessionWrite>;
  readonly maxCachedSessions: number;
  readonly closeReads: () => void;
  readonly clock?: Pick<Clock, 'elapsed'>;
}): SessionStore & QuoteLedger {
  /** Recent sessions, so that a step rarely reads the database. Contains only states that are on disk. */
  const cache = new LRUCache<SessionId, CachedSession>({ max: maxCachedSessions });
  const claims = createSessionClaims(clock);
  let closing: Promise<void> | undefined;

  function mustBeOpen(): void {
    if (closing) throw new StorageFailure('closed', 'The session store is closed.');
  }

  function deleteSome(bodiesBefore: number, sessionsBefore: number, limit: number): Promise<number> {
    return writes.submit({ kind: 'delete_expired', bodiesBefore, sessionsBefore, limit }, (outcome) => {
      const deleted = outcome.kind === 'deleted' ? outcome.sessions : [];
      for (const id of deleted) cache.delete(id);
      return deleted.length;
    });
  }

  async function deleteFromLedger(write: SessionWrite): Promise<number> {
    const deleted = await writes.submit(write, (outcome) =>
      outcome.kind === 'deleted_quotes' ? outcome.quotes : 0,
    );
    if (deleted > 0) await vacuum(writes);
    return deleted;
  }

  return {
    async open(session, quota) {
      const write = openWrite(session, quota ?? null);
      return writes.submit(write, (outcome) => {
        if (outcome.kind === 'over_quota') return outcome;
        // Before any caller learns of the change.
        cache.set(session.id, { session, usedKeyIds: new Set() });
        return { kind: 'opened' };
      });
    },

    async find(id) {
      mustBeOpen();
      return (cache.get(id) ?? readIntoCache(id))?.session;
    },

    async commit(change) {
      const write = commitWrite(change);
      const { session } = change;
      const { id, usedKey } = write;
      const usedKeyIds = cache.get(id)?.usedKeyIds;
      return writes.submit(write, ({ kind }) => {
        if (kind === 'conflict') {
          // The cache may be behind after a writing thread died between a commit and its confirmation.
          cache.delete(id);
          return { kind: 'conflict' };
        }
        if (write.revision !== write.expectedRevision) claims.release(id, write.expectedRevision);
        if (usedKey) usedKeyIds?.add(usedKey.id);
        cache.set(session.id, { session, usedKeyIds });
        return { kind: 'committed' };
      });
    },

    async claim(id, revision, forMs) {
      mustBeOpen();
      const known = cache.get(id) ?? readIntoCache(id);
      if (known?.session.revision !== revision) return { kind: 'conflict' };
      return { kind: claims.take(id, revision, forMs) ? 'claimed' : 'taken' };
    },

    release: claims.release,

    async result(id) {
      mustBeOpen();
      return reads.result(id);
    },

    async usedKey(session, id) {
      mustBeOpen();
      const known = cache.get(session);
      // Most keys are new. Once all keys of the session are cached, that needs no read.
      if (known) known.usedKeyIds ??= reads.usedKeyIds(session);
      return known?.usedKeyIds?.has(id) === false ? undefined : reads.usedKey(session, id);
    },

    async countUsedKeys(session) {
      mustBeOpen();
      const known = cache.get(session);
      if (!known) return reads.usedKeyIds(session).size;
      known.usedKeyIds ??= reads.usedKeyIds(session);
      return known.usedKeyIds.size;
    },

    async deleteExpired({ bodiesBefore, sessionsBefore, limit }) {
      let total = 0;
      while (total < limit) {
        const asked = Math.min(MAX_SESSIONS_PER_DELETION, limit - total);
        const deleted = await deleteSome(bodiesBefore, sessionsBefore, asked);
        total += deleted;
        if (deleted < asked) break;
      }
      if (total > 0) await vacuum(writes);
      return total;
    },

    async issuedQuotes({ since, limit }) {
      mustBeOpen();
      return reads.quotes(since, limit);
    },

    async findQuotes(question, limit) {
      mustBeOpen();
      return reads.foundQuotes(question, limit);
    },

    deleteQuotes: ({ now, keptMs, limit }) =>
      deleteFromLedger({ kind: 'delete_quotes', before: Math.floor(now - keptMs), limit }),

    deleteSurplus: (surplus) => deleteFromLedger({ kind: 'delete_surplus', ...surplus }),

    close() {
      if (!closing) {
        // Close this one first: the last connection checkpoints the log, and this one cannot write.
        closeReads();
        closing = writes.close();
      }
      return closing;
    },
  };

  function readIntoCache(id: SessionId): CachedSession | undefined {
    const stored = reads.session(id);
    if (stored === undefined) return undefined;
    const session: Session = JSON.parse(stored);
    const read: CachedSession = { session, usedKeyIds: undefined };
    cache.set(id, read);
    return read;
  }
}

function openWrite(session: Session, quota: StorageQuota | null): OpenWrite {
  return {
    kind: 'open',
    id: session.id,
    assistant: session.assistant,
    openedAt: session.openedAt,
    quota,
    revision: session.revision,
    expiresAt: session.expiresAt,
    state: JSON.stringify(session),
  };
}

function commitWrite({ session, expectedRevision, usedKey, result, quotes }: SessionChange): CommitWrite {
  return {
    kind: 'commit',
    id: session.id,
    expectedRevision,
    expectedNotes: session.notes === undefined ? null : session.notes - 1,
    revision: session.revision,
    state: JSON.stringify(session),
    usedKey: usedKey && { id: usedKey.id, fingerprint: usedKey.fingerprint },
    result: result && copyOf(result),
    quotes: quotes.length === 0 ? null : JSON.stringify(quotes),
  };
}

/** Its memory moves to the writing thread, and the caller's may be a view of a larger buffer. */
function copyOf(bytes: Uint8Array): OwnedBytes {
  return new Uint8Array(bytes);
}

/** `read` runs each query and throws its faults as `StorageFailure`. */
export function createSessionReads(database: DatabaseSync, read: <T>(work: () => T) => T) {
  const session = database.prepare('SELECT state FROM session WHERE id = ?');
  const result = database.prepare(
    'SELECT body FROM result WHERE session = (SELECT number FROM session WHERE id = ?)',
  );
  const usedKeyIds = database.prepare(
    'SELECT id FROM used_key WHERE session = (SELECT number FROM session WHERE id = ?)',
  );
  const usedKey = database.prepare(
    'SELECT fingerprint, revision FROM used_key WHERE session = (SELECT number FROM session WHERE id = ?) AND id = ?',
  );
  const quotes = database.prepare(
    `${selectQuotes(database)} WHERE retrieved_at >= ? ORDER BY retrieved_at, number LIMIT ?`,
  );
  const found = foundQuotesIn(database);

  return {
    /** As JSON. */
    session(id: SessionId): string | undefined {
      return read(() => {
        const row = session.get(id);
        return row && textIn(row, 'state');
      });
    },
    result(id: SessionId): Uint8Array | undefined {
      return read(() => {
        const row = result.get(id);
        return row && bytesIn(row, 'body');
      });
    },
    usedKeyIds(session: SessionId): Set<UsedKeyId> {
      return read(() => new Set(usedKeyIds.all(session).map((row) => textIn(row, 'id'))));
    },
    usedKey(session: SessionId, id: UsedKeyId): UsedKey | undefined {
      return read(() => {
        const row = usedKey.get(session, id);
        return row && { fingerprint: textIn(row, 'fingerprint'), revision: numberIn(row, 'revision') };
      });
    },
    quotes(since: number, limit: number): readonly IssuedQuote[] {
      return read(() => quotes.all(since, limit).map(quoteIn));
    },
    foundQuotes(question: QuoteQuestion, limit: number): readonly IssuedQuote[] {
      return read(() => found(question, limit));
    },
  };
}

type SessionReads = ReturnType<typeof createSessionReads>;
