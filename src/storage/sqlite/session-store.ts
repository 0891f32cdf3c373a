import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../clock.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import type { StorageQuota } from '../../sessions/assistant-limits.ts';
import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import type { Session, SessionId } from '../../sessions/session.ts';
import {
  laterTally,
  NOTHING_COUNTED,
  type SessionTally,
  withoutTally,
  withTally,
} from '../../sessions/session.ts';
import type { SessionChange, SessionStore, UsedKeyId } from '../../sessions/session-store.ts';
import { createSessionClaims, NO_VERSIONS, type SessionVersions } from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SessionReads } from './session-reads.ts';
import type { CommitWrite, OpenWrite, SessionWrite } from './session-writes.ts';
import { giveBackSpace } from './vacuum.ts';

/** Deleting alternates with commits: after this many sessions the commits that wait go first. */
const MAX_SESSIONS_PER_DELETION = 16;
/** And as many tallies. */
const MAX_TALLIES_PER_WRITE = 128;

type CachedSession = {
  /** Shared with whoever wrote it and all who read it: sessions are never changed in place. */
  readonly session: Session;
  /** Of all keys that the session has used; undefined until they are read. */
  usedKeyIds: Set<UsedKeyId> | undefined;
  /** Of the session when this was its latest state. */
  readonly mark: number;
};

export type SqliteSessionStore = SessionStore &
  QuoteLedger & {
    /** Another thread has deleted them. */
    forget(ids: readonly SessionId[]): void;
  };

export function createSqliteSessionStore({
  reads,
  writes,
  maxCachedSessions,
  closeReads,
  onDeleted = () => {},
  marks = NO_VERSIONS,
  clock = systemClock,
}: {
  readonly reads: SessionReads;
  readonly writes: GroupCommit<SessionWrite>;
  readonly maxCachedSessions: number;
  readonly closeReads: () => void;
  readonly onDeleted?: ((ids: readonly SessionId[]) => void) | undefined;
  /** Where other threads change sessions too. */
  readonly marks?: SessionVersions;
  readonly clock?: Pick<Clock, 'elapsed'>;
}): SqliteSessionStore {
  /** Recent sessions, so that a step rarely reads the database. Holds only what is on disk. */
  const cache = new LRUCache<SessionId, CachedSession>({ max: maxCachedSessions });
  /** Only of this thread: the requests of a session are served by one. */
  const claims = createSessionClaims(clock);
  let closing: Promise<void> | undefined;

  function mustBeOpen(): void {
    if (closing) throw new StorageFailure('closed', 'The session store is closed.');
  }

  function cached(id: SessionId): CachedSession | undefined {
    const known = cache.get(id);
    return known?.mark === marks.of(id) ? known : undefined;
  }

  /** Before anybody is told of the change: from then on no thread may read an older state. */
  function remember(session: Session, usedKeyIds: CachedSession['usedKeyIds'], earlier: number): void {
    const mark = marks.change(session.id, earlier);
    if (mark === undefined) return void cache.delete(session.id);
    // It may have been noted since the session was read that this one was made of.
    const tally = laterTally(session.tally, cache.peek(session.id)?.session.tally);
    cache.set(session.id, { session: withTally(session, tally), usedKeyIds, mark });
  }

  function forget(ids: readonly SessionId[]): void {
    for (const id of ids) cache.delete(id);
  }

  /** Marks stay as they are: what was counted of a session matters in the thread where it lives, which is the one that notes it. */
  function rememberTally(id: SessionId, tally: SessionTally): void {
    const known = cached(id);
    if (known) cache.set(id, { ...known, session: withTally(known.session, tally) });
  }

  function deleteSome(bodiesBefore: number, sessionsBefore: number, limit: number): Promise<number> {
    return writes.submit({ kind: 'delete_expired', bodiesBefore, sessionsBefore, limit }, (outcome) => {
      const deleted = outcome.kind === 'deleted' ? outcome.sessions : [];
      forget(deleted);
      if (deleted.length > 0) onDeleted(deleted);
      return deleted.length;
    });
  }

  async function deleteFromLedger(write: SessionWrite): Promise<number> {
    const deleted = await writes.submit(write, (outcome) =>
      outcome.kind === 'deleted_quotes' ? outcome.quotes : 0,
    );
    if (deleted > 0) await giveBackSpace(writes);
    return deleted;
  }

  return {
    async open(session, quota) {
      const write = openWrite(session, quota ?? null);
      const earlier = marks.of(session.id);
      return writes.submit(write, (outcome) => {
        if (outcome.kind === 'over_quota') return outcome;
        remember(session, new Set(), earlier);
        return { kind: 'opened' };
      });
    },

    async find(id) {
      mustBeOpen();
      return (cached(id) ?? readIntoCache(id))?.session;
    },

    async commit(change) {
      const write = commitWrite(change);
      const { session } = change;
      const { id, usedKey } = write;
      const earlier = marks.of(id);
      const usedKeyIds = cached(id)?.usedKeyIds;
      try {
        return await writes.submit(write, ({ kind }) => {
          if (kind === 'conflict') {
            // The cache is behind if a writing thread died after a commit that it did not confirm.
            cache.delete(id);
            return { kind: 'conflict' };
          }
          if (write.revision !== write.expectedRevision) claims.release(id, write.expectedRevision);
          if (usedKey) usedKeyIds?.add(usedKey.id);
          remember(session, usedKeyIds, earlier);
          return { kind: 'committed' };
        });
      } catch (failure) {
        // It may be stored all the same, and then no thread may go on with what it remembers.
        marks.change(id, earlier);
        throw failure;
      }
    },

    async claim(id, revision, forMs) {
      mustBeOpen();
      const known = cached(id) ?? readIntoCache(id);
      if (known?.session.revision !== revision) return { kind: 'conflict' };
      return { kind: claims.take(id, revision, forMs) ? 'claimed' : 'taken' };
    },

    release: claims.release,

    async noteTallies(tallies) {
      mustBeOpen();
      const known = new Map(Array.from(tallies.keys(), (id) => [id, cached(id) ?? readIntoCache(id)]));
      const noted = [...tallies].filter(([id]) => known.get(id));
      for (let from = 0; from < noted.length; from += MAX_TALLIES_PER_WRITE) {
        const some = noted.slice(from, from + MAX_TALLIES_PER_WRITE);
        const texts = some.map(([id, tally]) => [id, JSON.stringify(tally)] as const);
        await writes.submit({ kind: 'note_tallies', tallies: texts }, () => {
          for (const [id, tally] of some) rememberTally(id, tally);
        });
      }
      // A session is counted in the thread where it lives alone.
      return new Map(
        noted.map(([id, { counted }]) => {
          const replaced = known.get(id)?.session.tally ?? NOTHING_COUNTED;
          return [id, { replaced, own: counted }];
        }),
      );
    },

    async result(id) {
      mustBeOpen();
      return reads.result(id);
    },

    async usedKey(session, id) {
      mustBeOpen();
      const known = cached(session);
      // Most keys are new: that is known without a read once all keys of the session are.
      if (known) known.usedKeyIds ??= reads.usedKeyIds(session);
      return known?.usedKeyIds?.has(id) === false ? undefined : reads.usedKey(session, id);
    },

    async countUsedKeys(session) {
      mustBeOpen();
      const known = cached(session);
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
      if (total > 0) await giveBackSpace(writes);
      return total;
    },

    forget,

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
        // First: the last connection to close checkpoints the log, and this one cannot write.
        closeReads();
        closing = writes.close();
      }
      return closing;
    },
  };

  function readIntoCache(id: SessionId): CachedSession | undefined {
    const mark = marks.of(id);
    const stored = reads.session(id);
    if (stored === undefined) return undefined;
    const session: Session = JSON.parse(stored.state);
    const tally: SessionTally | undefined = stored.tally === null ? undefined : JSON.parse(stored.tally);
    const read: CachedSession = { session: withTally(session, tally), usedKeyIds: undefined, mark };
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
    state: JSON.stringify(withoutTally(session)),
  };
}

function commitWrite({ session, expectedRevision, usedKey, result, quotes }: SessionChange): CommitWrite {
  return {
    kind: 'commit',
    id: session.id,
    expectedRevision,
    expectedNotes: session.notes === undefined ? null : session.notes - 1,
    revision: session.revision,
    state: JSON.stringify(withoutTally(session)),
    usedKey: usedKey && { id: usedKey.id, fingerprint: usedKey.fingerprint },
    result: result && copyOf(result),
    quotes: quotes.length === 0 ? null : JSON.stringify(quotes),
  };
}

/** Its memory goes to the writing thread, and the caller's may be a view of a larger buffer. */
function copyOf(bytes: Uint8Array): OwnedBytes {
  return new Uint8Array(bytes);
}
