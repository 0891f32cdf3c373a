import type { DatabaseSync } from 'node:sqlite';
import {
  detailsIn,
  type IssuedQuote,
  QUOTE_BYTES,
  type QuoteQuestion,
  SURPLUS_BYTES_A_QUOTE,
  type SurplusQuotes,
  storedDetails,
  storedPolicy,
} from '../../sessions/quote-ledger.ts';
import { numberIn, type SqliteRow, textIn } from './database.ts';

/** The changes of the ledger. Triggers subtract deleted quotes from their account, and delete unused policies. */
export function createLedgerTables(database: DatabaseSync) {
  const insertQuote = database.prepare(
    `INSERT INTO issued_quote (nxq, session, assistant, brand, property, check_in, check_out, guests, amount, currency,
       retrieved_at, valid_until, place, details, policy) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const findPolicy = database.prepare('SELECT number FROM quote_policy WHERE hash = ?');
  const addPolicy = database.prepare(
    'INSERT INTO quote_policy (hash, json, assistant, bytes) VALUES (?, ?, ?, ?)',
  );
  const countUses = database.prepare('UPDATE quote_policy SET quotes = quotes + ? WHERE number = ?');
  const countBytes = database.prepare(
    `INSERT INTO ledger_account (assistant, bytes) VALUES (?, ?)
     ON CONFLICT (assistant) DO UPDATE SET bytes = bytes + excluded.bytes`,
  );
  const allowOld = database.prepare('UPDATE ledger_retention SET before = ? WHERE before < ?');
  const removeOld = database.prepare(
    'DELETE FROM issued_quote WHERE number IN (SELECT number FROM issued_quote WHERE retrieved_at < ? ORDER BY retrieved_at, number LIMIT ?)',
  );
  const largest = database.prepare(
    'SELECT *, (SELECT sum(bytes) FROM ledger_account) AS total FROM ledger_account ORDER BY bytes DESC LIMIT 1',
  );
  const oldest =
    'FROM issued_quote WHERE retrieved_at >= ? AND assistant = ? ORDER BY retrieved_at, number LIMIT ?';
  const newestOf = database.prepare(
    `SELECT coalesce(max(retrieved_at), 0) AS until FROM (SELECT retrieved_at ${oldest})`,
  );
  const allowSurplus = database.prepare('UPDATE ledger_account SET surplus_until = ? WHERE assistant = ?');
  const removeSurplus = database.prepare(
    `DELETE FROM issued_quote WHERE number IN (SELECT number ${oldest})`,
  );

  return {
    /** Returns by how many bytes the ledger grows. All quotes are of one session, so of one assistant. */
    append(quotes: readonly IssuedQuote[]): number {
      let added = 0;
      const policies = new Map<string, { readonly number: number; uses: number }>();
      const policyOf = (cancellation: string, assistant: string): number => {
        let policy = policies.get(cancellation);
        if (!policy) {
          const { hash, json, bytes } = storedPolicy(cancellation, assistant);
          const known = findPolicy.get(hash);
          if (!known) added += bytes;
          const number = known
            ? numberIn(known, 'number')
            : addPolicy.run(hash, json, assistant, bytes).lastInsertRowid;
          policy = { number: Number(number), uses: 0 };
          policies.set(cancellation, policy);
        }
        policy.uses += 1;
        return policy.number;
      };
      for (const quote of quotes) {
        const { details, cancellation } = storedDetails(quote);
        const policy = cancellation === null ? null : policyOf(cancellation, quote.assistant);
        added += QUOTE_BYTES + Buffer.byteLength(details ?? '');
        insertQuote.run(
          ...[quote.nxq, quote.session, quote.assistant, quote.brand, quote.property],
          ...[quote.checkIn, quote.checkOut, quote.guests, quote.amount, quote.currency],
          ...[quote.retrievedAt, quote.validUntil, quote.place, details, policy],
        );
      }
      for (const { number, uses } of policies.values()) countUses.run(uses, number);
      if (quotes[0]) countBytes.run(quotes[0].assistant, added);
      return added;
    },

    operations: {
      deleteQuotes(before: number, limit: number): number {
        allowOld.run(before, before);
        return Number(removeOld.run(before, limit).changes);
      },

      deleteSurplus({ maxBytes, maxAssistantBytes, limit }: SurplusQuotes): number {
        const account = largest.get() ?? { assistant: '', bytes: 0, total: 0, surplus_until: 0 };
        const assistant = textIn(account, 'assistant');
        const surplus = Math.max(
          numberIn(account, 'total') - maxBytes,
          numberIn(account, 'bytes') - maxAssistantBytes,
        );
        const count = Math.min(limit, Math.ceil(surplus / SURPLUS_BYTES_A_QUOTE));
        if (count <= 0) return 0;
        // Older quotes are deleted already, except those that were stored late: once no other is left, the next call starts with them.
        const since = numberIn(account, 'surplus_until');
        allowSurplus.run(numberIn(newestOf.get(since, assistant, count) ?? {}, 'until'), assistant);
        return Number(removeSurplus.run(since, assistant, count).changes);
      },
    },
  };
}

export const SELECT_QUOTES = `SELECT issued_quote.*,
  (SELECT json FROM quote_policy WHERE quote_policy.number = issued_quote.policy) AS policy_json FROM issued_quote`;

export function foundQuotesIn(database: DatabaseSync) {
  const newestFirst = 'ORDER BY retrieved_at DESC, number DESC LIMIT ?';
  const byIdentifier = database.prepare(`${SELECT_QUOTES} WHERE nxq = ? ${newestFirst}`);
  const byStay = database.prepare(
    `${SELECT_QUOTES} WHERE check_in = ? AND check_out = ? AND property = ? ${newestFirst}`,
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
    place: textIn(row, 'place'),
    checkIn: textIn(row, 'check_in'),
    checkOut: textIn(row, 'check_out'),
    guests: numberIn(row, 'guests'),
    amount: numberIn(row, 'amount'),
    currency: textIn(row, 'currency'),
    retrievedAt: numberIn(row, 'retrieved_at'),
    validUntil: numberIn(row, 'valid_until'),
    details:
      row.details === null
        ? null
        : detailsIn(textIn(row, 'details'), row.policy_json === null ? null : textIn(row, 'policy_json')),
  };
}
