import type { DatabaseSync } from 'node:sqlite';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { detailsIn, type QuoteQuestion } from '../../sessions/quote-ledger.ts';
import type { SessionId } from '../../sessions/session.ts';
import type { UsedKey, UsedKeyId } from '../../sessions/session-store.ts';
import { bytesIn, numberIn, type SqliteRow, textIn } from './columns.ts';

/** `read` runs each of them, and turns its faults into `StorageFailure`. */
export function createSessionReads(database: DatabaseSync, read: <T>(work: () => T) => T) {
  const session = database.prepare('SELECT state, tally FROM session WHERE id = ?');
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
    /** Both as JSON; the tally is null where nothing was counted. */
    session(id: SessionId): { readonly state: string; readonly tally: string | null } | undefined {
      return read(() => {
        const row = session.get(id);
        return (
          row && { state: textIn(row, 'state'), tally: row.tally === null ? null : textIn(row, 'tally') }
        );
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

/** Also in a ledger of an earlier release, which only the service may migrate. */
export function selectQuotes(database: DatabaseSync): string {
  const hasPolicies = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'quote_policy'").get();
  const policy = '(SELECT json FROM quote_policy WHERE quote_policy.number = issued_quote.policy)';
  return `SELECT issued_quote.*, ${hasPolicies ? policy : 'NULL'} AS policy_json FROM issued_quote`;
}

export function foundQuotesIn(database: DatabaseSync) {
  const select = selectQuotes(database);
  const newestFirst = 'ORDER BY retrieved_at DESC, number DESC LIMIT ?';
  const byIdentifier = database.prepare(`${select} WHERE nxq = ? ${newestFirst}`);
  const byStay = database.prepare(
    `${select} WHERE check_in = ? AND check_out = ? AND property = ? ${newestFirst}`,
  );
  return (question: QuoteQuestion, limit: number): readonly IssuedQuote[] => {
    if ('nxq' in question) return byIdentifier.all(question.nxq, limit).map(quoteIn);
    const { property, checkIn, checkOut } = question;
    return byStay.all(checkIn, checkOut, property, limit).map(quoteIn);
  };
}

export function quoteIn(row: SqliteRow): IssuedQuote {
  return {
    nxq: textIn(row, 'nxq'),
    session: textIn(row, 'session'),
    assistant: textIn(row, 'assistant'),
    brand: textIn(row, 'brand'),
    property: textIn(row, 'property'),
    place: row.place === undefined ? '' : textIn(row, 'place'),
    checkIn: textIn(row, 'check_in'),
    checkOut: textIn(row, 'check_out'),
    guests: numberIn(row, 'guests'),
    amount: numberIn(row, 'amount'),
    currency: textIn(row, 'currency'),
    retrievedAt: numberIn(row, 'retrieved_at'),
    validUntil: numberIn(row, 'valid_until'),
    details:
      typeof row.details === 'string'
        ? detailsIn(row.details, row.policy_json === null ? null : textIn(row, 'policy_json'))
        : null,
  };
}

export type SessionReads = ReturnType<typeof createSessionReads>;
