import type { OwnerSettings } from '../../console/owner-settings.ts';
import type { PostgresQueries } from './connection.ts';

export function createPostgresOwnerSettings(queries: PostgresQueries): OwnerSettings {
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
