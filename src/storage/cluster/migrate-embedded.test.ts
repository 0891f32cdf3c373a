import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { allStored } from '../../../test/support/all-stored.ts';
import { EMBEDDED, writeEmbeddedStore } from '../../../test/support/embedded-store.ts';
import { temporaryInventory } from '../../../test/support/temporary-inventory.ts';
import { openSqliteIn, temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { temporaryPool, throwawayPostgres } from '../../../test/support/throwaway-postgres.ts';
import { sampleCount } from '../../analytics/activity-store.contract.ts';
import { sampleOutcome } from '../../analytics/bookings/booking-outcomes.contract.ts';
import type { PostgresPool } from '../postgres/connection.ts';
import { createPostgresOwnerStore } from '../postgres/owner-store.ts';
import { migrateEmbedded, type StoreMigrationOptions } from './migrate-embedded.ts';

async function setUp(t: TestContext) {
  const pool = await temporaryPool(t);
  const server = await throwawayPostgres();
  if (!pool || 'missing' in server) return undefined;
  const directory = join(temporaryDirectory(t), 'data');
  await writeEmbeddedStore(directory);
  const run = (options: Partial<StoreMigrationOptions> = {}) =>
    migrateEmbedded({
      directory,
      postgresUrl: server.url,
      schema: pool.schema,
      merge: false,
      signal: new AbortController().signal,
      report: () => {},
      ...options,
    });
  return { pool, server, directory, run };
}

const MIGRATED = { kind: 'migrated', counts: EMBEDDED, isCopy: false, differing: [] };

async function countsIn(pool: PostgresPool): Promise<Readonly<Record<string, number>>> {
  const [row] = await pool.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM property) AS homes, (SELECT count(*) FROM calendar) AS calendars,
       (SELECT count(*) FROM document) AS documents, (SELECT count(*) FROM learned) AS learned,
       (SELECT count(*) FROM issued_quote) AS quotes, (SELECT count(*) FROM activity_count) AS counts,
       (SELECT count(*) FROM booking_outcome) AS bookings`,
  );
  return row ?? {};
}

async function changesIn(pool: PostgresPool): Promise<number> {
  const [row] = await pool.query<{ number: number }>('SELECT number FROM inventory_counter');
  return row?.number ?? 0;
}

describe('moving an embedded store to PostgreSQL', () => {
  it('moves everything that lasts, and nothing twice', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { pool, run } = set;
    assert.deepEqual(await run(), MIGRATED);
    assert.deepEqual(await countsIn(pool), EMBEDDED);
    const changes = await changesIn(pool);
    assert.deepEqual(await run(), MIGRATED);
    assert.deepEqual(await countsIn(pool), EMBEDDED);
    assert.equal(await changesIn(pool), changes, 'nodes that follow are told of nothing');
  });

  it('leaves a node what the embedded store had, on its old folder and on a new one', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { pool, server, directory, run } = set;
    const embedded = await openSqliteIn(directory);
    const before = await allStored(embedded.inventory);
    await embedded.close();
    await run();
    for (const [node, folder] of [
      ['one', directory],
      ['two', temporaryDirectory(t)],
    ] as const) {
      const options = { schema: pool.schema, directory: folder, node };
      const { store } = await temporaryInventory(t, server, options);
      const byId = (homes: typeof before) => new Map(homes.map((home) => [home.id, home]));
      assert.deepEqual(byId(await allStored(store)), byId(before), node);
      assert.equal(new TextDecoder().decode(await store.document('azul/rate_card')), '{"é":1}');
      assert.equal(await store.learned('azul'), '{"learned":true}');
    }
  });

  it('moves what the owner sees once, and leaves what nodes have decided since', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { pool, directory, run } = set;
    const question = { measures: ['wishes'], from: 0, to: 100, byHour: true } as const;
    const embedded = await openSqliteIn(directory);
    const before = await embedded.activity.read(question);
    await embedded.close();
    await run();
    const nodes = createPostgresOwnerStore(pool);
    const byPlace = (counts: typeof before) => new Map(counts.map((count) => [count.place, count]));
    assert.deepEqual(byPlace(await nodes.activity.read(question)), byPlace(before));
    assert.deepEqual(await nodes.controls.all(), [
      { brand: 'azul', pausedAt: 7, readingRequestedAt: null, confirmedLosses: new Map() },
    ]);
    assert.equal(await nodes.owner.get('console_password'), 'embedded');
    assert.equal((await nodes.outcomes.ofQuote({ nxq: 's/3/a', brand: 'azul' }, 5)).length, 1);

    await nodes.activity.add({ id: 'later', at: 1, counts: [sampleCount('sessions', 10)] });
    await nodes.controls.setPaused('azul', false, 8);
    await nodes.owner.set('console_password', 'changed');
    const cancelled = sampleOutcome('1', { status: 'cancelled', reportedAt: 3_000 });
    await nodes.outcomes.put([cancelled]);
    await run();
    assert.deepEqual(byPlace(await nodes.activity.read(question)), byPlace(before));
    assert.equal((await nodes.controls.all())[0]?.pausedAt, null);
    assert.equal(await nodes.owner.get('console_password'), 'changed');
    const [kept] = await nodes.outcomes.read({ from: 0, before: 9_000, limit: 1 });
    assert.deepEqual(kept, cancelled);
  });

  it('goes on after an interruption in any phase', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { pool, run } = set;
    for (const phase of ['catalogues', 'calendars', 'quotes', 'counts', 'comparison'] as const) {
      const interruption = new AbortController();
      const outcome = await run({
        signal: interruption.signal,
        onProgress: (current) => void (current === phase && interruption.abort()),
      });
      assert.deepEqual(outcome, { kind: 'interrupted' }, phase);
    }
    assert.deepEqual(await run(), MIGRATED);
    assert.deepEqual(await countsIn(pool), EMBEDDED);
  });

  it('refuses while nodes are running, and where there are other homes', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { pool, run } = set;
    await run();
    await pool.query("INSERT INTO live_node VALUES ('n1', clock_timestamp() + interval '1 hour')");
    const busy = { kind: 'refused', reason: 'nodes_are_running', examples: ['n1'] };
    assert.deepEqual(await run({ merge: true }), busy);
    await pool.query('DELETE FROM live_node');
    await pool.query("INSERT INTO property VALUES ('rojo:1', 'rojo', '{}', 1, 0)");
    const foreign = { kind: 'refused', reason: 'other_homes', examples: ['rojo:1'] };
    assert.deepEqual(await run(), foreign);
    assert.deepEqual(await run({ merge: true }), MIGRATED);
    assert.equal((await countsIn(pool)).homes, EMBEDDED.homes + 1);
  });

  it('mends what is different, and finds what somebody else has changed meanwhile', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { pool, run } = set;
    await run();
    await pool.query("UPDATE property SET digest = 1, state = '{}' WHERE id = 'azul:ü-1'");
    await pool.query("UPDATE calendar SET read_at = 1 WHERE property = 'azul:ü-2'");
    await pool.query("DELETE FROM property WHERE id = 'verde:ü-0'");
    await pool.query("UPDATE document SET content = 'other' WHERE name = 'azul/rate_card'");
    assert.deepEqual(await run(), MIGRATED);

    // Somebody writes while the ledger is moved.
    await pool.query(
      `CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN UPDATE property SET state = '{}' WHERE id = 'azul:ü-3'; RETURN NULL; END $$`,
    );
    await pool.query(
      'CREATE TRIGGER interfering AFTER INSERT ON issued_quote FOR EACH STATEMENT EXECUTE FUNCTION interfere()',
    );
    assert.deepEqual(await run(), { ...MIGRATED, differing: ['home azul:ü-3'] });
  });

  it('leaves the homes of a node’s copy alone, and moves its ledger', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { pool, directory, run } = set;
    const database = new DatabaseSync(join(directory, 'inventory.sqlite'));
    database.exec("INSERT INTO replica_position VALUES (1, 'elsewhere', 7, 'mark')");
    database.close();
    assert.deepEqual(await run(), { ...MIGRATED, isCopy: true });
    const { homes, quotes } = await countsIn(pool);
    assert.deepEqual({ homes, quotes }, { homes: 0, quotes: EMBEDDED.quotes });
  });

  it('does not touch a folder on which a service works, or that has no store', async (t) => {
    const set = await setUp(t);
    if (!set) return;
    const { directory, run } = set;
    const storage = await openSqliteIn(directory);
    await assert.rejects(run(), { kind: 'in_use' });
    await storage.close();
    const empty = temporaryDirectory(t);
    await assert.rejects(run({ directory: empty }), { message: `There is no embedded store in ${empty}.` });
  });
});
