import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import {
  type AssistantUsage,
  isOverQuota,
  SESSION_BYTES,
  type StorageQuota,
  USED_KEY_BYTES,
} from '../../sessions/assistant-limits.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { numberIn, pragmaNumber, textIn } from './database.ts';
import { createVacuumStep, type VacuumWrite } from './group-commit.ts';
import {
  appendingIn,
  type DeleteQuotesWrite,
  type DeleteSurplusWrite,
  deletingQuotesIn,
  deletingSurplusIn,
  type PolicyNumbers,
} from './quote-ledger.ts';
import type { AppliedWrite, AppliedWrites, ApplyWrite } from './writer.ts';

export type SessionWrite =
  | OpenWrite
  | CommitWrite
  | DeleteExpiredWrite
  | DeleteQuotesWrite
  | DeleteSurplusWrite
  | UseNonceWrite
  | VacuumWrite
  | ProbeWrite;

/** Changes nothing, but waits for the disk like any other write. */
type ProbeWrite = { readonly kind: 'probe' };

type SessionRow = {
  readonly id: string;
  readonly revision: number;
  readonly state: string;
};

export type OpenWrite = SessionRow & {
  readonly kind: 'open';
  readonly assistant: string;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly quota: StorageQuota | null;
};

export type CommitWrite = SessionRow & {
  readonly kind: 'commit';
  readonly expectedRevision: number;
  /** Null when the change is a new state. */
  readonly expectedNotes: number | null;
  readonly usedKey: { readonly id: string; readonly fingerprint: string } | null;
  readonly result: OwnedBytes | null;
  /** Issued quotes as JSON, or null for none: a text crosses threads in half the time of twenty objects. */
  readonly quotes: string | null;
};

type DeleteExpiredWrite = {
  readonly kind: 'delete_expired';
  readonly bodiesBefore: number;
  readonly sessionsBefore: number;
  readonly limit: number;
};

type UseNonceWrite = {
  readonly kind: 'use_nonce';
  readonly signer: string;
  readonly name: string;
  readonly usedAt: number;
  readonly endsAt: number;
};

export function bodiesOfSessionWrite(write: SessionWrite): OwnedBytes[] {
  return write.kind === 'commit' && write.result ? [write.result] : [];
}

/** One shared object: a structured clone of many outcomes then contains it only once. */
const WRITTEN: AppliedWrite = { kind: 'written' };
const CONFLICT: AppliedWrite = { kind: 'conflict' };

export function createSessionWrites(database: DatabaseSync): AppliedWrites<SessionWrite> {
  const storedBytes = storedBytesIn(database);
  const open = openingIn(database, storedBytes);
  const policies: PolicyNumbers = new Map();
  const commit = committingIn(database, storedBytes, policies);
  const deleteExpired = deletingIn(database, storedBytes);
  const deleteQuotes = deletingQuotesIn(database);
  const deleteSurplus = deletingSurplusIn(database);
  const useNonce = usingNoncesIn(database);
  const vacuum = createVacuumStep(database);
  const apply: ApplyWrite<SessionWrite> = (write) => {
    switch (write.kind) {
      case 'open':
        return open(write);
      case 'commit':
        return commit(write);
      case 'delete_expired':
        return deleteExpired(write);
      case 'delete_quotes':
        policies.clear();
        return deleteQuotes(write);
      case 'delete_surplus':
        policies.clear();
        return deleteSurplus(write);
      case 'use_nonce':
        return useNonce(write);
      case 'vacuum':
        return vacuum();
      case 'probe':
        // Rewrites the first page unchanged.
        database.exec(`PRAGMA user_version = ${pragmaNumber(database, 'user_version')}`);
        return WRITTEN;
    }
  };
  const transactionEnded = (isCommitted: boolean) => {
    if (!isCommitted) policies.clear();
    storedBytes.transactionEnded(isCommitted);
  };
  return { apply, transactionEnded };
}

function openingIn(database: DatabaseSync, storedBytes: StoredBytes) {
  const insertSession = database.prepare(
    'INSERT INTO session (id, revision, expires_at, state, assistant, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const firstEnd = database.prepare(
    'SELECT min(expires_at) AS until FROM session WHERE assistant = ? AND emptied = 0 AND expires_at > ?',
  );
  const endedOf = database.prepare(
    'SELECT count(*) AS sessions, total(bytes) AS bytes FROM session WHERE assistant = ? AND emptied = 0 AND expires_at <= ?',
  );
  const ended = database.prepare(
    'SELECT total(bytes) AS bytes FROM session WHERE emptied = 0 AND expires_at <= ?',
  );

  /** The counts include sessions that have ended since the last deletion; they are looked up and subtracted only when it matters. */
  function isOverQuotaAt(now: number, assistant: string, quota: StorageQuota): boolean {
    const counted = storedBytes.by(assistant);
    if (!isOverQuota(counted, storedBytes.total(), quota)) return false;
    const gone = endedOf.get(assistant, now);
    const live = {
      sessions: counted.sessions - Number(gone?.sessions ?? 0),
      bytes: counted.bytes - Number(gone?.bytes ?? 0),
    };
    const isStoreFull = storedBytes.total() >= quota.totalBytes;
    const totalBytes = isStoreFull
      ? storedBytes.total() - Number(ended.get(now)?.bytes ?? 0)
      : storedBytes.total();
    return isOverQuota(live, totalBytes, quota);
  }

  return ({ id, assistant, revision, openedAt, expiresAt, state, quota }: OpenWrite): AppliedWrite => {
    if (quota && isOverQuotaAt(openedAt, assistant, quota)) {
      return { kind: 'over_quota', until: Number(firstEnd.get(assistant, openedAt)?.until ?? 0) };
    }
    insertSession.run(id, revision, expiresAt, state, assistant, SESSION_BYTES);
    storedBytes.change(assistant, 1, SESSION_BYTES);
    return WRITTEN;
  };
}

function committingIn(database: DatabaseSync, storedBytes: StoredBytes, policies: PolicyNumbers) {
  const current = database.prepare(
    'SELECT number, revision, emptied, assistant, bytes, result_bytes FROM session WHERE id = ?',
  );
  const currentNotes = database.prepare("SELECT state ->> '$.notes' AS notes FROM session WHERE id = ?");
  const update = database.prepare(
    'UPDATE session SET revision = ?, state = ?, bytes = ?, result_bytes = ? WHERE number = ?',
  );
  // Separate: an update that names an indexed column rewrites its index even when the value is the same.
  const markFilled = database.prepare('UPDATE session SET emptied = 0 WHERE number = ?');
  const insertKey = database.prepare(
    'INSERT OR REPLACE INTO used_key (session, id, fingerprint, revision) VALUES (?, ?, ?, ?)',
  );
  const upsertResult = database.prepare('INSERT OR REPLACE INTO result (session, body) VALUES (?, ?)');
  const appendQuotes = appendingIn(database, policies);

  return (write: CommitWrite): AppliedWrite => {
    const row = current.get(write.id);
    if (!row || numberIn(row, 'revision') !== write.expectedRevision) return CONFLICT;
    const { expectedNotes } = write;
    if (expectedNotes !== null && Number(currentNotes.get(write.id)?.notes ?? 0) !== expectedNotes) {
      return CONFLICT;
    }
    const number = numberIn(row, 'number');
    if (numberIn(row, 'emptied') !== 0) {
      markFilled.run(number);
      storedBytes.change(textIn(row, 'assistant'), 1, numberIn(row, 'bytes'));
    }
    const resultBytes = numberIn(row, 'result_bytes');
    const newResultBytes = write.result?.length ?? resultBytes;
    const quotes: readonly IssuedQuote[] = write.quotes === null ? [] : JSON.parse(write.quotes);
    const added = newResultBytes - resultBytes + (write.usedKey ? USED_KEY_BYTES : 0) + appendQuotes(quotes);
    update.run(write.revision, write.state, numberIn(row, 'bytes') + added, newResultBytes, number);
    if (added !== 0) storedBytes.change(textIn(row, 'assistant'), 0, added);
    if (write.usedKey) insertKey.run(number, write.usedKey.id, write.usedKey.fingerprint, write.revision);
    if (write.result) upsertResult.run(number, write.result);
    return WRITTEN;
  };
}

function deletingIn(database: DatabaseSync, storedBytes: StoredBytes) {
  const oldSessions = database.prepare(
    'SELECT number, id, emptied, assistant, bytes FROM session WHERE expires_at < ? ORDER BY expires_at, number LIMIT ?',
  );
  const sessionsWithBodies = database.prepare(
    'SELECT number, id, emptied, assistant, bytes FROM session WHERE emptied = 0 AND expires_at < ? ORDER BY expires_at, number LIMIT ?',
  );
  // Rows cascade with their session.
  const deleteSession = [database.prepare('DELETE FROM session WHERE number = ?')];
  const deleteBodies = [
    'DELETE FROM used_key WHERE session = ?',
    'DELETE FROM result WHERE session = ?',
    `UPDATE session SET emptied = 1, bytes = ${SESSION_BYTES}, result_bytes = 0 WHERE number = ?`,
  ].map((sql) => database.prepare(sql));

  function applyToEach(
    sessions: StatementSync,
    before: number,
    limit: number,
    statements: readonly StatementSync[],
  ): string[] {
    return sessions.all(before, limit).map((row) => {
      const number = numberIn(row, 'number');
      if (numberIn(row, 'emptied') === 0) {
        storedBytes.change(textIn(row, 'assistant'), -1, -numberIn(row, 'bytes'));
      }
      for (const statement of statements) statement.run(number);
      return textIn(row, 'id');
    });
  }

  return ({ bodiesBefore, sessionsBefore, limit }: DeleteExpiredWrite): AppliedWrite => {
    const deleted = applyToEach(oldSessions, sessionsBefore, limit, deleteSession);
    const emptied = applyToEach(sessionsWithBodies, bodiesBefore, limit - deleted.length, deleteBodies);
    return { kind: 'deleted', sessions: [...deleted, ...emptied] };
  };
}

/** Each use deletes more ended nonces than it adds, so that the table never has many of them. */
function usingNoncesIn(database: DatabaseSync) {
  const add = database.prepare('INSERT OR IGNORE INTO used_nonce (ends_at, name, signer) VALUES (?, ?, ?)');
  const removeEnded = database.prepare(
    'DELETE FROM used_nonce WHERE (ends_at, name) IN (SELECT ends_at, name FROM used_nonce WHERE ends_at <= ? ORDER BY ends_at LIMIT 2)',
  );
  return ({ signer, name, usedAt, endsAt }: UseNonceWrite): AppliedWrite => {
    removeEnded.run(usedAt);
    add.run(endsAt, name, signer);
    return WRITTEN;
  };
}

/** The stored bytes of each assistant's live sessions, by the `bytes` of their rows. */
type StoredBytes = {
  by(assistant: string): AssistantUsage;
  total(): number;
  change(assistant: string, sessions: number, bytes: number): void;
  /** Confirms or undoes the changes since the last transaction. */
  transactionEnded(isCommitted: boolean): void;
};

/**
 * Counted from the rows when the writer starts, then in memory: a step needs no extra write, and no mistake outlives the process.
 */
function storedBytesIn(database: DatabaseSync): StoredBytes {
  const rows = database
    .prepare(
      'SELECT assistant, count(*) AS sessions, sum(bytes) AS bytes FROM session WHERE emptied = 0 GROUP BY assistant',
    )
    .all();
  const storedBytes = new Map<string, AssistantUsage>(
    rows.map((row) => [
      textIn(row, 'assistant'),
      { sessions: numberIn(row, 'sessions'), bytes: numberIn(row, 'bytes') },
    ]),
  );
  let total = [...storedBytes.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  let changes: { readonly assistant: string; readonly sessions: number; readonly bytes: number }[] = [];

  const by = (assistant: string) => storedBytes.get(assistant) ?? NOTHING;

  function apply(assistant: string, sessions: number, bytes: number): void {
    const before = by(assistant);
    storedBytes.set(assistant, { sessions: before.sessions + sessions, bytes: before.bytes + bytes });
    total += bytes;
  }

  return {
    by,
    total: () => total,
    change(assistant, sessions, bytes) {
      apply(assistant, sessions, bytes);
      changes.push({ assistant, sessions, bytes });
    },
    transactionEnded(isCommitted) {
      const undone = isCommitted ? [] : changes;
      changes = [];
      for (const { assistant, sessions, bytes } of undone) apply(assistant, -sessions, -bytes);
    },
  };
}

const NOTHING: AssistantUsage = { sessions: 0, bytes: 0 };
