import { type Clock, systemClock } from '../../clock.ts';
import type { BrandControl, BrandControls } from '../../sync/brand-controls.ts';
import type { OpenedOwnerStore, OwnerStore } from '../storage.ts';
import { createPostgresActivityStore } from './activity-store.ts';
import { createPostgresBookingOutcomes } from './booking-outcomes.ts';
import type { PostgresOptions, PostgresQueries } from './connection.ts';
import { openMigratedPool } from './migrate.ts';
import { findQuotes } from './quote-ledger.ts';

function createPostgresBrandControls(queries: PostgresQueries): BrandControls {
  return {
    async all() {
      return await queries.query<BrandControl>(
        'SELECT brand, paused_at AS "pausedAt", reading_requested_at AS "readingRequestedAt" FROM brand_control',
      );
    },
    async setPaused(brand, isPaused, at) {
      await queries.query(
        `INSERT INTO brand_control AS known (brand, paused_at) VALUES ($1, $2)
         ON CONFLICT (brand) DO UPDATE
           SET paused_at = CASE WHEN excluded.paused_at IS NULL THEN NULL ELSE coalesce(known.paused_at, excluded.paused_at) END`,
        [brand, isPaused ? at : null],
      );
    },
    async requestReading(brand, at) {
      await queries.query(
        `INSERT INTO brand_control AS known (brand, reading_requested_at) VALUES ($1, $2)
         ON CONFLICT (brand) DO UPDATE
           SET reading_requested_at = greatest(known.reading_requested_at, excluded.reading_requested_at)`,
        [brand, at],
      );
    },
  };
}

export function createPostgresOwnerStore(
  queries: PostgresQueries,
  clock: Pick<Clock, 'now'> = systemClock,
): OwnerStore {
  return {
    activity: createPostgresActivityStore(queries, clock),
    controls: createPostgresBrandControls(queries),
    outcomes: createPostgresBookingOutcomes(queries, clock),
    owner: {
      async get(name) {
        const [row] = await queries.query<{ value: string }>(
          'SELECT value FROM owner_setting WHERE name = $1',
          [name],
        );
        return row?.value ?? null;
      },
      async set(name, value) {
        await queries.query(
          'INSERT INTO owner_setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
          [name, value],
        );
      },
    },
  };
}

/** For a command. Does not find quotes that still wait on a node for the ledger. */
export async function openPostgresOwnerStore(options: PostgresOptions): Promise<OpenedOwnerStore> {
  const pool = await openMigratedPool({ ...options, maxConnections: 2 });
  return {
    ...createPostgresOwnerStore(pool),
    ledger: { findQuotes: (question, limit) => findQuotes(pool, question, limit) },
    close: () => pool.close(),
  };
}
