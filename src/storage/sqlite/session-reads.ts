import type { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../../sessions/session.ts';
import type { IssuedQuote, Opening, OpeningId, RecordedAnswer } from '../../sessions/session-store.ts';
import { bytesIn, numberIn, textIn } from './columns.ts';
import { withStorageFailures } from './sqlite-failure.ts';

export function createSessionReads(database: DatabaseSync) {
  const state = database.prepare('SELECT state FROM session WHERE id = ?');
  const result = database.prepare(
    `SELECT coalesce(result.body, answer.body) AS body
     FROM result LEFT JOIN answer ON answer.session = result.session AND answer.key = result.answer_key
     WHERE result.session = (SELECT number FROM session WHERE id = ?)`,
  );
  const keys = database.prepare(
    'SELECT key FROM answer WHERE session = (SELECT number FROM session WHERE id = ?)',
  );
  const answer = database.prepare(
    'SELECT fingerprint, body FROM answer WHERE session = (SELECT number FROM session WHERE id = ?) AND key = ?',
  );
  const opening = database.prepare(
    `SELECT session.id AS session, fingerprint, body, sealed_token
     FROM opening JOIN session ON session.number = opening.session WHERE opening.id = ?`,
  );
  const quotes = database.prepare(
    'SELECT * FROM issued_quote WHERE retrieved_at >= ? ORDER BY retrieved_at, number LIMIT ?',
  );

  return {
    state(id: SessionId): string | undefined {
      const row = withStorageFailures(() => state.get(id));
      return row && textIn(row, 'state');
    },
    result(id: SessionId): Uint8Array | undefined {
      const row = withStorageFailures(() => result.get(id));
      return row && bytesIn(row, 'body');
    },
    answerKeys(id: SessionId): Set<string> {
      return new Set(withStorageFailures(() => keys.all(id)).map((row) => textIn(row, 'key')));
    },
    answer(id: SessionId, key: string): RecordedAnswer | undefined {
      const row = withStorageFailures(() => answer.get(id, key));
      return row && { fingerprint: textIn(row, 'fingerprint'), body: bytesIn(row, 'body') };
    },
    opening(id: OpeningId): Opening | undefined {
      const row = withStorageFailures(() => opening.get(id));
      return (
        row && {
          id,
          session: textIn(row, 'session'),
          fingerprint: textIn(row, 'fingerprint'),
          body: bytesIn(row, 'body'),
          sealedToken: bytesIn(row, 'sealed_token'),
        }
      );
    },
    quotes(since: number, limit: number): readonly IssuedQuote[] {
      return withStorageFailures(() => quotes.all(since, limit)).map((row) => ({
        nxq: textIn(row, 'nxq'),
        session: textIn(row, 'session'),
        assistant: textIn(row, 'assistant'),
        brand: textIn(row, 'brand'),
        property: textIn(row, 'property'),
        checkIn: textIn(row, 'check_in'),
        checkOut: textIn(row, 'check_out'),
        guests: numberIn(row, 'guests'),
        amount: numberIn(row, 'amount'),
        currency: textIn(row, 'currency'),
        retrievedAt: numberIn(row, 'retrieved_at'),
        validUntil: numberIn(row, 'valid_until'),
      }));
    },
  };
}

export type SessionReads = ReturnType<typeof createSessionReads>;
