import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { allStored } from '../../../test/support/all-stored.ts';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { type TemporaryInventory, temporaryInventory } from '../../../test/support/temporary-inventory.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { temporaryPool, throwawayPostgres } from '../../../test/support/throwaway-postgres.ts';
import type { InventoryChange, LoadedHome } from '../../availability/inventory-store.ts';
import { type Calendar, emptyCalendar } from '../../catalogue/calendar.ts';
import type { Property } from '../../catalogue/catalogue.ts';
import { systemClock } from '../../clock.ts';
import { openSqliteInventory } from '../sqlite/inventory-store.ts';
import type { PostgresPool } from './connection.ts';
import { openPostgresInventory } from './inventory-store.ts';
import { migrate } from './migrate.ts';

const BRANDS = ['azul', 'verde'];
const REFERENCES = ['1', '2', '3', '4'];

describe('changes of an inventory in PostgreSQL', () => {
  it('reach other nodes, with what they need to offer and to withdraw homes', async (t) => {
    const nodes = await twoNodes(t);
    if (!nodes) return;
    const [one, two] = nodes;
    const seen = await follow(t, two);
    const homes = [aHome('azul', '1'), aHome('azul', '2')];
    await one.store.replaceCatalogue('azul', homes);
    await one.store.saveCalendars([{ property: 'azul:1', calendar: aCalendar(3), readAt: 5 }]);
    await until(() => seen.offered.has('azul:1'));
    assert.deepEqual(seen.offered.get('azul:1')?.content?.calendar, aCalendar(3));
    assert.equal(two.store.listings.get('azul:2')?.name, 'A home');
    await one.store.replaceCatalogue('azul', [aHome('azul', '2')]);
    await until(() => !seen.offered.has('azul:1'));
    assert.equal(two.store.listings.get('azul:1'), undefined);
  });

  it('that could not be taken come again', async (t) => {
    const nodes = await twoNodes(t);
    if (!nodes) return;
    const [one, two] = nodes;
    let refusals = 1;
    const taken: InventoryChange[] = [];
    const followed = two.changes.follow(async (change) => {
      if (refusals > 0) {
        refusals -= 1;
        throw new Error('not now');
      }
      taken.push(change);
    });
    t.after(() => followed.stop());
    await store(one, 'azul', ['1']);
    await until(() => taken.some(({ homes }) => homes[0]?.id === 'azul:1'));
    assert.equal(refusals, 0);
  });

  it('are heard of again after the connection was cut, and the age says how long nothing was heard', async (t) => {
    const nodes = await twoNodes(t);
    if (!nodes) return;
    const [one, two] = nodes;
    const seen = await follow(t, two);
    await seen.followed.caughtUp();
    await cutConnections(one.pool);
    await until(async () => {
      // Whoever writes meets the cut connection too.
      await store(one, 'azul', ['1']).catch(() => {});
      return seen.offered.has('azul:1');
    });
    await seen.followed.caughtUp();
    assert.ok(seen.followed.ageMs() < 60_000);
    await seen.followed.stop();
    await store(one, 'azul', ['1', '2']);
    assert.equal(seen.offered.has('azul:2'), false, 'nothing comes after the stop');
  });

  it('need not be known singly: a copy of long ago, or of another database, is compared whole', async (t) => {
    const pool = await migratedPool(t);
    if (!pool) return;
    const directory = temporaryDirectory(t);
    const one = await nodeOf(t, pool, { node: 'one' });
    await store(one, 'azul', ['1', '2', '3']);
    await inNode(pool, directory, async (two) => assert.equal((await allStored(two.store)).length, 3));
    await store(one, 'azul', ['1', '4']);
    await pool.query('DELETE FROM inventory_change');
    await pool.query('DELETE FROM removed_property');
    await inNode(pool, directory, async (two) => assert.deepEqual(await copyOf(two), await copyOf(one)));
    await pool.query('UPDATE inventory_counter SET database = gen_random_uuid()');
    await pool.query("UPDATE property SET state = replace(state, 'A home', 'Restored'), digest = 7");
    await inNode(pool, directory, async (two) => {
      await allStored(two.store);
      assert.equal(two.store.listings.get('azul:1')?.name, 'Restored');
    });
  });

  it('that PostgreSQL has lost are lost in the copy too, also when others have their numbers', async (t) => {
    const nodes = await twoNodes(t);
    if (!nodes) return;
    const [one, two] = nodes;
    const { pool } = one;
    await store(one, 'azul', ['1', '2']);
    await allStored(two.store);
    // As a standby would be that had not received the last change.
    await pool.query('DELETE FROM inventory_change WHERE number = 2');
    await pool.query('UPDATE inventory_counter SET number = 1');
    await pool.query('DELETE FROM calendar');
    await one.store.saveCalendars([{ property: 'azul:2', calendar: aCalendar(1), readAt: 9 }]);
    const [home, ...others] = await allStored(two.store);
    assert.deepEqual([home?.id, home?.readAt, others], ['azul:2', 9, []]);
  });

  it('are forgotten after a week, with what they removed', async (t) => {
    const pool = await migratedPool(t);
    if (!pool) return;
    const one = await nodeOf(t, pool, { node: 'one' });
    await store(one, 'azul', ['1', '2']);
    await store(one, 'azul', ['1']);
    await pool.query("UPDATE inventory_change SET committed_at = committed_at - interval '8 days'");
    await pool.query('UPDATE inventory_counter SET number = 255');
    await store(one, 'verde', ['1']);
    assert.deepEqual(await pool.query('SELECT id FROM removed_property'), []);
    const [kept] = await pool.query<{ oldest: number }>('SELECT min(number) AS oldest FROM inventory_change');
    assert.equal(kept?.oldest, 256);
  });

  it('leave all copies alike, whoever writes what and whatever is cut off', {
    timeout: 120_000,
  }, async (t) => {
    const nodes = await twoNodes(t);
    if (!nodes) return;
    const onlooker = await nodeOf(t, nodes[0].pool, { node: 'three' });
    const shown = await follow(t, onlooker);
    const seen = [shown, ...(await Promise.all(nodes.map((node) => follow(t, node))))];
    const command = fc.oneof(
      fc.record({
        kind: fc.constant('catalogue'),
        ...onNode(),
        homes: fc.subarray(REFERENCES),
        name: fc.nat(2),
      }),
      fc.record({
        kind: fc.constant('calendars'),
        ...onNode(),
        homes: fc.subarray(REFERENCES),
        nights: fc.nat(3),
      }),
      fc.record({ kind: fc.constant('cut') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
        await Promise.all(
          commands.map(async (given) => {
            if (!('node' in given)) return cutConnections(nodes[0].pool).catch(isCut);
            const node = nodes[given.node] ?? nodes[0];
            const brand = BRANDS[given.brand] ?? '';
            // What a cut refuses may be stored or not: the copies are alike in either case.
            if ('nights' in given) {
              const calendar = aCalendar(given.nights);
              await node.store
                .saveCalendars(
                  given.homes.map((home) => ({
                    property: `${brand}:${home}`,
                    calendar,
                    readAt: given.nights,
                  })),
                )
                .catch(isCut);
            } else {
              const homes = given.homes.map((home) => aHome(brand, home, `Home ${given.name}`));
              await node.store.replaceCatalogue(brand, homes).catch(isCut);
            }
          }),
        );
        for (const { followed } of seen) await eventually(() => followed.caughtUp());
        const [one, two, three] = await Promise.all([...nodes, onlooker].map(copyOf));
        assert.deepEqual(one, two);
        assert.deepEqual(one, three);
        // Who only looks on offers what there is.
        assert.deepEqual(
          three?.homes.map(({ id, version, readAt }) => ({ id, version, readAt })),
          [...shown.offered.values()]
            .map(({ id, version, readAt }) => ({ id, version, readAt }))
            .toSorted((home, other) => (home.id < other.id ? -1 : 1)),
        );
        const stored = await nodes[0].pool.query<{ id: string; digest: number }>(
          'SELECT id, digest FROM property ORDER BY id',
        );
        assert.deepEqual(
          one?.heads.map(({ id, listing }) => ({ id, digest: listing })),
          stored,
        );
      }),
      { numRuns: 25 },
    );
  });
});

function onNode() {
  return { node: fc.nat(1), brand: fc.nat(1) };
}

type Followed = {
  readonly changes: readonly InventoryChange[];
  /** As an index would have it. */
  readonly offered: ReadonlyMap<string, LoadedHome>;
  readonly followed: ReturnType<TemporaryInventory['changes']['follow']>;
};

async function follow(
  test: TestContext,
  node: TemporaryInventory,
  { loads = true }: { readonly loads?: boolean } = {},
): Promise<Followed> {
  if (loads) await allStored(node.store);
  const changes: InventoryChange[] = [];
  const offered = new Map<string, LoadedHome>();
  const followed = node.changes.follow(async (change) => {
    changes.push(change);
    for (const home of change.homes) offered.set(home.id, home);
    for (const id of change.removed) offered.delete(id);
  });
  test.after(() => followed.stop());
  return { changes, offered, followed };
}

async function twoNodes(
  test: TestContext,
): Promise<readonly [TemporaryInventory, TemporaryInventory] | undefined> {
  const pool = await migratedPool(test);
  if (!pool) return undefined;
  return [await nodeOf(test, pool, { node: 'one' }), await nodeOf(test, pool, { node: 'two' })];
}

async function nodeOf(
  test: TestContext,
  { schema }: PostgresPool,
  options: { readonly node: string },
): Promise<TemporaryInventory> {
  const server = await throwawayPostgres();
  assert.ok('url' in server);
  return temporaryInventory(test, server, { ...options, schema });
}

/** A node that stops before the test does, so that its copy can be opened again. */
async function inNode(
  pool: PostgresPool,
  directory: string,
  work: (node: TemporaryInventory) => Promise<void>,
  options: Partial<Parameters<typeof openPostgresInventory>[0]> = {},
): Promise<void> {
  const report = () => {};
  const copy = openSqliteInventory({ directory, report });
  const inventory = openPostgresInventory({
    ...{ pool, copy, node: 'another', clock: systemClock, report },
    ...options,
  });
  await work({ ...inventory, pool, copy });
  await copy.close();
}

async function migratedPool(test: TestContext): Promise<PostgresPool | undefined> {
  const pool = await temporaryPool(test);
  if (pool) await migrate(pool);
  return pool;
}

/** With a calendar each. */
async function store({ store }: TemporaryInventory, brand: string, references: readonly string[]) {
  await store.replaceCatalogue(
    brand,
    references.map((reference) => aHome(brand, reference)),
  );
  await store.saveCalendars(
    references.map((reference) => ({ property: `${brand}:${reference}`, calendar: aCalendar(2), readAt: 1 })),
  );
}

async function copyOf({ store, copy }: TemporaryInventory) {
  const homes = await allStored(store);
  return {
    homes: homes.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    heads: copy.replica.headsBetween('', undefined),
  };
}

/** Ends all connections to the schema but the one that asks. */
async function cutConnections({ connect, schema }: PostgresPool): Promise<void> {
  const connection = await connect();
  await connection.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = $1 AND pid <> pg_backend_pid()`,
    [schema],
  );
  await connection.close();
}

function isCut(failure: unknown): void {
  assert.ok(failure instanceof Error && 'kind' in failure, String(failure));
}

async function eventually(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (failure) {
      if (tries > 200) throw failure;
      await delay(10);
    }
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isTrue()); waited += 5) {
    assert.ok(waited < 30_000, 'it became true');
    await delay(5);
  }
}

function aHome(brand: string, reference: string, name = 'A home'): Property {
  return sampleProperty({ brand, reference, name });
}

function aCalendar(nights: number): Calendar {
  const calendar = emptyCalendar(20_000, nights);
  calendar.price.fill(100 + nights);
  return calendar;
}
