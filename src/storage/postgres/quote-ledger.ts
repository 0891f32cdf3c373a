import { storableText } from '../../parsing/printable.ts';
import {
  detailsIn,
  type IssuedQuote,
  QUOTE_BYTES,
  type QuoteLedger,
  type QuoteLedgerWriter,
  type QuoteQuestion,
  SURPLUS_BYTES_A_QUOTE,
  storedDetails,
  storedPolicy,
} from '../../sessions/quote-ledger.ts';
import type { PostgresQueries } from './connection.ts';

type QuoteRow = Omit<IssuedQuote, 'details'> & {
  readonly details: string | null;
  readonly policyJson: string | null;
};

/** The column of each member of a quote. */
const COLUMNS: Readonly<Record<keyof IssuedQuote, readonly [name: string, type: string]>> = {
  nxq: ['nxq', 'text'],
  session: ['session', 'text'],
  assistant: ['assistant', 'text'],
  brand: ['brand', 'text'],
  property: ['property', 'text'],
  place: ['place', 'text'],
  checkIn: ['check_in', 'text'],
  checkOut: ['check_out', 'text'],
  guests: ['guests', 'integer'],
  amount: ['amount', 'double precision'],
  currency: ['currency', 'text'],
  retrievedAt: ['retrieved_at', 'bigint'],
  validUntil: ['valid_until', 'bigint'],
  details: ['details', 'text'],
};
const MEMBERS = Object.keys(COLUMNS) as readonly (keyof IssuedQuote)[];
const NAMES = MEMBERS.map((member) => COLUMNS[member][0]).join(', ');
const ARRAYS = MEMBERS.map((member, position) => `$${position + 1}::${COLUMNS[member][1]}[]`).join(', ');

/** Locks for the transaction: nodes may insert concurrently, but not during a deletion, which could remove the policy of a new quote. */
const LOCK = "hashtextextended('staywire ledger of ' || current_schema(), 0)";
const WHILE_NONE_DELETES = `pg_advisory_xact_lock_shared(${LOCK})`;
const ALONE = `pg_advisory_xact_lock(${LOCK})`;

/**
 * One statement for all quotes: an array per column. No two nodes send the same quote, and policies and accounts are locked in order, so nodes
 * cannot deadlock.
 */
const INSERT = `
  WITH given AS MATERIALIZED (
    SELECT quote.* FROM (SELECT ${WHILE_NONE_DELETES}) AS locked,
      unnest(${ARRAYS}, $15::text[], $16::text[], $17::integer[]) WITH ORDINALITY
      AS quote (${NAMES}, policy, policy_json, policy_bytes, position)
  ), added_policy AS (
    INSERT INTO quote_policy (hash, json, assistant, bytes)
    SELECT DISTINCT ON (policy) policy, policy_json, assistant, policy_bytes FROM given
    WHERE policy IS NOT NULL ORDER BY policy
    ON CONFLICT (hash) DO NOTHING RETURNING assistant, bytes
  ), added AS (
    INSERT INTO issued_quote (${NAMES}, policy) SELECT ${NAMES}, policy FROM given ORDER BY position
    ON CONFLICT (nxq) DO NOTHING RETURNING assistant, ${QUOTE_BYTES} + coalesce(octet_length(details), 0) AS bytes
  )
  INSERT INTO ledger_account AS account (assistant, bytes)
  SELECT assistant, sum(bytes) FROM (SELECT * FROM added UNION ALL SELECT * FROM added_policy) AS grown
  GROUP BY assistant ORDER BY assistant
  ON CONFLICT (assistant) DO UPDATE SET bytes = account.bytes + excluded.bytes`;
const MEMBER_COLUMNS = MEMBERS.map((member) => `${COLUMNS[member][0]} AS "${member}"`).join(', ');
const SELECT = `SELECT ${MEMBER_COLUMNS}, (SELECT json FROM quote_policy WHERE hash = policy) AS "policyJson" FROM issued_quote`;
const ISSUED = `${SELECT} WHERE retrieved_at >= $1 ORDER BY retrieved_at, number LIMIT $2`;
const NEWEST_FIRST = 'ORDER BY retrieved_at DESC, number DESC';
const FIND_BY_IDENTIFIER = `${SELECT} WHERE nxq = $1 ${NEWEST_FIRST} LIMIT $2`;
const FIND_BY_STAY = `${SELECT} WHERE check_in = $1 AND check_out = $2 AND property = $3 ${NEWEST_FIRST} LIMIT $4`;

/** Old by the server's clock too: a node whose clock is ahead must not delete shared data. */
const DELETE_OLD = deleteChosen(`
    WHERE retrieved_at < least($1::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint) - $2::bigint
    ORDER BY retrieved_at LIMIT $3`);

const DELETE_SURPLUS = deleteChosen(`
    WHERE assistant = (SELECT assistant FROM ledger_account ORDER BY bytes DESC LIMIT 1)
    ORDER BY number LIMIT least($3::bigint, (
      SELECT ceil(greatest(sum(bytes) - $1::bigint, max(bytes) - $2::bigint, 0) / ${SURPLUS_BYTES_A_QUOTE}.0)::bigint FROM ledger_account
    ))`);

/** A trigger subtracts them from their account, and deletes unused policies. Skips quotes that another node has deleted meanwhile. */
function deleteChosen(choice: string): string {
  return `
  WITH chosen AS MATERIALIZED (
    SELECT number FROM issued_quote ${choice}
  ), deleted AS (
    DELETE FROM issued_quote USING (SELECT ${ALONE}) AS locked, chosen
    WHERE issued_quote.number = chosen.number RETURNING 1
  ) SELECT count(*)::integer AS quotes FROM deleted`;
}

export function createPostgresLedgerWriter(queries: PostgresQueries): QuoteLedgerWriter {
  return {
    async insert(quotes) {
      const rows = quotes.map((quote) => {
        const { details, cancellation } = storedDetails(quote);
        const policy = cancellation === null ? null : storedPolicy(cancellation, quote.assistant);
        return { quote, details, policy };
      });
      await queries.query(INSERT, [
        ...MEMBERS.map((member) =>
          rows.map(({ quote, details }) => (member === 'details' ? details : storable(quote[member]))),
        ),
        ...(['hash', 'json', 'bytes'] as const).map((member) =>
          rows.map(({ policy }) => policy?.[member] ?? null),
        ),
      ]);
    },
  };
}

export function createPostgresQuoteLedger({
  queries,
  flushed,
}: {
  readonly queries: PostgresQueries;
  /** Resolves once the quotes of this node are in the ledger, so that a node's answer includes at least its own quotes. */
  readonly flushed: () => Promise<void>;
}): QuoteLedger {
  return {
    async issuedQuotes({ since, limit }) {
      await flushed();
      return (await queries.query<QuoteRow>(ISSUED, [Math.ceil(since), limit])).map(quoteIn);
    },
    async findQuotes(question, limit) {
      await flushed();
      return findQuotes(queries, question, limit);
    },
    async deleteQuotes({ now, keptMs, limit }) {
      await flushed();
      const rows = await queries.query<{ quotes: number }>(DELETE_OLD, [Math.floor(now), keptMs, limit]);
      return rows[0]?.quotes ?? 0;
    },
    async deleteSurplus({ maxBytes, maxAssistantBytes, limit }) {
      await flushed();
      const bounds = [maxBytes, maxAssistantBytes, limit];
      const rows = await queries.query<{ quotes: number }>(DELETE_SURPLUS, bounds);
      return rows[0]?.quotes ?? 0;
    },
  };
}

/** Only quotes that have reached the ledger. */
export async function findQuotes(
  queries: PostgresQueries,
  question: QuoteQuestion,
  limit: number,
): Promise<readonly IssuedQuote[]> {
  const rows =
    'nxq' in question
      ? await queries.query<QuoteRow>(FIND_BY_IDENTIFIER, [storable(question.nxq), limit])
      : await queries.query<QuoteRow>(FIND_BY_STAY, [
          question.checkIn,
          question.checkOut,
          storable(question.property),
          limit,
        ]);
  return rows.map(quoteIn);
}

function storable<Value extends string | number>(value: Value): Value | string {
  return typeof value === 'string' ? storableText(value) : value;
}

function quoteIn({ policyJson, ...row }: QuoteRow): IssuedQuote {
  return { ...row, details: detailsIn(row.details, policyJson) };
}
