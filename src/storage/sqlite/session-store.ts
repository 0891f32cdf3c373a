import { LRUCache } from 'lru-cache';
import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import type { Session, SessionId } from '../../sessions/session.ts';
import type { Opening, SessionChange, SessionStore } from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SessionReads } from './session-reads.ts';
import type { CommitWrite, OpenWrite, ResultWrite, SessionWrite } from './session-writes.ts';
import type { OwnedBytes } from './writer.ts';

/** Deleting alternates with commits: after this many sessions the commits that wait go first. */
const MAX_SESSIONS_PER_DELETION = 16;

type CachedSession = {
  readonly state: string;
  /** Parsed from `state` by the first read, then shared: sessions are never changed in place. */
  session: Session | undefined;
  /** All keys under which the session has answers; undefined until they are read. */
  answerKeys: Set<string> | undefined;
};

export function createSqliteSessionStore({
  reads,
  writes,
  maxCachedSessions,
  closeReads,
}: {
  readonly reads: SessionReads;
  readonly writes: GroupCommit<SessionWrite>;
  readonly maxCachedSessions: number;
  readonly closeReads: () => void;
}): SessionStore & QuoteLedger {
  /** Recent sessions, so that a step rarely reads the database. Holds only what is on disk. */
  const cache = new LRUCache<SessionId, CachedSession>({ max: maxCachedSessions });
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

  return {
    async open(session, opening) {
      if (opening && opening.session !== session.id) {
        throw new StorageFailure('refused', 'The opening names another session.');
      }
      const write = openWrite(session, opening);
      const { id, state } = write;
      await writes.submit(write, () => {
        cache.set(id, { state, session: undefined, answerKeys: new Set() });
      });
    },

    async find(id) {
      mustBeOpen();
      const cached = cache.get(id) ?? readIntoCache(id);
      if (!cached) return undefined;
      cached.session ??= JSON.parse(cached.state);
      return cached.session;
    },

    async commit(change) {
      const write = commitWrite(change);
      const { id, state, answer } = write;
      return writes.submit(write, ({ kind }) => {
        if (kind === 'conflict') {
          // The cache is behind if a writing thread died after a commit that it did not confirm.
          cache.delete(id);
          return { kind: 'conflict' };
        }
        const answerKeys = cache.get(id)?.answerKeys;
        if (answer) answerKeys?.add(answer.key);
        cache.set(id, { state, session: undefined, answerKeys });
        return { kind: 'committed' };
      });
    },

    async result(id) {
      mustBeOpen();
      return reads.result(id);
    },

    async answer(id, key) {
      mustBeOpen();
      const cached = cache.get(id);
      // Most keys are new: that is known without a read once all keys of the session are.
      if (cached) cached.answerKeys ??= reads.answerKeys(id);
      return cached?.answerKeys?.has(key) === false ? undefined : reads.answer(id, key);
    },

    async opening(id) {
      mustBeOpen();
      return reads.opening(id);
    },

    async deleteExpired({ bodiesBefore, sessionsBefore, limit }) {
      let total = 0;
      while (total < limit) {
        const asked = Math.min(MAX_SESSIONS_PER_DELETION, limit - total);
        const deleted = await deleteSome(bodiesBefore, sessionsBefore, asked);
        total += deleted;
        if (deleted < asked) break;
      }
      return total;
    },

    async issuedQuotes({ since, limit }) {
      mustBeOpen();
      return reads.quotes(since, limit);
    },

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
    const state = reads.state(id);
    if (state === undefined) return undefined;
    const read: CachedSession = { state, session: undefined, answerKeys: undefined };
    cache.set(id, read);
    return read;
  }
}

function openWrite(session: Session, opening: Opening | null): OpenWrite {
  return {
    kind: 'open',
    id: session.id,
    revision: session.revision,
    expiresAt: session.expiresAt,
    state: JSON.stringify(session),
    opening: opening && {
      id: opening.id,
      fingerprint: opening.fingerprint,
      body: copyOf(opening.body),
      sealedToken: copyOf(opening.sealedToken),
    },
  };
}

function commitWrite({ session, expectedRevision, answer, result, quotes }: SessionChange): CommitWrite {
  return {
    kind: 'commit',
    id: session.id,
    expectedRevision,
    revision: session.revision,
    expiresAt: session.expiresAt,
    state: JSON.stringify(session),
    answer: answer && { key: answer.key, fingerprint: answer.fingerprint, body: copyOf(answer.body) },
    result: result && resultWrite(result, answer?.body),
    quotes: [...quotes],
  };
}

function resultWrite(result: Uint8Array, answer: Uint8Array | undefined): ResultWrite {
  const isAnswer = answer !== undefined && Buffer.compare(answer, result) === 0;
  return isAnswer ? { kind: 'same_as_answer' } : { kind: 'bytes', body: copyOf(result) };
}

/** Its memory goes to the writing thread, and the caller's may be a view of a larger buffer. */
function copyOf(bytes: Uint8Array): OwnedBytes {
  return new Uint8Array(bytes);
}
