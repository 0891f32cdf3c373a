import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Clock, systemClock } from '../../src/clock.ts';
import { createPostgresPool, type PostgresPool } from '../../src/storage/postgres/connection.ts';
import { openPostgresInventory, type PostgresInventory } from '../../src/storage/postgres/inventory-store.ts';
import { migrate } from '../../src/storage/postgres/migrate.ts';
import { openSqliteInventory, type SqliteInventory } from '../../src/storage/sqlite/inventory-store.ts';
import { type ThrowawayPostgres, temporarySchema } from './throwaway-postgres.ts';

export type TemporaryInventory = PostgresInventory & {
  readonly pool: PostgresPool;
  readonly copy: SqliteInventory;
};

export type TemporaryInventoryOptions = {
  /** Of another node, with which it is shared; otherwise a new one. */
  readonly schema?: string;
  /** Where its copy is kept; otherwise in a new folder, which is deleted after the test. */
  readonly directory?: string;
  readonly node?: string;
  readonly clock?: Clock;
  readonly report?: (warning: string) => void;
};

/** Closed after the test; a new schema is dropped. */
export async function temporaryInventory(
  test: TestContext,
  { url }: Pick<ThrowawayPostgres, 'url'>,
  options: TemporaryInventoryOptions = {},
): Promise<TemporaryInventory> {
  const { schema = temporarySchema(), node = 'one', clock = systemClock, report = () => {} } = options;
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'staywire-'));
  const pool = createPostgresPool({ url, schema });
  await migrate(pool);
  const copy = openSqliteInventory({ directory, report });
  const inventory = openPostgresInventory({ pool, copy, node, clock, report });
  test.after(async () => {
    inventory.close();
    if (options.schema === undefined) await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.close();
    await copy.close();
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  });
  return { ...inventory, pool, copy };
}
