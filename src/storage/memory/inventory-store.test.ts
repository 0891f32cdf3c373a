import { inventoryStoreContract } from '../../inventory/inventory-store.contract.ts';
import { createMemoryInventoryStore } from './inventory-store.ts';

inventoryStoreContract({ newStore: async () => createMemoryInventoryStore() });
