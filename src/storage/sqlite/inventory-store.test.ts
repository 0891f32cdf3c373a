import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { inventoryStoreContract } from '../../inventory/inventory-store.contract.ts';

inventoryStoreContract({ newStore: async (test) => (await temporaryStorage(test)).inventory });
