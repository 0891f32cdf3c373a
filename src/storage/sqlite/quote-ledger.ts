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
import type { AppliedWrite } from './writer.ts';

export type DeleteQuotesWrite = {
  readonly kind: 'delete_quotes';
  readonly before: number;
  readonly limit: number;
};

export type DeleteSurplusWrite = SurplusQuotes & { readonly kind: 'delete_surplus' };

/** The numbers of stored policies by assistant and text, so that most quotes need no lookup. */
export type PolicyNumbers = Map<string, number>;

const MAX_POLICIES = 1_000;

/** Returns by how many bytes the ledger grows. All quotes are of one session, so of one assistant. */
export function appendingIn(database: DatabaseSync, policies: PolicyNumbers) {
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
        ...[
          quote.nxq,
          quote.session,
          quote.assistant,
          quote.brand,
          quote.property,
          quote.checkIn,
          quote.checkOut,
        ],
        ...[quote.guests, quote.amount, quote.currency, quote.retrievedAt, quote.validUntil],
        ...[quote.place, details, policy ?? null],
      );
    }
    for (const [policy, times] of uses) countUses.run(times, policy);
    if (quotes[0]) count.run(quotes[0].assistant, added);
    return added;
  };
}

export function deletingQuotesIn(database: DatabaseSync) {
  const allow = database.prepare('UPDATE ledger_retention SET before = ? WHERE before < ?');
  const remove = database.prepare(
    'DELETE FROM issued_quote WHERE number IN (SELECT number FROM issued_quote WHERE retrieved_at < ? ORDER BY retrieved_at, number LIMIT ?)',
  );
  return ({ before, limit }: DeleteQuotesWrite): AppliedWrite => {
    allow.run(before, before);
    return { kind: 'deleted_quotes', quotes: Number(remove.run(before, limit).changes) };
  };
}

/** Triggers subtract deleted quotes from their account, and delete unused policies. */
export function deletingSurplusIn(database: DatabaseSync) {
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
    // Older quotes are deleted already, except those that were stored late: once no other is left, the next call starts with them.
    const since = numberIn(account, 'surplus_until');
    const until = newestOf.get(since, assistant, count)?.until;
    allow.run(typeof until === 'number' ? until : 0, assistant);
    return { kind: 'deleted_quotes', quotes: Number(remove.run(since, assistant, count).changes) };
  };
}

/** Also works on the ledger of an earlier release, which only the service may migrate. */
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
