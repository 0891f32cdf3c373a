import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryPool } from '../../../test/support/throwaway-postgres.ts';
import type { PostgresPool } from './connection.ts';
import { migrate, migrationOf } from './migrate.ts';

const FIRST = migrationOf(1, 'first', 'CREATE TABLE first (a integer); INSERT INTO first VALUES (1);');
const SECOND = migrationOf(2, 'second', 'ALTER TABLE first ADD COLUMN b integer;');
const INCOMPATIBLE = migrationOf(
  3,
  'incompatible',
  '-- incompatible: a is gone\nALTER TABLE first DROP COLUMN a;',
);

describe('migrations of PostgreSQL', () => {
  it('run once, however many nodes start at the same time', async (t) => {
    const pool = await temporaryPool(t);
    if (!pool) return;
    await Promise.all(Array.from({ length: 4 }, () => migrate(pool, [FIRST, SECOND])));
    assert.deepEqual(await recorded(pool), ['first', 'second']);
    assert.deepEqual(await pool.query('SELECT a, b FROM first'), [{ a: 1, b: null }]);
  });

  it('of a later release are no obstacle unless they say so', async (t) => {
    const pool = await temporaryPool(t);
    if (!pool) return;
    await migrate(pool, [FIRST, SECOND]);
    await migrate(pool, [FIRST]);
    await migrate(pool, [FIRST, SECOND, INCOMPATIBLE]);
    await assert.rejects(migrate(pool, [FIRST, SECOND]), { kind: 'unknown_format' });
  });

  it('that differ from those that were run are refused', async (t) => {
    const pool = await temporaryPool(t);
    if (!pool) return;
    await migrate(pool, [FIRST]);
    await assert.rejects(migrate(pool, [migrationOf(1, 'first', 'SELECT 1')]), { kind: 'unknown_format' });
    await migrate(pool, [migrationOf(1, 'first', FIRST.text.replaceAll('\n', '\r\n'))]);
  });

  it('give way where somebody uses a table for long, and change nothing', async (t) => {
    const pool = await temporaryPool(t);
    if (!pool) return;
    await migrate(pool, [FIRST]);
    await pool.inTransaction(async (reader) => {
      await reader.query('SELECT a FROM first');
      await assert.rejects(migrate(pool, [FIRST, SECOND]), { kind: 'busy' });
    });
    assert.deepEqual(await recorded(pool), ['first']);
    await migrate(pool, [FIRST, SECOND]);
    assert.deepEqual(await recorded(pool), ['first', 'second']);
  });

  it('make the tables of this release', async (t) => {
    const pool = await temporaryPool(t);
    if (!pool) return;
    await migrate(pool);
    assert.deepEqual(await pool.query('SELECT number FROM inventory_counter'), [{ number: 0 }]);
  });
});

async function recorded(pool: PostgresPool): Promise<string[]> {
  const rows = await pool.query<{ name: string }>('SELECT name FROM migration ORDER BY number');
  return rows.map(({ name }) => name);
}
