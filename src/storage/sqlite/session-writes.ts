import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import {
  isOverQuota,
  SESSION_BYTES,
  type StorageQuota,
  USED_KEY_BYTES,
} from '../../sessions/assistant-limits.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import {
  QUOTE_BYTES,
  SURPLUS_BYTES_A_QUOTE,
  type SurplusQuotes,
  storedDetails,
  storedPolicy,
} from '../../sessions/quote-ledger.ts';
import { numberIn, textIn } from './columns.ts';
import { pragmaNumber } from './database.ts';
import { type KeptBytes, keptBytesIn } from './stored-bytes.ts';
import { type GiveBackSpaceWrite, givingBackIn } from './vacuum.ts';
import type { AppliedWrite, AppliedWrites, ApplyWrite } from './write-batch.ts';

export type SessionWrite =
  | OpenWrite
  | CommitWrite
  | NoteTalliesWrite
  | DeleteExpiredWrite
  | DeleteQuotesWrite
  | DeleteSurplusWrite
  | UseNonceWrite
  | GiveBackSpaceWrite
  | ProbeWrite;

/** Changes nothing, but waits for the disk like any other. */
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
  /** Null where the change is a new state. */
  readonly expectedNotes: number | null;
  readonly usedKey: { readonly id: string; readonly fingerprint: string } | null;
  readonly result: OwnedBytes | null;
  /** Issued quotes as JSON, or null for none: a text crosses threads in half the time of twenty objects. */
  readonly quotes: string | null;
};

type NoteTalliesWrite = {
  readonly kind: 'note_tallies';
  /** As JSON, by the id of the session. */
  readonly tallies: readonly (readonly [id: string, tally: string])[];
};

type DeleteExpiredWrite = {
  readonly kind: 'delete_expired';
  readonly bodiesBefore: number;
  readonly sessionsBefore: number;
  readonly limit: number;
};

type DeleteQuotesWrite = {
  readonly kind: 'delete_quotes';
  readonly before: number;
  readonly limit: number;
};

type DeleteSurplusWrite = SurplusQuotes & { readonly kind: 'delete_surplus' };

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

/** One object for all: a clone of many outcomes then writes it only once. */
const WRITTEN: AppliedWrite = { kind: 'written' };
const CONFLICT: AppliedWrite = { kind: 'conflict' };

/** Of policies that are stored, by their assistant and text, so that most quotes need no look at the table. */
type PolicyNumbers = Map<string, number>;
const MAX_POLICIES = 1_000;

export function createSessionWrites(database: DatabaseSync): AppliedWrites<SessionWrite> {
  const kept = keptBytesIn(database);
  const open = openingIn(database, kept);
  const policies: PolicyNumbers = new Map();
  const commit = committingIn(database, kept, policies);
  const noteTallies = notingTalliesIn(database);
  const deleteExpired = deletingIn(database, kept);
  const deleteQuotes = deletingQuotesIn(database);
  const deleteSurplus = deletingSurplusIn(database);
  const useNonce = usingNoncesIn(database);
  const giveBackSpace = givingBackIn(database);
  const apply: ApplyWrite<SessionWrite> = (write) => {
    switch (write.kind) {
      case 'open':
        return open(write);
      case 'commit':
        return commit(write);
      case 'note_tallies':
        return noteTallies(write);
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
      case 'give_back_space':
        return giveBackSpace();
      case 'probe':
        // Rewrites the first page as it is.
        database.exec(`PRAGMA user_version = ${pragmaNumber(database, 'user_version')}`);
        return WRITTEN;
    }
  };
  const transactionEnded = (isCommitted: boolean) => {
    if (!isCommitted) policies.clear();
    kept.transactionEnded(isCommitted);
  };
  return { apply, transactionEnded };
}

function openingIn(database: DatabaseSync, kept: KeptBytes) {
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

  /** What is counted holds sessions that have ended since the last round of deleting; they are looked up only when it matters. */
  function isOverQuotaAt(now: number, assistant: string, quota: StorageQuota): boolean {
    const counted = kept.by(assistant);
    if (!isOverQuota(counted, kept.total(), quota)) return false;
    const gone = endedOf.get(assistant, now);
    const live = {
      sessions: counted.sessions - Number(gone?.sessions ?? 0),
      bytes: counted.bytes - Number(gone?.bytes ?? 0),
    };
    const isStoreFull = kept.total() >= quota.totalBytes;
    const totalBytes = isStoreFull ? kept.total() - Number(ended.get(now)?.bytes ?? 0) : kept.total();
    return isOverQuota(live, totalBytes, quota);
  }

  return ({ id, assistant, revision, openedAt, expiresAt, state, quota }: OpenWrite): AppliedWrite => {
    if (quota && isOverQuotaAt(openedAt, assistant, quota)) {
      return { kind: 'over_quota', until: Number(firstEnd.get(assistant, openedAt)?.until ?? 0) };
    }
    insertSession.run(id, revision, expiresAt, state, assistant, SESSION_BYTES);
    kept.change(assistant, 1, SESSION_BYTES);
    return WRITTEN;
  };
}

function committingIn(database: DatabaseSync, kept: KeptBytes, policies: PolicyNumbers) {
  const current = database.prepare(
    'SELECT number, revision, emptied, assistant, bytes, result_bytes FROM session WHERE id = ?',
  );
  const currentNotes = database.prepare("SELECT state ->> '$.notes' AS notes FROM session WHERE id = ?");
  const update = database.prepare(
    'UPDATE session SET revision = ?, state = ?, bytes = ?, result_bytes = ? WHERE number = ?',
  );
  // Separate: an update that names an indexed column rewrites its index even when the value is the same.
  const markFilled = database.prepare('UPDATE session SET emptied = 0 WHERE number = ?');
  const rememberKey = database.prepare(
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
      kept.change(textIn(row, 'assistant'), 1, numberIn(row, 'bytes'));
    }
    const resultBytes = numberIn(row, 'result_bytes');
    const newResultBytes = write.result?.length ?? resultBytes;
    const quotes: readonly IssuedQuote[] = write.quotes === null ? [] : JSON.parse(write.quotes);
    const added = newResultBytes - resultBytes + (write.usedKey ? USED_KEY_BYTES : 0) + appendQuotes(quotes);
    update.run(write.revision, write.state, numberIn(row, 'bytes') + added, newResultBytes, number);
    if (added !== 0) kept.change(textIn(row, 'assistant'), 0, added);
    if (write.usedKey) rememberKey.run(number, write.usedKey.id, write.usedKey.fingerprint, write.revision);
    if (write.result) upsertResult.run(number, write.result);
    return WRITTEN;
  };
}

function notingTalliesIn(database: DatabaseSync) {
  const note = database.prepare('UPDATE session SET tally = ? WHERE id = ?');
  return ({ tallies }: NoteTalliesWrite): AppliedWrite => {
    for (const [id, tally] of tallies) note.run(tally, id);
    return WRITTEN;
  };
}

/** Returns the bytes that the ledger has grown by. All quotes are of one session, so of one assistant. */
function appendingIn(database: DatabaseSync, policies: PolicyNumbers) {
  const append = database.prepare(
    `INSERT INTO issued_quote (nxq, session, assistant, brand, property, check_in, check_out, guests, amount, currency,
       retrieved_at, valid_until, place, details, policy) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const findPolicy = database.prepare('SELECT number FROM quote_policy WHERE hash = ?');
  const addPolicy = database.prepare(
    'INSERT INTO quote_policy (hash, json, assistant, bytes) VALUES (?, ?, ?, ?)',
  );
  const countUses = database.prepare('UPDATE quote_policy SET quotes = quotes + ? WHERE number = ?');
  const count = database.prepare(
    `INSERT INTO ledger_account (assistant, bytes) VALUES (?, ?)
     ON CONFLICT (assistant) DO UPDATE SET bytes = bytes + excluded.bytes`,
  );
  return (quotes: readonly IssuedQuote[]): number => {
    let added = 0;
    const uses = new Map<number, number>();
    if (policies.size > MAX_POLICIES) policies.clear();
    const addNew = (cancellation: string, assistant: string): number => {
      const { hash, json, bytes } = storedPolicy(cancellation, assistant);
      const known = findPolicy.get(hash);
      if (known) return numberIn(known, 'number');
      added += bytes;
      return Number(addPolicy.run(hash, json, assistant, bytes).lastInsertRowid);
    };
    for (const quote of quotes) {
      const { details, cancellation } = storedDetails(quote);
      const name = `${quote.assistant}\n${cancellation}`;
      let policy = cancellation === null ? null : policies.get(name);
      if (policy === undefined && cancellation !== null) {
        policy = addNew(cancellation, quote.assistant);
        policies.set(name, policy);
      }
      if (typeof policy === 'number') uses.set(policy, (uses.get(policy) ?? 0) + 1);
      added += QUOTE_BYTES + Buffer.byteLength(details ?? '');
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
        quote.place,
        details,
        policy ?? null,
      );
    }
    for (const [policy, times] of uses) countUses.run(times, policy);
    if (quotes[0]) count.run(quotes[0].assistant, added);
    return added;
  };
}

function deletingIn(database: DatabaseSync, kept: KeptBytes) {
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
        kept.change(textIn(row, 'assistant'), -1, -numberIn(row, 'bytes'));
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

function deletingQuotesIn(database: DatabaseSync) {
  const allow = database.prepare('UPDATE ledger_retention SET before = ? WHERE before < ?');
  const remove = database.prepare(
    'DELETE FROM issued_quote WHERE number IN (SELECT number FROM issued_quote WHERE retrieved_at < ? ORDER BY retrieved_at, number LIMIT ?)',
  );
  return ({ before, limit }: DeleteQuotesWrite): AppliedWrite => {
    allow.run(before, before);
    return { kind: 'deleted_quotes', quotes: Number(remove.run(before, limit).changes) };
  };
}

/** Triggers take deleted quotes off their account, and delete policies that no quote has any more. */
function deletingSurplusIn(database: DatabaseSync) {
  const largest = database.prepare(
    'SELECT *, (SELECT sum(bytes) FROM ledger_account) AS total FROM ledger_account ORDER BY bytes DESC LIMIT 1',
  );
  const oldest =
    'FROM issued_quote WHERE retrieved_at >= ? AND assistant = ? ORDER BY retrieved_at, number LIMIT ?';
  const newestOf = database.prepare(`SELECT max(retrieved_at) AS until FROM (SELECT retrieved_at ${oldest})`);
  const allow = database.prepare('UPDATE ledger_account SET surplus_until = ? WHERE assistant = ?');
  const remove = database.prepare(`DELETE FROM issued_quote WHERE number IN (SELECT number ${oldest})`);
  return ({ maxBytes, maxAssistantBytes, limit }: DeleteSurplusWrite): AppliedWrite => {
    const account = largest.get() ?? { assistant: '', bytes: 0, total: 0, surplus_until: 0 };
    const assistant = textIn(account, 'assistant');
    const surplus = Math.max(
      numberIn(account, 'total') - maxBytes,
      numberIn(account, 'bytes') - maxAssistantBytes,
    );
    const count = Math.min(limit, Math.ceil(surplus / SURPLUS_BYTES_A_QUOTE));
    if (count <= 0) return { kind: 'deleted_quotes', quotes: 0 };
    // Older quotes were deleted before, except those that were stored late: when no other is left, the next call starts with them.
    const since = numberIn(account, 'surplus_until');
    const until = newestOf.get(since, assistant, count)?.until;
    allow.run(typeof until === 'number' ? until : 0, assistant);
    return { kind: 'deleted_quotes', quotes: Number(remove.run(since, assistant, count).changes) };
  };
}

/** Each use clears away more than it adds, so that the table never holds many that have ended. */
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
