import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createPostgresPool, type PostgresPool } from '../../src/storage/postgres/connection.ts';
import { throwawayPostgres } from './throwaway-postgres.ts';

export type TemporaryDatabase = {
  /** With a user and a password, which no message may repeat. */
  readonly url: string;
  readonly password: string;
  /** Of the schema that the service uses. */
  readonly pool: PostgresPool;
};

/** A database of its own, for what is only given an address. Undefined, and the test skipped, where there is no PostgreSQL. */
export async function temporaryDatabase(test: TestContext): Promise<TemporaryDatabase | undefined> {
  const server = await throwawayPostgres();
  if ('missing' in server) {
    test.skip(`NOT TESTED: what is kept in PostgreSQL: ${server.missing}.`);
    return undefined;
  }
  const name = `staywire_test_${randomBytes(6).toString('hex')}`;
  const password = 'a-password-that-nobody-may-see';
  const url = new URL(server.url);
  // Throwaway servers ask local users for none.
  if (url.password === '') url.password = password;
  url.pathname = `/${name}`;
  const servers = createPostgresPool({ url: server.url, maxConnections: 1 });
  await servers.query(`CREATE DATABASE ${name}`);
  const pool = createPostgresPool({ url: url.href });
  test.after(async () => {
    await pool.close();
    await servers.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await servers.close();
  });
  return { url: url.href, password: url.password, pool };
}
