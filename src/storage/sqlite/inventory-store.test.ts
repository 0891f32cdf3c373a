import { inventoryStoreContract } from '../../inventory/inventory-store.contract.ts';
import { temporaryStorage } from './temporary-storage.contract.ts';

inventoryStoreContract({ newStore: async (test) => (await temporaryStorage(test)).inventory });
