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
  });
}
