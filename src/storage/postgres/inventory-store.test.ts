import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { temporaryInventory } from '../../../test/support/temporary-inventory.ts';
import { throwawayPostgres } from '../../../test/support/throwaway-postgres.ts';
import { inventoryStoreContract } from '../../inventory/inventory-store.contract.ts';

const server = await throwawayPostgres();

if ('missing' in server) {
  it('an inventory in PostgreSQL', (t) =>
    t.skip(`NOT TESTED: an inventory in PostgreSQL: ${server.missing}.`));
} else {
  describe('inventory in PostgreSQL', () => {
    inventoryStoreContract({
      newStore: async (test: TestContext) => (await temporaryInventory(test, server)).store,
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
