import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import {
  isOverQuota,
  SESSION_BYTES,
  type StorageQuota,
  USED_KEY_BYTES,
} from '../../sessions/assistant-limits.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import type { CommitOutcome, OpenOutcome } from '../../sessions/session-store.ts';
import { numberIn, pragmaNumber, textIn } from './database.ts';
import { createLedgerTables } from './quote-ledger.ts';

export type SessionTables = ReturnType<typeof createSessionTables>;

type SessionRow = { readonly id: string; readonly revision: number; readonly state: string };

export type OpenedRow = SessionRow & {
  readonly assistant: string;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly quota: StorageQuota | null;
};

export type CommittedRow = SessionRow & {
  readonly expectedRevision: number;
  /** Null when the change is a new state. */
  readonly expectedNotes: number | null;
  readonly usedKey: { readonly id: string; readonly fingerprint: string } | null;
  readonly result: OwnedBytes | null;
  /** Issued quotes as JSON, or null for none: a text crosses threads in half the time of twenty objects. */
  readonly quotes: string | null;
};

/** Sums of `bytes` by assistant, in memory, over sessions whose bodies were not deleted. Triggers keep them true, also in a rollback. */
const USAGE = `
  PRAGMA temp_store = MEMORY;
  CREATE TEMP TABLE usage (assistant TEXT PRIMARY KEY, sessions INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO usage SELECT assistant, count(*), sum(bytes) FROM session WHERE emptied = 0 GROUP BY assistant;
  CREATE TEMP TRIGGER session_opened AFTER INSERT ON main.session BEGIN
    INSERT INTO usage VALUES (NEW.assistant, 1, NEW.bytes)
      ON CONFLICT DO UPDATE SET sessions = sessions + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TEMP TRIGGER session_changed AFTER UPDATE OF bytes, emptied ON main.session
    WHEN OLD.bytes <> NEW.bytes OR OLD.emptied <> NEW.emptied BEGIN
    INSERT INTO usage VALUES (NEW.assistant, 0, 0) ON CONFLICT DO NOTHING;
    UPDATE usage SET sessions = sessions + OLD.emptied - NEW.emptied,
      bytes = bytes - OLD.bytes * (1 - OLD.emptied) + NEW.bytes * (1 - NEW.emptied) WHERE assistant = NEW.assistant;
  END;
  CREATE TEMP TRIGGER session_deleted AFTER DELETE ON main.session WHEN OLD.emptied = 0 BEGIN
    UPDATE usage SET sessions = sessions - 1, bytes = bytes - OLD.bytes WHERE assistant = OLD.assistant;
  END;
`;

/** Shared: a structured clone of many outcomes then contains each once. */
const OPENED: OpenOutcome = { kind: 'opened' };
const COMMITTED: CommitOutcome = { kind: 'committed' };
const CONFLICT: CommitOutcome = { kind: 'conflict' };

const UNKNOWN = { sessions: 0, bytes: 0, until: 0, revision: 0, notes: 0 };

/** The changes of `sessions.sqlite`. */
export function createSessionTables(database: DatabaseSync) {
  database.exec(USAGE);
  const ledger = createLedgerTables(database);
  const usageOf = database.prepare('SELECT sessions, bytes FROM usage WHERE assistant = ?');
  const totalUsage = database.prepare('SELECT total(bytes) AS bytes FROM usage');
  const endedOf = database.prepare(
    'SELECT count(*) AS sessions, total(bytes) AS bytes FROM session WHERE assistant = ? AND emptied = 0 AND expires_at <= ?',
  );
  const ended = database.prepare(
    'SELECT total(bytes) AS bytes FROM session WHERE emptied = 0 AND expires_at <= ?',
  );
  const firstEnd = database.prepare(
    'SELECT min(expires_at) AS until FROM session WHERE assistant = ? AND emptied = 0 AND expires_at > ?',
  );
  const insertSession = database.prepare(
    'INSERT INTO session (id, revision, expires_at, state, assistant, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const current = database.prepare(
    'SELECT number, revision, emptied, bytes, result_bytes FROM session WHERE id = ?',
  );
  const currentNotes = database.prepare(
    "SELECT coalesce(state ->> '$.notes', 0) AS notes FROM session WHERE number = ?",
  );
  const update = database.prepare(
    'UPDATE session SET revision = ?, state = ?, bytes = ?, result_bytes = ? WHERE number = ?',
  );
  // Separate: an update that names an indexed column rewrites its index even when the value is the same.
  const markFilled = database.prepare('UPDATE session SET emptied = 0 WHERE number = ?');
  const insertKey = database.prepare(
    'INSERT OR REPLACE INTO used_key (session, id, fingerprint, revision) VALUES (?, ?, ?, ?)',
  );
  const upsertResult = database.prepare('INSERT OR REPLACE INTO result (session, body) VALUES (?, ?)');
  const oldSessions = database.prepare(
    'SELECT number, id FROM session WHERE expires_at < ? ORDER BY expires_at, number LIMIT ?',
  );
  const sessionsWithBodies = database.prepare(
    'SELECT number, id FROM session WHERE emptied = 0 AND expires_at < ? ORDER BY expires_at, number LIMIT ?',
  );
  // Rows cascade with their session.
  const deleteSession = [database.prepare('DELETE FROM session WHERE number = ?')];
  const deleteBodies = [
    'DELETE FROM used_key WHERE session = ?',
    'DELETE FROM result WHERE session = ?',
    `UPDATE session SET emptied = 1, bytes = ${SESSION_BYTES}, result_bytes = 0 WHERE number = ?`,
  ].map((sql) => database.prepare(sql));
  const addNonce = database.prepare(
    'INSERT OR IGNORE INTO used_nonce (ends_at, name, signer) VALUES (?, ?, ?)',
  );
  const removeEndedNonces = database.prepare(
    'DELETE FROM used_nonce WHERE (ends_at, name) IN (SELECT ends_at, name FROM used_nonce WHERE ends_at <= ? ORDER BY ends_at LIMIT 2)',
  );

  /** The sums include sessions that have ended since the last deletion; these are looked up and subtracted only when it matters. */
  function isOverQuotaAt(now: number, assistant: string, quota: StorageQuota): boolean {
    const usage = usageIn(usageOf.get(assistant) ?? UNKNOWN);
    const total = numberIn(totalUsage.get() ?? UNKNOWN, 'bytes');
    if (!isOverQuota(usage, total, quota)) return false;
    const gone = usageIn(endedOf.get(assistant, now) ?? UNKNOWN);
    const live = { sessions: usage.sessions - gone.sessions, bytes: usage.bytes - gone.bytes };
    return isOverQuota(live, total - numberIn(ended.get(now) ?? UNKNOWN, 'bytes'), quota);
  }

  function deleteFrom(
    sessions: StatementSync,
    before: number,
    limit: number,
    statements: readonly StatementSync[],
  ) {
    return sessions.all(before, limit).map((row) => {
      for (const statement of statements) statement.run(numberIn(row, 'number'));
      return textIn(row, 'id');
    });
  }

  return {
    ...ledger.operations,

    open({ id, assistant, revision, openedAt, expiresAt, state, quota }: OpenedRow): OpenOutcome {
      if (quota && isOverQuotaAt(openedAt, assistant, quota)) {
        return { kind: 'over_quota', until: Number(firstEnd.get(assistant, openedAt)?.until ?? 0) };
      }
      insertSession.run(id, revision, expiresAt, state, assistant, SESSION_BYTES);
      return OPENED;
    },

    commit(change: CommittedRow): CommitOutcome {
      const { id, revision, state, expectedNotes, usedKey, result } = change;
      const row = current.get(id);
      if (!row || numberIn(row, 'revision') !== change.expectedRevision) return CONFLICT;
      const number = numberIn(row, 'number');
      if (
        expectedNotes !== null &&
        numberIn(currentNotes.get(number) ?? UNKNOWN, 'notes') !== expectedNotes
      ) {
        return CONFLICT;
      }
      if (numberIn(row, 'emptied') !== 0) markFilled.run(number);
      const resultBytes = numberIn(row, 'result_bytes');
      const newResultBytes = result?.length ?? resultBytes;
      const quotes: readonly IssuedQuote[] = change.quotes === null ? [] : JSON.parse(change.quotes);
      const added = newResultBytes - resultBytes + (usedKey ? USED_KEY_BYTES : 0) + ledger.append(quotes);
      update.run(revision, state, numberIn(row, 'bytes') + added, newResultBytes, number);
      if (usedKey) insertKey.run(number, usedKey.id, usedKey.fingerprint, revision);
      if (result) upsertResult.run(number, result);
      return COMMITTED;
    },

    /** Returns the ids of sessions that were deleted, or lost their bodies. */
    deleteExpired(bodiesBefore: number, sessionsBefore: number, limit: number): readonly string[] {
      const deleted = deleteFrom(oldSessions, sessionsBefore, limit, deleteSession);
      const emptied = deleteFrom(sessionsWithBodies, bodiesBefore, limit - deleted.length, deleteBodies);
      return [...deleted, ...emptied];
    },

    /** Deletes more ended nonces than it adds, so that the table never has many of them. */
    useNonce(signer: string, name: string, usedAt: number, endsAt: number): void {
      removeEndedNonces.run(usedAt);
      addNonce.run(endsAt, name, signer);
    },

    /** Changes nothing, but waits for the disk like any other change: rewrites the first page. */
    probe(): void {
      database.exec(`PRAGMA user_version = ${pragmaNumber(database, 'user_version')}`);
    },
  };
}

function usageIn(row: Parameters<typeof numberIn>[0]) {
  return { sessions: numberIn(row, 'sessions'), bytes: numberIn(row, 'bytes') };
}
