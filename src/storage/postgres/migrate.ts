import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import {
  createPostgresPool,
  type PostgresOptions,
  type PostgresPool,
  type PostgresQueries,
} from './connection.ts';

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** Nodes of the previous release work with the resulting schema. */
  readonly isCompatible: boolean;
};

type RecordedMigration = Pick<Migration, 'number' | 'name' | 'checksum'> & { readonly compatible: boolean };

const FOLDER = new URL('./migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})-(.+)\.sql$/;
/** The first line of a migration that changes or removes something that nodes of the previous release use. */
const INCOMPATIBLE = /^-- incompatible\b/;
/** A migration may rewrite a table; nodes that start meanwhile wait for it. */
const MIGRATION_LIMITS = { statementTimeoutMs: 10 * 60_000 };
/** A table change that waits for a long read blocks all statements behind it, so it gives up early and is tried again. */
const LOCK_TIMEOUT_MS = 3000;

/** Migrates the schema to this release, one node at a time; the others wait. Fails with `busy` when another client uses a table for too long. */
export async function migrate(
  pool: PostgresPool,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  await pool.inTransaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `staywire migrations of ${pool.schema}`,
    ]);
    const missing = missingFrom(await recordedIn(transaction, pool.schema), migrations);
    if (missing.length > 0) await transaction.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    for (const { number, name, text, checksum, isCompatible } of missing) {
      await transaction.query(text);
      await transaction.query(
        'INSERT INTO migration (number, name, checksum, compatible) VALUES ($1, $2, $3, $4)',
        [number, name, checksum, isCompatible],
      );
    }
  }, MIGRATION_LIMITS);
}

export async function openMigratedPool(options: PostgresOptions): Promise<PostgresPool> {
  const pool = createPostgresPool(options);
  try {
    await migrate(pool);
    return pool;
  } catch (failure) {
    await pool.close();
    throw failure;
  }
}

async function recordedIn(queries: PostgresQueries, schema: string): Promise<readonly RecordedMigration[]> {
  // Checked first, so that a node that finds everything in place needs no right to create anything.
  const [table] = await queries.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    `${schema}.migration`,
  ]);
  if (!table?.exists) {
    await queries.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await queries.query(
      `CREATE TABLE migration (
         number integer PRIMARY KEY,
         name text NOT NULL,
         checksum text NOT NULL,
         compatible boolean NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
       )`,
    );
    return [];
  }
  return queries.query('SELECT number, name, checksum, compatible FROM migration ORDER BY number');
}

function missingFrom(
  recorded: readonly RecordedMigration[],
  known: readonly Migration[],
): readonly Migration[] {
  const byNumber = new Map(known.map((migration) => [migration.number, migration]));
  for (const { number, name, checksum, compatible } of recorded) {
    const migration = byNumber.get(number);
    if (!migration && !compatible) {
      throw new StorageFailure(
        'unknown_format',
        `A later release has changed the database (${name}) in a way that this one cannot work with.`,
      );
    }
    if (migration && migration.checksum !== checksum) {
      throw new StorageFailure(
        'unknown_format',
        `The database was migrated by another ${name} than the one of this release.`,
      );
    }
  }
  const done = new Set(recorded.map(({ number }) => number));
  return known.filter(({ number }) => !done.has(number));
}

export function readMigrations(): readonly Migration[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => {
      const [, number, name] = FILE_NAME.exec(file) ?? [];
      if (number === undefined || name === undefined) throw new Error(`no name for a migration: ${file}`);
      return migrationOf(Number(number), name, readFileSync(new URL(file, FOLDER), 'utf8'));
    });
}

export function migrationOf(number: number, name: string, content: string): Migration {
  const text = content.replaceAll('\r\n', '\n');
  return { number, name, text, checksum: hash('sha256', text), isCompatible: !INCOMPATIBLE.test(text) };
}
