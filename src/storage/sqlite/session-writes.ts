import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IssuedQuote } from '../../sessions/session-store.ts';
import { numberIn, textIn } from './columns.ts';
import type { AppliedWrite, ApplyWrite } from './write-batch.ts';
import type { OwnedBytes } from './writer.ts';

export type SessionWrite = OpenWrite | CommitWrite | DeleteExpiredWrite;

type SessionRow = {
  readonly id: string;
  readonly revision: number;
  readonly expiresAt: number;
  readonly state: string;
};

export type OpenWrite = SessionRow & {
  readonly kind: 'open';
  readonly opening: {
    readonly id: string;
    readonly fingerprint: string;
    readonly body: OwnedBytes;
    readonly sealedToken: OwnedBytes;
  } | null;
};

export type CommitWrite = SessionRow & {
  readonly kind: 'commit';
  readonly expectedRevision: number;
  readonly answer: AnswerRow | null;
  readonly result: ResultWrite | null;
  readonly quotes: readonly IssuedQuote[];
};

type AnswerRow = { readonly key: string; readonly fingerprint: string; readonly body: OwnedBytes };

/** The answer that completes a search is its result: the same bytes travel and are stored once. */
export type ResultWrite =
  | { readonly kind: 'same_as_answer' }
  | { readonly kind: 'bytes'; readonly body: OwnedBytes };

type DeleteExpiredWrite = {
  readonly kind: 'delete_expired';
  readonly bodiesBefore: number;
  readonly sessionsBefore: number;
  readonly limit: number;
};

export function bodiesOfSessionWrite(write: SessionWrite): OwnedBytes[] {
  switch (write.kind) {
    case 'open':
      return write.opening ? [write.opening.body, write.opening.sealedToken] : [];
    case 'commit': {
      const bodies = write.answer ? [write.answer.body] : [];
      if (write.result?.kind === 'bytes') bodies.push(write.result.body);
      return bodies;
    }
    case 'delete_expired':
      return [];
  }
}

/** One object for all: a clone of many outcomes then writes it only once. */
const WRITTEN: AppliedWrite = { kind: 'written' };
const CONFLICT: AppliedWrite = { kind: 'conflict' };

export function createSessionWrites(database: DatabaseSync): ApplyWrite<SessionWrite> {
  const open = openingIn(database);
  const commit = committingIn(database);
  const deleteExpired = deletingIn(database);
  return (write) => {
    switch (write.kind) {
      case 'open':
        return open(write);
      case 'commit':
        return commit(write);
      case 'delete_expired':
        return deleteExpired(write);
    }
  };
}

function openingIn(database: DatabaseSync) {
  const insertSession = database.prepare(
    'INSERT INTO session (id, revision, expires_at, state) VALUES (?, ?, ?, ?)',
  );
  // An idempotency key can open a new session before the expired one that it opened earlier is deleted.
  const insertOpening = database.prepare(
    'INSERT OR REPLACE INTO opening (id, session, fingerprint, body, sealed_token) VALUES (?, ?, ?, ?, ?)',
  );
  return ({ id, revision, expiresAt, state, opening }: OpenWrite): AppliedWrite => {
    const { lastInsertRowid } = insertSession.run(id, revision, expiresAt, state);
    if (opening) {
      const { fingerprint, body, sealedToken } = opening;
      insertOpening.run(opening.id, lastInsertRowid, fingerprint, body, sealedToken);
    }
    return WRITTEN;
  };
}

function committingIn(database: DatabaseSync) {
  const current = database.prepare('SELECT number, revision, expires_at, emptied FROM session WHERE id = ?');
  const update = database.prepare('UPDATE session SET revision = ?, state = ? WHERE number = ?');
  // Separate: an update that names an indexed column rewrites its index even when the value is the same.
  const updateExpiry = database.prepare('UPDATE session SET expires_at = ?, emptied = 0 WHERE number = ?');
  const recordAnswer = recordingIn(database);
  const upsertResult = database.prepare(
    'INSERT OR REPLACE INTO result (session, body, answer_key) VALUES (?, ?, ?)',
  );
  const appendQuote = appendingIn(database);

  return (write: CommitWrite): AppliedWrite => {
    const row = current.get(write.id);
    if (!row || numberIn(row, 'revision') !== write.expectedRevision) return CONFLICT;
    const number = numberIn(row, 'number');
    update.run(write.revision, write.state, number);
    if (numberIn(row, 'expires_at') !== write.expiresAt || numberIn(row, 'emptied') !== 0) {
      updateExpiry.run(write.expiresAt, number);
    }
    if (write.answer) recordAnswer(number, write.answer);
    if (write.result?.kind === 'same_as_answer') upsertResult.run(number, null, write.answer?.key ?? null);
    else if (write.result) upsertResult.run(number, write.result.body, null);
    for (const quote of write.quotes) appendQuote(quote);
    return WRITTEN;
  };
}

function recordingIn(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO answer (session, key, fingerprint, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (session, key) DO NOTHING`,
  );
  // A result that shares the bytes of this answer gets its own copy before they are replaced.
  const keepResult = database.prepare(
    `UPDATE result SET answer_key = NULL, body = (
       SELECT body FROM answer WHERE answer.session = result.session AND answer.key = result.answer_key
     ) WHERE session = ? AND answer_key = ?`,
  );
  const replace = database.prepare(
    'UPDATE answer SET fingerprint = ?, body = ? WHERE session = ? AND key = ?',
  );
  return (session: number, { key, fingerprint, body }: AnswerRow) => {
    if (insert.run(session, key, fingerprint, body).changes === 1) return;
    keepResult.run(session, key);
    replace.run(fingerprint, body, session, key);
  };
}

function appendingIn(database: DatabaseSync) {
  const append = database.prepare(
    `INSERT INTO issued_quote (nxq, session, assistant, brand, property, check_in, check_out, guests, amount, currency,
       retrieved_at, valid_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (quote: IssuedQuote) =>
    append.run(
      quote.nxq,
      quote.session,
      quote.assistant,
      quote.brand,
      quote.property,
      quote.checkIn,
      quote.checkOut,
      quote.guests,
      quote.amount,
      quote.currency,
      quote.retrievedAt,
      quote.validUntil,
    );
}

function deletingIn(database: DatabaseSync) {
  const oldSessions = database.prepare(
    'SELECT number, id FROM session WHERE expires_at < ? ORDER BY expires_at, number LIMIT ?',
  );
  const sessionsWithBodies = database.prepare(
    'SELECT number, id FROM session WHERE emptied = 0 AND expires_at < ? ORDER BY expires_at, number LIMIT ?',
  );
  // Rows cascade with their session.
  const deleteSession = [database.prepare('DELETE FROM session WHERE number = ?')];
  const deleteBodies = [
    'DELETE FROM answer WHERE session = ?',
    'DELETE FROM result WHERE session = ?',
    'DELETE FROM opening WHERE session = ?',
    'UPDATE session SET emptied = 1 WHERE number = ?',
  ].map((sql) => database.prepare(sql));

  function applyToEach(
    sessions: StatementSync,
    before: number,
    limit: number,
    statements: readonly StatementSync[],
  ): string[] {
    return sessions.all(before, limit).map((row) => {
      for (const statement of statements) statement.run(numberIn(row, 'number'));
      return textIn(row, 'id');
    });
  }

  return ({ bodiesBefore, sessionsBefore, limit }: DeleteExpiredWrite): AppliedWrite => {
    const deleted = applyToEach(oldSessions, sessionsBefore, limit, deleteSession);
    const emptied = applyToEach(sessionsWithBodies, bodiesBefore, limit - deleted.length, deleteBodies);
    return { kind: 'deleted', sessions: [...deleted, ...emptied] };
  };
}
