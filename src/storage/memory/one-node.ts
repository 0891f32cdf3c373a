import type { InventoryChanges } from '../../availability/inventory-store.ts';
import type { DeclineChannel } from '../../sync/decline-channel.ts';
import type { BrandLeases } from '../../sync/leadership.ts';

/** One process leads every brand, from the start until it stops. */
const EVERY_BRAND: BrandLeases = {
  compete(_brand, lead) {
    const stopping = new AbortController();
    const leading = lead(stopping.signal);
    return {
      async stop() {
        stopping.abort();
        await leading;
      },
    };
  },
};

const NO_CHANGES: InventoryChanges = {
  follow: () => ({ caughtUp: async () => {}, ageMs: () => 0, stop: async () => {} }),
};

const NO_DECLINES: DeclineChannel = {
  publish() {},
  subscribe: () => ({ caughtUp: Promise.resolve(), stop: async () => {} }),
};

/** The part of a store that one process uses alone. */
export const ONE_NODE = { changes: NO_CHANGES, leases: EVERY_BRAND, declineChannel: NO_DECLINES };
