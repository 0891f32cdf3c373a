import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createPostgresPool, type PostgresPool } from '../../src/storage/postgres/connection.ts';
import { freePort } from './free-port.ts';
import { installPostgres } from './install-postgres.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

export type ThrowawayPostgres = {
  readonly url: string;
  /** Ends the server, and removes its data. Nothing happens to one that somebody else has started. */
  stop(): void;
};

const USER = 'staywire';

/** A test may end the server, but not the machine: what was committed has reached the system, not the disk. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'fsync=off',
  'full_page_writes=off',
  'shared_buffers=64MB',
  'max_connections=200',
  'jit=off',
];

let shared: Promise<ThrowawayPostgres | { readonly missing: string }> | undefined;

/** One server for all tests of a process, or of the whole run when STAYWIRE_TEST_POSTGRES_URL names it. It ends with the process. */
export function throwawayPostgres(): Promise<ThrowawayPostgres | { readonly missing: string }> {
  shared ??= findOrStart();
  return shared;
}

/** A server for one test alone, which may stop and start it. */
export async function ownPostgres(
  /** They go before those of tests. */
  settings: readonly string[] = [],
): Promise<
  (ThrowawayPostgres & Pick<PostgresServer, 'start'> & { crash(): void }) | { readonly missing: string }
> {
  const missing = installPostgres();
  if (missing) return missing;
  const folder = mkdtempSync(join(tmpdir(), 'staywire-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const port = await freePort();
  const server = startPostgres({ folder, user: USER, settings: [...SETTINGS, ...settings, `port=${port}`] });
  if ('missing' in server) {
    remove();
    return server;
  }
  // After the server has ended, which is the first thing that happens at the end of the process.
  process.once('exit', remove);
  return {
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    crash: () => server.stop(),
    start: () => server.start(),
    stop() {
      server.stop();
      remove();
      process.off('exit', remove);
    },
  };
}

/** In a schema of its own, which is dropped after the test. Undefined, and the test skipped, where there is no PostgreSQL. */
export async function temporaryPool(test: TestContext): Promise<PostgresPool | undefined> {
  const server = await throwawayPostgres();
  if ('missing' in server) {
    test.skip(`NOT TESTED: what is kept in PostgreSQL: ${server.missing}.`);
    return undefined;
  }
  const pool = createPostgresPool({ url: server.url, schema: temporarySchema() });
  test.after(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS ${pool.schema} CASCADE`);
    await pool.close();
  });
  return pool;
}

/** The address of a database of its own, for nodes that choose no schema. Undefined where there is no PostgreSQL. */
export async function temporaryDatabaseUrl(test: TestContext): Promise<string | undefined> {
  const server = await throwawayPostgres();
  if ('missing' in server) return undefined;
  const name = temporarySchema();
  const pool = createPostgresPool({ url: server.url, maxConnections: 1 });
  await pool.query(`CREATE DATABASE ${name}`);
  test.after(async () => {
    await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await pool.close();
  });
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

export function temporarySchema(): string {
  return `staywire_test_${randomBytes(6).toString('hex')}`;
}

async function findOrStart(): Promise<ThrowawayPostgres | { readonly missing: string }> {
  const url = process.env.STAYWIRE_TEST_POSTGRES_URL;
  if (url !== undefined) return { url, stop: () => {} };
  return ownPostgres();
}
