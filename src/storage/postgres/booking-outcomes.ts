import { type BookingOutcomes, mergeReport } from '../../analytics/bookings/booking-outcomes.ts';
import type { Clock } from '../../clock.ts';
import { storableText } from '../../parsing/printable.ts';
import type { BookingOutcome } from '../../quotes/booking.ts';
import { deleteOldFrom, type PostgresQueries } from './connection.ts';

type OutcomeRow = Omit<BookingOutcome, 'quote'> & { readonly quote: string | null };

const OUTCOMES_AT_ONCE = 500;

/** Merges as `mergeReport` does, always in the same order, so that nodes cannot deadlock. `xmax` is 0 only for inserted rows. */
const PUT = `
  INSERT INTO booking_outcome (brand, reference, nxq, status, booked_at, amount, currency, reported_at, collected_at, quote)
  SELECT * FROM json_to_recordset($1::json) AS reported (
    brand text, reference text, nxq text, status text, "bookedAt" bigint, amount double precision, currency text, "reportedAt" bigint, "collectedAt" bigint, quote text
  ) ORDER BY brand COLLATE "C", reference COLLATE "C"
  ON CONFLICT (brand, reference) DO UPDATE SET nxq = coalesce(excluded.nxq, booking_outcome.nxq), status = excluded.status, booked_at = excluded.booked_at,
    amount = excluded.amount, currency = excluded.currency, reported_at = excluded.reported_at,
    collected_at = coalesce(excluded.collected_at, booking_outcome.collected_at),
    quote = CASE WHEN coalesce(excluded.nxq = booking_outcome.nxq, excluded.nxq IS NULL) THEN coalesce(excluded.quote, booking_outcome.quote)
      ELSE excluded.quote END
  RETURNING xmax = 0 AS is_new`;

const SELECT = `
  SELECT brand, reference, nxq, status, booked_at AS "bookedAt", amount, currency, reported_at AS "reportedAt", collected_at AS "collectedAt", quote
  FROM booking_outcome`;

const DELETE_OLD = deleteOldFrom('booking_outcome', 'booked_at');

export function createPostgresBookingOutcomes(
  queries: PostgresQueries,
  clock: Pick<Clock, 'now'>,
): BookingOutcomes {
  async function outcomes(where: string, values: readonly unknown[]): Promise<readonly BookingOutcome[]> {
    const rows = await queries.query<OutcomeRow>(`${SELECT} ${where}`, values);
    return rows.map((row) => ({ ...row, quote: row.quote === null ? null : JSON.parse(row.quote) }));
  }

  return {
    put: (reported) => putAll(queries, reported),
    // No brand or reference is empty.
    read: ({ from, before, brand, after = { bookedAt: from, brand: '', reference: '' }, limit }) =>
      outcomes(
        `WHERE (booked_at, brand, reference) > ($1, $2, $3) AND booked_at < $4 ${brand === undefined ? '' : 'AND brand = $6'}
         ORDER BY booked_at, brand, reference LIMIT $5`,
        [
          ...[after.bookedAt, after.brand, after.reference, before, limit],
          ...(brand === undefined ? [] : [brand]),
        ],
      ),
    ofQuote: ({ nxq, brand }, limit) =>
      outcomes('WHERE nxq = $1 AND brand = $2 ORDER BY booked_at DESC LIMIT $3', [
        storableText(nxq),
        brand,
        limit,
      ]),
    async known(brand, references) {
      const rows = await queries.query<{ reference: string }>(
        'SELECT reference FROM booking_outcome WHERE brand = $1 AND reference = ANY($2::text[])',
        [brand, references.map(storableText)],
      );
      const found = new Set(rows.map(({ reference }) => reference));
      return references.filter((reference) => found.has(storableText(reference)));
    },
    async count(brand) {
      const [row] = await queries.query<{ outcomes: number }>(
        'SELECT count(*)::integer AS outcomes FROM booking_outcome WHERE brand = $1',
        [brand],
      );
      return row?.outcomes ?? 0;
    },
    async lastCollectedAt(brand) {
      const [row] = await queries.query<{ last: number | null }>(
        'SELECT max(collected_at) AS last FROM booking_outcome WHERE brand = $1',
        [brand],
      );
      return row?.last ?? null;
    },
    async deleteBefore(bookedAt, limit) {
      const [deleted] = await queries.query<{ rows: number }>(DELETE_OLD, [bookedAt, limit, clock.now()]);
      return deleted?.rows ?? 0;
    },
  };
}

async function putAll(queries: PostgresQueries, reported: readonly BookingOutcome[]): Promise<number> {
  // A statement cannot change a row twice.
  const byName = new Map<string, BookingOutcome>();
  for (const outcome of reported) {
    const name = JSON.stringify([storableText(outcome.brand), storableText(outcome.reference)]);
    byName.set(name, mergeReport(byName.get(name), outcome));
  }
  const rows = [...byName.values()].map(rowOf);
  let added = 0;
  for (let from = 0; from < rows.length; from += OUTCOMES_AT_ONCE) {
    const some = JSON.stringify(rows.slice(from, from + OUTCOMES_AT_ONCE));
    const stored = await queries.query<{ is_new: boolean }>(PUT, [some]);
    added += stored.filter(({ is_new: isNew }) => isNew).length;
  }
  return added;
}

function rowOf({ quote, ...outcome }: BookingOutcome): OutcomeRow {
  return {
    ...outcome,
    brand: storableText(outcome.brand),
    reference: storableText(outcome.reference),
    nxq: outcome.nxq === null ? null : storableText(outcome.nxq),
    quote: quote === null ? null : JSON.stringify(quote),
  };
}
