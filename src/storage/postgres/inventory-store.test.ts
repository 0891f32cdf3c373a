import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { sampleProperty } from '../../../test/support/sample-property.ts';
import { temporaryInventory } from '../../../test/support/temporary-inventory.ts';
import { throwawayPostgres } from '../../../test/support/throwaway-postgres.ts';
import { inventoryStoreContract } from '../../availability/inventory-store.contract.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { openPostgresInventory } from './inventory-store.ts';
import { createInventoryWrites } from './inventory-writes.ts';

const server = await throwawayPostgres();

if ('missing' in server) {
  it('an inventory in PostgreSQL', (t) =>
    t.skip(`NOT TESTED: an inventory in PostgreSQL: ${server.missing}.`));
} else {
  describe('inventory in PostgreSQL', () => {
    inventoryStoreContract({
      newStore: async (test: TestContext) => (await temporaryInventory(test, server)).store,
    });

    it('keeps few traces of removed homes, and whoever misses some compares everything', async (t) => {
      const one = await temporaryInventory(t, server, { node: 'one' });
      const { schema } = one.pool;
      const two = await temporaryInventory(t, server, { node: 'two', schema });
      const writes = createInventoryWrites({ pool: one.pool, node: 'one', maxRemoved: 12_000 });
      const homes = (reading: number) =>
        Array.from({ length: 6_000 }, (_, at) =>
          sampleProperty({ brand: 'azul', reference: `${reading}-${at}` }),
        );
      await writes.replaceCatalogue('azul', homes(0));
      await two.store.load(() => {});
      for (let reading = 1; reading <= 5; reading += 1) await writes.replaceCatalogue('azul', homes(reading));
      const [row] = await one.pool.query<{ kept: number }>('SELECT count(*) AS kept FROM removed_property');
      assert.ok(row && row.kept <= 24_000, `${row?.kept} traces`);
      await two.store.load(() => {});
      assert.equal(two.store.listings.get('azul:0-1'), undefined);
      assert.equal(two.store.listings.get('azul:5-1')?.id, 'azul:5-1');
    });

    it('loses no change that waits to be followed when everything is loaded once more', async (t) => {
      const one = await temporaryInventory(t, server, { node: 'one' });
      const { schema } = one.pool;
      const two = await temporaryInventory(t, server, { node: 'two', schema });
      await two.store.load(() => {});
      const seen = new Set<string>();
      const [busy, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const followed = two.changes.follow(async ({ brand, homes }) => {
        if (brand === 'azul') {
          busy.resolve();
          await released.promise;
        }
        for (const { id } of homes) seen.add(id);
      });
      t.after(() => followed.stop());
      await one.store.replaceCatalogue('azul', [sampleProperty({ brand: 'azul', reference: '1' })]);
      await one.store.saveCalendars([{ property: 'azul:1', calendar: emptyCalendar(20_000, 2), readAt: 1 }]);
      await busy.promise;
      await one.store.replaceCatalogue('verde', [sampleProperty({ brand: 'verde', reference: '1' })]);
      await one.store.saveCalendars([{ property: 'verde:1', calendar: emptyCalendar(20_000, 2), readAt: 1 }]);
      await two.store.load(() => {});
      released.resolve();
      await followed.caughtUp();
      assert.ok(seen.has('verde:1'));
    });

    it('has what PostgreSQL has although the copy of the node has no room', async () => {
      const full = async () => {
        throw new StorageFailure('full', 'The disk of the node is full.');
      };
      const reports: string[] = [];
      const { store } = openPostgresInventory({
        pool: { query: async () => [{ content: Buffer.from('{}'), json: '[]' }] } as never,
        copy: {
          store: { saveDocument: full, saveLearned: full, document: async () => undefined } as never,
          replica: {} as never,
        },
        node: 'one',
        clock: createFakeClock(0),
        report: (text) => reports.push(text),
      });
      assert.deepEqual(await store.document('azul/sync'), new Uint8Array(Buffer.from('{}')));
      await store.saveDocument('azul/sync', new Uint8Array(1));
      assert.equal(await store.learned('azul'), '[]');
      await store.saveLearned('azul', '[]');
      assert.equal(reports.length, 1, 'it is told once');
    });

    it('keeps what each node has learned, gives the newest, and forgets nodes that are long gone', async (t) => {
      const one = await temporaryInventory(t, server, { node: 'one' });
      const { schema } = one.pool;
      const two = await temporaryInventory(t, server, { node: 'two', schema });
      await one.store.saveLearned('azul', '[1]');
      await two.store.saveLearned('azul', '[2]');
      assert.equal(await one.store.learned('azul'), '[2]');
      await one.store.saveLearned('azul', '[3]');
      assert.equal(await two.store.learned('azul'), '[3]');
      await one.pool.query(
        "INSERT INTO learned (brand, node, json) SELECT 'azul', 'gone ' || each, '[]' FROM generate_series(1, 20) AS each",
      );
      await one.store.saveLearned('azul', '[4]');
      assert.equal(await one.store.learned('azul'), '[4]');
      assert.deepEqual(await one.pool.query('SELECT count(*) AS kept FROM learned'), [{ kept: 8 }]);
    });
  });
}
