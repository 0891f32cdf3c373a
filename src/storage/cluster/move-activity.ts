import { ADD_COUNTS } from '../postgres/activity-store.ts';
import { putNewerOutcomes } from '../postgres/booking-outcomes.ts';
import type { PostgresPool } from '../postgres/connection.ts';
import type { EmbeddedActivity } from '../sqlite/embedded-activity.ts';

/** A page of rows takes well under a second. */
const LIMITS = { statementTimeoutMs: 60_000 };

/**
 * Moves what an embedded store has for its owner. Counts are added to those of other stores, and so all at once and only the first time. What
 * PostgreSQL knows already of brands and settings stays: nodes that share it go by that.
 */
export async function moveActivity(
  source: EmbeddedActivity,
  pool: PostgresPool,
  advance: (more: number) => void,
): Promise<void> {
  await pool.inTransaction(async (transaction) => {
    const [fresh] = await transaction.query(
      'INSERT INTO activity_moved (source) VALUES ($1) ON CONFLICT DO NOTHING RETURNING source',
      [source.source],
    );
    for (const rows of source.counts()) {
      if (fresh) await transaction.query(ADD_COUNTS, [JSON.stringify(rows)]);
      advance(rows.length);
    }
  }, LIMITS);
  for (const outcomes of source.outcomes()) {
    await putNewerOutcomes(pool, outcomes);
    advance(outcomes.length);
  }
  for (const { brand, pausedAt, readingRequestedAt, confirmedLosses } of source.controls()) {
    await pool.query(
      `INSERT INTO brand_control (brand, paused_at, reading_requested_at, confirmed_losses) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [brand, pausedAt, readingRequestedAt, JSON.stringify(Object.fromEntries(confirmedLosses))],
    );
  }
  for (const { name, value } of source.settings()) {
    await pool.query('INSERT INTO owner_setting (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      name,
      value,
    ]);
  }
}
