import type { InventoryChanges } from '../../availability/inventory-store.ts';

/** For a store that one process works on: nobody else stores anything. */
export const NO_CHANGES: InventoryChanges = {
  follow: () => ({
    caughtUp: async () => {},
    ageMs: () => 0,
    stop: async () => {},
  }),
};
