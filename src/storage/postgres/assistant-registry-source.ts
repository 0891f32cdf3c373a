import {
  documentOf,
  type RegistryDocument,
  type RegistrySource,
} from '../../access/registry/registry-source.ts';
import { createPostgresPool, type PostgresOptions } from './connection.ts';
import { migrate } from './migrate.ts';

/** The registry that all nodes share, on a connection of its own. Opens also while PostgreSQL is down, because nodes start then too. */
export function openPostgresRegistry(options: PostgresOptions): RegistrySource {
  const pool = createPostgresPool({ ...options, maxConnections: 1 });
  let migrated: Promise<void> | undefined;
  let seen: RegistryDocument | null = null;

  function ready(): Promise<void> {
    migrated ??= migrate(pool).catch((failure: unknown) => {
      migrated = undefined;
      throw failure;
    });
    return migrated;
  }

  return {
    async read() {
      await ready();
      const [row] = await pool.query<{ version: string; content: string | null }>(
        'SELECT version, CASE WHEN version = $1 THEN NULL ELSE content END AS content FROM assistant_registry',
        [seen?.version ?? ''],
      );
      if (!row) seen = null;
      else if (row.content !== null) seen = { version: row.version, text: row.content };
      return seen;
    },

    async replace(expectedVersion, text) {
      await ready();
      const { version } = documentOf(text);
      const changed =
        expectedVersion === null
          ? await pool.query(
              `INSERT INTO assistant_registry (version, content) VALUES ($1, $2)
               ON CONFLICT (only_row) DO NOTHING RETURNING version`,
              [version, text],
            )
          : await pool.query(
              `UPDATE assistant_registry SET version = $1, content = $2, stored_at = clock_timestamp()
               WHERE version = $3 RETURNING version`,
              [version, text, expectedVersion],
            );
      return changed.length === 1 ? 'replaced' : 'changed_meanwhile';
    },

    close: () => pool.close(),
  };
}
