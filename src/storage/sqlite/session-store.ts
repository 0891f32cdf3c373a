import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import type { Session } from '../../sessions/session.ts';
import type { Opening, SessionChange, SessionStore } from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { Arena } from './arena.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SessionCache } from './session-cache.ts';
import type { SessionReads } from './session-reads.ts';
import type { CommitWrite, OpenWrite, SessionWrite } from './session-writes.ts';

/** Cleaning up takes turns with the commits: so many sessions, then whoever waits. */
const SESSIONS_FORGOTTEN_AT_ONCE = 16;

export function createSqliteSessionStore({
  reads,
  writes,
  cache,
  closeReads,
}: {
  readonly reads: SessionReads;
  readonly writes: GroupCommit<SessionWrite>;
  readonly cache: SessionCache;
  readonly closeReads: () => void;
}): SessionStore & QuoteLedger {
  let closing: Promise<void> | undefined;

  function mustBeOpen(): void {
    if (closing) throw new StorageFailure('closed', 'The session store is closed.');
  }

  function forgetSome(endedBefore: number, forgottenBefore: number, limit: number): Promise<number> {
    return writes.submit(
      () => ({ op: 'forget', endedBefore, forgottenBefore, limit }),
      (outcome) => {
        const forgotten = typeof outcome === 'object' ? outcome.forgotten : [];
        for (const id of forgotten) cache.forget(id);
        return forgotten.length;
      },
    );
  }

  return {
    async open(session, opening) {
      if (opening && opening.session !== session.id) {
        throw new StorageFailure('refused', 'The opening names another session.');
      }
      const { id } = session;
      const state = JSON.stringify(session);
      await writes.submit(
        (arena) => openWrite(session, state, opening, arena),
        () => cache.remember(id, state, new Set()),
      );
    },

    async find(id) {
      mustBeOpen();
      const cached = cache.session(id);
      if (cached) return cached;
      const stored = reads.state(id);
      if (stored === undefined) return undefined;
      cache.remember(id, stored, undefined);
      const session: Session = JSON.parse(stored);
      return session;
    },

    async commit(change) {
      const { id } = change.session;
      const state = JSON.stringify(change.session);
      const key = change.answer?.key;
      const result = change.result && new Uint8Array(change.result);
      return writes.submit(
        (arena) => commitWrite(change, state, arena),
        (outcome) => {
          if (outcome === 'conflict') {
            // Should a thread that died in the middle have left the cache behind, the next read finds the truth.
            cache.forget(id);
            return 'conflict';
          }
          cache.rememberChange(id, state, key);
          if (result) cache.rememberResult(id, result);
          return 'committed';
        },
      );
    },

    async result(id) {
      mustBeOpen();
      const cached = cache.result(id);
      if (cached) return new Uint8Array(cached);
      const stored = reads.result(id);
      if (stored) cache.rememberResult(id, new Uint8Array(stored));
      return stored;
    },

    async answer(id, key) {
      mustBeOpen();
      let keys = cache.answerKeys(id);
      if (!keys && cache.session(id) !== undefined) {
        const stored = reads.answerKeys(id);
        cache.rememberKeys(id, stored);
        keys = stored;
      }
      return keys && !keys.has(key) ? undefined : reads.answer(id, key);
    },

    async opening(id) {
      mustBeOpen();
      return reads.opening(id);
    },

    async forgetExpired(endedBefore, forgottenBefore, limit) {
      let touched = 0;
      while (touched < limit) {
        const asked = Math.min(SESSIONS_FORGOTTEN_AT_ONCE, limit - touched);
        const forgotten = await forgetSome(endedBefore, forgottenBefore, asked);
        touched += forgotten;
        if (forgotten < asked) break;
      }
      return touched;
    },

    async issuedQuotes({ since, limit }) {
      mustBeOpen();
      return reads.quotes(since, limit);
    },

    close() {
      if (!closing) {
        // First, because the last connection to close folds the log into the database, and this one cannot write.
        closeReads();
        closing = writes.close();
      }
      return closing;
    },
  };
}

function openWrite(session: Session, state: string, opening: Opening | null, arena: Arena): OpenWrite {
  return {
    op: 'open',
    id: session.id,
    revision: session.revision,
    expiresAt: session.expiresAt,
    state,
    opening: opening && {
      id: opening.id,
      fingerprint: opening.fingerprint,
      body: arena.append(opening.body),
      sealedToken: arena.append(opening.sealedToken),
    },
  };
}

function commitWrite(change: SessionChange, state: string, arena: Arena): CommitWrite {
  const { session, expectedRevision, answer, result, quotes } = change;
  const body = answer && arena.append(answer.body);
  // The answer that completes a search is its result: the same bytes travel and are stored once.
  const isAnswer = answer !== null && result !== null && Buffer.compare(answer.body, result) === 0;
  return {
    op: 'commit',
    id: session.id,
    expectedRevision,
    revision: session.revision,
    expiresAt: session.expiresAt,
    state,
    answer: answer && body && { key: answer.key, fingerprint: answer.fingerprint, body },
    result: isAnswer ? 'the answer' : result && arena.append(result),
    quotes: [...quotes],
  };
}
