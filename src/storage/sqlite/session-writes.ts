import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IssuedQuote } from '../../sessions/session-store.ts';
import { pieceOf, type Span } from './arena.ts';
import { numberIn, textIn } from './columns.ts';
import type { ApplyWrite } from './write-batch.ts';

export type SessionWrite = OpenWrite | CommitWrite | ForgetWrite;

type SessionRow = {
  readonly id: string;
  readonly revision: number;
  readonly expiresAt: number;
  readonly state: string;
};

export type OpenWrite = SessionRow & {
  readonly op: 'open';
  readonly opening: {
    readonly id: string;
    readonly fingerprint: string;
    readonly body: Span;
    readonly sealedToken: Span;
  } | null;
};

export type CommitWrite = SessionRow & {
  readonly op: 'commit';
  readonly expectedRevision: number;
  readonly answer: { readonly key: string; readonly fingerprint: string; readonly body: Span } | null;
  readonly result: Span | 'the answer' | null;
  readonly quotes: readonly IssuedQuote[];
};

type ForgetWrite = {
  readonly op: 'forget';
  readonly endedBefore: number;
  readonly forgottenBefore: number;
  readonly limit: number;
};

export function createSessionWrites(database: DatabaseSync): ApplyWrite<SessionWrite> {
  const open = openingIn(database);
  const commit = committingIn(database);
  const forget = forgettingIn(database);
  return (write, memory) => {
    if (write.op === 'commit') return commit(write, memory);
    return write.op === 'open' ? open(write, memory) : forget(write);
  };
}

function openingIn(database: DatabaseSync) {
  const insertSession = database.prepare(
    'INSERT INTO session (id, revision, expires_at, state) VALUES (?, ?, ?, ?)',
  );
  // A key whose session has ended opens a new one before the old one is cleaned up.
  const insertOpening = database.prepare(
    'INSERT OR REPLACE INTO opening (id, session, fingerprint, body, sealed_token) VALUES (?, ?, ?, ?, ?)',
  );
  return ({ id, revision, expiresAt, state, opening }: OpenWrite, memory: Uint8Array) => {
    const { lastInsertRowid } = insertSession.run(id, revision, expiresAt, state);
    if (opening) {
      const body = pieceOf(memory, opening.body);
      const sealedToken = pieceOf(memory, opening.sealedToken);
      insertOpening.run(opening.id, lastInsertRowid, opening.fingerprint, body, sealedToken);
    }
    return 'written' as const;
  };
}

function committingIn(database: DatabaseSync) {
  const current = database.prepare('SELECT number, revision, expires_at, emptied FROM session WHERE id = ?');
  const update = database.prepare('UPDATE session SET revision = ?, state = ? WHERE number = ?');
  // Apart: an update that names an indexed column rewrites its index even when the value is the same.
  const updateEnd = database.prepare('UPDATE session SET expires_at = ?, emptied = 0 WHERE number = ?');
  const recordAnswer = recordingIn(database);
  const upsertResult = database.prepare(
    'INSERT OR REPLACE INTO result (session, body, answer_key) VALUES (?, ?, ?)',
  );
  const appendQuote = appendingIn(database);

  return (write: CommitWrite, memory: Uint8Array) => {
    const row = current.get(write.id);
    if (!row || numberIn(row, 'revision') !== write.expectedRevision) return 'conflict' as const;
    const number = numberIn(row, 'number');
    update.run(write.revision, write.state, number);
    if (numberIn(row, 'expires_at') !== write.expiresAt || numberIn(row, 'emptied') !== 0) {
      updateEnd.run(write.expiresAt, number);
    }
    if (write.answer) recordAnswer(number, write.answer, memory);
    if (write.result === 'the answer') upsertResult.run(number, null, write.answer?.key ?? null);
    else if (write.result) upsertResult.run(number, pieceOf(memory, write.result), null);
    for (const quote of write.quotes) appendQuote(quote);
    return 'written' as const;
  };
}

function recordingIn(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO answer (session, key, fingerprint, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (session, key) DO NOTHING`,
  );
  // A result that was this answer outlives it.
  const keepResult = database.prepare(
    `UPDATE result SET answer_key = NULL, body = (
       SELECT body FROM answer WHERE answer.session = result.session AND answer.key = result.answer_key
     ) WHERE session = ? AND answer_key = ?`,
  );
  const replace = database.prepare(
    'UPDATE answer SET fingerprint = ?, body = ? WHERE session = ? AND key = ?',
  );
  return (session: number, answer: NonNullable<CommitWrite['answer']>, memory: Uint8Array) => {
    const { key, fingerprint } = answer;
    const body = pieceOf(memory, answer.body);
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

function forgettingIn(database: DatabaseSync) {
  const forgettable = database.prepare(
    'SELECT number, id FROM session WHERE expires_at < ? ORDER BY expires_at, number LIMIT ?',
  );
  const emptiable = database.prepare(
    'SELECT number, id FROM session WHERE emptied = 0 AND expires_at < ? ORDER BY expires_at, number LIMIT ?',
  );
  const forget = database.prepare('DELETE FROM session WHERE number = ?');
  const empty = [
    'DELETE FROM answer WHERE session = ?',
    'DELETE FROM result WHERE session = ?',
    'DELETE FROM opening WHERE session = ?',
    'UPDATE session SET emptied = 1 WHERE number = ?',
  ].map((sql) => database.prepare(sql));

  function applyToEach(
    chosen: StatementSync,
    before: number,
    limit: number,
    steps: readonly StatementSync[],
  ) {
    return chosen.all(before, limit).map((row) => {
      for (const step of steps) step.run(numberIn(row, 'number'));
      return textIn(row, 'id');
    });
  }

  return ({ endedBefore, forgottenBefore, limit }: ForgetWrite) => {
    // What hangs on a session goes with it.
    const forgotten = applyToEach(forgettable, forgottenBefore, limit, [forget]);
    const emptied = applyToEach(emptiable, endedBefore, limit - forgotten.length, empty);
    return { forgotten: [...forgotten, ...emptied] };
  };
}
