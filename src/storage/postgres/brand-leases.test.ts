import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { temporaryPool } from '../../../test/support/throwaway-postgres.ts';
import { systemClock } from '../../clock.ts';
import type { CompetingNode } from '../../sync/leadership.ts';
import { createPostgresBrandLeases, type LeaseTimes } from './brand-leases.ts';
import type { PostgresPool } from './connection.ts';
import { createInventoryWrites } from './inventory-writes.ts';
import { migrate } from './migrate.ts';

const BRANDS = ['azul', 'blanco', 'celeste', 'dorado', 'esmeralda'];
/** Nobody loses a lease because the machine is slow; who is to lose it is made to. */
const TIMES: LeaseTimes = { leaseMs: 60_000, renewEveryMs: 5 };

describe('leases of brands in PostgreSQL', () => {
  it('are not led on when PostgreSQL was slow to give them and then went away', async () => {
    const clock = createFakeClock(0);
    const later = (milliseconds: number) =>
      new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
    let isDown = false;
    const slow = {
      async query(text: string) {
        if (isDown) throw new Error('PostgreSQL is down');
        if (text.includes('live_node')) {
          await later(1_000);
          return [{ live: 1 }];
        }
        if (!text.includes('INSERT INTO brand_lease')) return [];
        await later(11_900);
        isDown = true;
        return [{ brand: 'azul' }];
      },
    };
    const pool = slow as unknown as PostgresPool;
    const leases = createPostgresBrandLeases({ pool, node: 'one', clock, report: () => {} });
    let leads = 0;
    leases.compete('azul', async (signal) => {
      leads += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      leads -= 1;
    });
    for (let second = 0; second < 60; second += 1) await clock.advance(1000);
    assert.equal(leads, 0);
  });

  it('are parted anew when a node comes, and when one stops', async (t) => {
    const pool = await migratedPool(t);
    if (!pool) return;
    const one = startNode(t, pool, 'one');
    await until(() => one.has.size === BRANDS.length);
    const two = startNode(t, pool, 'two');
    await until(() => one.has.size === 3 && two.has.size === 2);
    await one.stop();
    assert.equal(one.has.size, 0);
    await until(() => two.has.size === BRANDS.length);
    assert.deepEqual(one.overlaps.concat(two.overlaps), []);
  });

  it('of a node that died are taken over when they have ended by the clock of PostgreSQL', async (t) => {
    const pool = await migratedPool(t);
    if (!pool) return;
    await holdBy(pool, 'the dead', 60_000);
    const two = startNode(t, pool, 'two');
    await until(() => two.beats() > 3);
    assert.equal(two.has.size, 0, 'it lives as far as anybody knows');
    await holdBy(pool, 'the dead', 0);
    await until(() => two.has.size === BRANDS.length);
  });

  it('end the work of a node that cannot renew them, before anybody else begins', async (t) => {
    const pool = await migratedPool(t);
    if (!pool) return;
    const times = { leaseMs: 50, renewEveryMs: 5 };
    let isCut = false;
    const cut: PostgresPool = {
      ...pool,
      query: (text, values) => (isCut ? Promise.reject(new Error('cut off')) : pool.query(text, values)),
    };
    const reports: string[] = [];
    const one = startNode(t, cut, 'one', { times, report: (text) => reports.push(text) });
    await until(() => one.has.size > 0);
    isCut = true;
    await until(() => one.has.size === 0);
    assert.match(reports.join(), /cut off/);
    isCut = false;
    await until(() => one.has.size > 0);
  });

  it('refuse what another node writes to the brand while they last', async (t) => {
    const pool = await migratedPool(t);
    if (!pool) return;
    const writes = createInventoryWrites({ pool, node: 'one' });
    const home = sampleProperty({ brand: 'azul', reference: '1' });
    await writes.replaceCatalogue('azul', [home]);
    await holdBy(pool, 'two', 60_000);
    const refused = { name: 'StorageFailure', kind: 'refused' };
    await assert.rejects(writes.replaceCatalogue('azul', []), refused);
    await holdBy(pool, 'one', 60_000);
    await writes.replaceCatalogue('azul', [home, sampleProperty({ brand: 'azul', reference: '2' })]);
    await holdBy(pool, 'two', 0);
    await writes.replaceCatalogue('azul', []);
  });

  it('are refused also to who lost one while it wrote', async (t) => {
    const pool = await migratedPool(t);
    if (!pool) return;
    await holdBy(pool, 'one', 60_000);
    const losing: PostgresPool = {
      ...pool,
      inTransaction: (work, limits) =>
        pool.inTransaction(
          (transaction) =>
            work({
              async query(text, values) {
                if (text.includes('INSERT INTO property')) await holdBy(pool, 'two', 60_000);
                return transaction.query(text, values);
              },
            }),
          limits,
        ),
    };
    const writes = createInventoryWrites({ pool: losing, node: 'one' });
    const writing = writes.replaceCatalogue('azul', [sampleProperty({ brand: 'azul', reference: '1' })]);
    await assert.rejects(writing, { kind: 'refused' });
    assert.deepEqual(await pool.query('SELECT id FROM property'), []);
  });
});

/** Competes for all brands. */
function startNode(
  test: TestContext,
  pool: PostgresPool,
  node: string,
  { times = TIMES, report = () => {} }: { times?: LeaseTimes; report?: (text: string) => void } = {},
) {
  const has = new Set<string>();
  const overlaps: string[] = [];
  let beats = 0;
  const counting: PostgresPool = {
    ...pool,
    query(text, values) {
      if (text.includes('live_node')) beats += 1;
      return pool.query(text, values);
    },
  };
  const leases = createPostgresBrandLeases({ pool: counting, node, clock: systemClock, report, times });
  const competing: CompetingNode[] = BRANDS.map((brand) =>
    leases.compete(brand, async (signal) => {
      if (leaders.has(`${pool.schema} ${brand}`)) overlaps.push(brand);
      leaders.add(`${pool.schema} ${brand}`);
      has.add(brand);
      if (!signal.aborted) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      }
      // What is under way ends a little later, and belongs to this node until then.
      await delay(1);
      has.delete(brand);
      leaders.delete(`${pool.schema} ${brand}`);
    }),
  );
  const stop = async () => {
    await Promise.all(competing.map((one) => one.stop()));
  };
  test.after(stop);
  return { has, overlaps, beats: () => beats, stop };
}

/** Of all nodes of this process. */
const leaders = new Set<string>();

async function migratedPool(test: TestContext): Promise<PostgresPool | undefined> {
  const pool = await temporaryPool(test);
  if (pool) await migrate(pool);
  return pool;
}

async function holdBy(pool: PostgresPool, holder: string, forMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO brand_lease (brand, holder, expires_at)
     SELECT brand, $2, clock_timestamp() + $3 * interval '1 millisecond' FROM unnest($1::text[]) AS all_of (brand)
     ON CONFLICT (brand) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`,
    [BRANDS, holder, forMs],
  );
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 5) {
    assert.ok(waited < 30_000, 'it became true');
    await delay(5);
  }
}
