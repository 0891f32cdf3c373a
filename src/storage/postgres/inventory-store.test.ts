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

const server = await throwawayPostgres();

if ('missing' in server) {
  it('an inventory in PostgreSQL', (t) =>
    t.skip(`NOT TESTED: an inventory in PostgreSQL: ${server.missing}.`));
} else {
  describe('inventory in PostgreSQL', () => {
    inventoryStoreContract({
      newStore: async (test: TestContext) => (await temporaryInventory(test, server)).store,
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
        pool: { query: async () => [{ content: Buffer.from('{}') }] } as never,
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
      assert.equal(await store.learned('azul'), '{}');
      await store.saveLearned('azul', '[]');
      assert.equal(reports.length, 1, 'it is told once');
    });
  });
}
