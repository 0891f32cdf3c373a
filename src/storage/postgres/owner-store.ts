import { type Clock, systemClock } from '../../clock.ts';
import type { OwnerSettings } from '../../console/owner-settings.ts';
import type { OpenedOwnerStore, OwnerStore } from '../owner-store.ts';
import { createPostgresActivityStore } from './activity-store.ts';
import { createPostgresBookingOutcomes } from './booking-outcomes.ts';
import { createPostgresBrandControls } from './brand-controls.ts';
import { createPostgresPool, type PostgresOptions, type PostgresQueries } from './connection.ts';
import { migrate } from './migrate.ts';
import { findQuotes } from './quote-ledger.ts';

export function createPostgresOwnerStore(
  queries: PostgresQueries,
  clock: Pick<Clock, 'now'> = systemClock,
): OwnerStore {
  return {
    activity: createPostgresActivityStore(queries, clock),
    controls: createPostgresBrandControls(queries),
    outcomes: createPostgresBookingOutcomes(queries, clock),
    owner: createPostgresOwnerSettings(queries),
  };
}

/** For a command. Quotes that wait on a node for the ledger are not found yet. */
export async function openPostgresOwnerStore(options: PostgresOptions): Promise<OpenedOwnerStore> {
  const pool = createPostgresPool({ ...options, maxConnections: 2 });
  try {
    await migrate(pool);
  } catch (failure) {
    await pool.close();
    throw failure;
  }
  return {
    ...createPostgresOwnerStore(pool),
    ledger: { findQuotes: (question, limit) => findQuotes(pool, question, limit) },
    close: () => pool.close(),
  };
}

function createPostgresOwnerSettings(queries: PostgresQueries): OwnerSettings {
  return {
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
  };
}
