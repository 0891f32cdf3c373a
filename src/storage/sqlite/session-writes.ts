import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IssuedQuote } from '../../sessions/session-store.ts';
import { numberIn, textIn } from './columns.ts';
import { type GiveBackSpaceWrite, givingBackIn } from './give-back-space.ts';
import type { AppliedWrite, ApplyWrite } from './write-batch.ts';
import type { OwnedBytes } from './writer.ts';

export type SessionWrite = OpenWrite | CommitWrite | DeleteExpiredWrite | GiveBackSpaceWrite;

type SessionRow = {
  readonly id: string;
  readonly revision: number;
  readonly state: string;
};

export type OpenWrite = SessionRow & {
  readonly kind: 'open';
  readonly expiresAt: number;
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
  readonly usedKey: { readonly id: string; readonly fingerprint: string } | null;
  readonly result: OwnedBytes | null;
  readonly quotes: readonly IssuedQuote[];
};

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
    case 'commit':
      return write.result ? [write.result] : [];
    case 'delete_expired':
    case 'give_back_space':
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
  const giveBackSpace = givingBackIn(database);
  return (write) => {
    switch (write.kind) {
      case 'open':
        return open(write);
      case 'commit':
        return commit(write);
      case 'delete_expired':
        return deleteExpired(write);
      case 'give_back_space':
        return giveBackSpace();
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
  const current = database.prepare('SELECT number, revision, emptied FROM session WHERE id = ?');
  const update = database.prepare('UPDATE session SET revision = ?, state = ? WHERE number = ?');
  // Separate: an update that names an indexed column rewrites its index even when the value is the same.
  const markFilled = database.prepare('UPDATE session SET emptied = 0 WHERE number = ?');
  const rememberKey = database.prepare(
    'INSERT OR REPLACE INTO used_key (session, id, fingerprint, revision) VALUES (?, ?, ?, ?)',
  );
  const upsertResult = database.prepare('INSERT OR REPLACE INTO result (session, body) VALUES (?, ?)');
  const appendQuote = appendingIn(database);

  return (write: CommitWrite): AppliedWrite => {
    const row = current.get(write.id);
    if (!row || numberIn(row, 'revision') !== write.expectedRevision) return CONFLICT;
    const number = numberIn(row, 'number');
    update.run(write.revision, write.state, number);
    if (numberIn(row, 'emptied') !== 0) markFilled.run(number);
    if (write.usedKey) rememberKey.run(number, write.usedKey.id, write.usedKey.fingerprint, write.revision);
    if (write.result) upsertResult.run(number, write.result);
    for (const quote of write.quotes) appendQuote(quote);
    return WRITTEN;
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
    'DELETE FROM used_key WHERE session = ?',
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
