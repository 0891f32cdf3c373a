import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { temporaryPool, throwawayPostgres } from '../../../test/support/throwaway-postgres.ts';
import { createPostgresPool, type PostgresQueries } from './connection.ts';

const END_ME = 'SELECT pg_terminate_backend(pg_backend_pid())';

describe('the connection to PostgreSQL', () => {
  it('gives whole numbers as numbers, and commits what resolves', async (t) => {
    const pool = await temporaryPool(t);
    if (!pool) return;
    await pool.query(`CREATE SCHEMA ${pool.schema}`);
    await pool.query('CREATE TABLE kept (number bigint)');
    const added = (number: number) => (queries: PostgresQueries) =>
      queries.query('INSERT INTO kept VALUES ($1)', [number]);
    await pool.inTransaction(added(2 ** 48));
    const refused = pool.inTransaction(async (transaction) => {
      await added(2)(transaction);
      throw new Error('not this one');
    });
    await assert.rejects(refused, { message: 'not this one' });
    assert.deepEqual(await pool.query('SELECT number FROM kept'), [{ number: 2 ** 48 }]);
  });

  it('replaces a connection that broke, in a statement, in a transaction or idle', async (t) => {
    const pool = await temporaryPool(t);
    if (!pool) return;
    await assert.rejects(pool.query(END_ME), { name: 'StorageFailure', kind: 'unreachable' });
    const broken = pool.inTransaction(async (transaction) => {
      await assert.rejects(transaction.query(END_ME), { kind: 'unreachable' });
      return transaction.query('SELECT 1');
    });
    await assert.rejects(broken, { kind: 'unreachable' });
    const [idle] = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const other = await pool.connect();
    await other.query('SELECT pg_terminate_backend($1, 5000)', [idle?.pid]);
    await other.close();
    await other.ended;
    assert.deepEqual(await pool.query('SELECT 1 AS one'), [{ one: 1 }]);
  });

  it('ends what takes too long', async (t) => {
    const server = await throwawayPostgres();
    if ('missing' in server) return t.skip(`NOT TESTED: deadlines of PostgreSQL: ${server.missing}.`);
    const pool = createPostgresPool({ url: server.url, statementTimeoutMs: 20 });
    t.after(() => pool.close());
    await assert.rejects(pool.query('SELECT pg_sleep(30)'), { kind: 'unreachable' });
    assert.deepEqual(await pool.query('SELECT 1 AS one'), [{ one: 1 }]);
  });

  it('ends, although the server has stopped to answer', async (t) => {
    const server = await throwawayPostgres();
    if ('missing' in server) return t.skip(`NOT TESTED: connections that hang: ${server.missing}.`);
    const proxy = await startTcpProxy({ port: Number(new URL(server.url).port) });
    t.after(() => proxy.close());
    const pool = createPostgresPool({ url: proxy.via(server.url) });
    const connection = await pool.connect();
    await pool.query('SELECT 1');
    proxy.hang();
    const asking = assert.rejects(pool.query('SELECT 1'), { kind: 'unreachable' });
    await Promise.all([connection.close(), pool.close(), asking]);
  });

  it('hears what was said on a channel, and refuses everything once closed', async (t) => {
    const server = await throwawayPostgres();
    if ('missing' in server) return t.skip(`NOT TESTED: notices of PostgreSQL: ${server.missing}.`);
    const pool = createPostgresPool({ url: server.url });
    const connection = await pool.connect();
    const heard = Promise.withResolvers<string>();
    await connection.onNotice('staywire_test_notices', heard.resolve);
    await pool.query("SELECT pg_notify('staywire_test_notices', '7')");
    assert.equal(await heard.promise, '7');
    await connection.close();
    await Promise.all([pool.close(), pool.close()]);
    await assert.rejects(pool.query('SELECT 1'), { kind: 'closed' });
    await assert.rejects(pool.connect(), { kind: 'closed' });
  });
});
