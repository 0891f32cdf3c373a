import type { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../../sessions/session.ts';
import type { IssuedQuote, UsedKey, UsedKeyId } from '../../sessions/session-store.ts';
import { bytesIn, numberIn, textIn } from './columns.ts';
import { withStorageFailures } from './sqlite-failure.ts';

export function createSessionReads(database: DatabaseSync) {
  const state = database.prepare('SELECT state FROM session WHERE id = ?');
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
    usedKeyIds(session: SessionId): Set<UsedKeyId> {
      return new Set(withStorageFailures(() => usedKeyIds.all(session)).map((row) => textIn(row, 'id')));
    },
    usedKey(session: SessionId, id: UsedKeyId): UsedKey | undefined {
      const row = withStorageFailures(() => usedKey.get(session, id));
      return row && { fingerprint: textIn(row, 'fingerprint'), revision: numberIn(row, 'revision') };
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
