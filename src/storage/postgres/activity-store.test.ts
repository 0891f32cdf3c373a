import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { temporaryPool, throwawayPostgres } from '../../../test/support/throwaway-postgres.ts';
import { sampleCount } from '../../analytics/activity-store.contract.ts';
import type { ActivityStore } from '../../analytics/activity-store.ts';
import { sampleOutcome } from '../../analytics/bookings/booking-outcomes.contract.ts';
import { systemClock } from '../../clock.ts';
import { createPostgresPool, type PostgresPool } from './connection.ts';
import { migrate } from './migrate.ts';
import { createPostgresOwnerStore } from './owner-store.ts';

const ALL = { measures: ['sessions', 'wishes'], from: 0, to: 1_000_000 } as const;

async function aPool(t: TestContext): Promise<PostgresPool | undefined> {
  const pool = await temporaryPool(t);
  if (pool) await migrate(pool);
  return pool;
}

async function sumOf(activity: ActivityStore): Promise<number> {
  return (await activity.read(ALL)).reduce((sum, { count }) => sum + count, 0);
}

describe('counts in PostgreSQL', () => {
  it('are all there when many nodes add to the same ones at once, in any order', async (t) => {
    const pool = await aPool(t);
    const server = await throwawayPostgres();
    if (!pool || 'missing' in server) return;
    const nodes = Array.from({ length: 4 }, () =>
      createPostgresPool({ url: server.url, schema: pool.schema, maxConnections: 2 }),
    );
    t.after(() => Promise.all(nodes.map((node) => node.close())));
    const counts = Array.from({ length: 400 }, (_, at) =>
      sampleCount('wishes', at % 5, { place: `${at % 200}` }),
    );
    await Promise.all(
      nodes.flatMap((node, index) => {
        const { activity } = createPostgresOwnerStore(node);
        return Array.from({ length: 10 }, (_, at) =>
          activity.add({
            id: `${index}/${at}`,
            at: 1,
            counts: index % 2 === 0 ? counts : counts.toReversed(),
          }),
        );
      }),
    );
    assert.equal(await sumOf(createPostgresOwnerStore(pool).activity), 4 * 10 * 400);
  });

  it('are added once when the same batch is sent by several connections at once', async (t) => {
    const pool = await aPool(t);
    if (!pool) return;
    const { activity } = createPostgresOwnerStore(pool);
    const batch = { id: 'once', at: 1, counts: [sampleCount('sessions', 10, { count: 7 })] };
    await Promise.all(Array.from({ length: 8 }, () => activity.add(batch)));
    assert.equal(await sumOf(activity), 7);
  });

  it('forget batches that nobody sends again, by the clock of the server', async (t) => {
    const pool = await aPool(t);
    if (!pool) return;
    const { activity } = createPostgresOwnerStore(pool);
    for (const id of ['a', 'b', 'c']) await activity.add({ id, at: 1, counts: [] });
    await pool.query(
      "UPDATE activity_batch SET added_at = clock_timestamp() - interval '2 days' WHERE id <> 'c'",
    );
    await activity.add({ id: 'd', at: 1, counts: [] });
    const left = await pool.query<{ id: string }>('SELECT id FROM activity_batch ORDER BY id');
    assert.deepEqual(
      left.map(({ id }) => id),
      ['c', 'd'],
    );
  });

  it('are not deleted by a node whose clock is far ahead, and neither are bookings', async (t) => {
    const pool = await aPool(t);
    if (!pool) return;
    const ahead = createPostgresOwnerStore(pool, {
      now: () => systemClock.now() + 400 * 24 * 60 * 60 * 1000,
    });
    const { activity, outcomes } = createPostgresOwnerStore(pool);
    await activity.add({ id: 'a', at: 1, counts: [sampleCount('sessions', 10)] });
    await outcomes.put([sampleOutcome('1', { bookedAt: 5 })]);
    assert.equal(await ahead.activity.deleteBefore(11, 9), 0);
    assert.equal(await ahead.outcomes.deleteBefore(6, 9), 0);
    assert.equal(await activity.deleteBefore(11, 9), 1);
    assert.equal(await outcomes.deleteBefore(6, 9), 1);
  });
});
