import type { InventoryChanges } from '../../availability/inventory-store.ts';
import type { DeclineChannel } from '../../sync/decline-channel.ts';
import type { BrandLeases } from '../../sync/leadership.ts';

/** One process leads every brand, from the start until it stops. */
export const EVERY_BRAND: BrandLeases = {
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

/** One process stores everything itself. */
export const NO_CHANGES: InventoryChanges = {
  follow: () => ({
    caughtUp: async () => {},
    ageMs: () => 0,
    stop: async () => {},
  }),
};

/** One process has no other nodes that need its declines. */
export const NO_DECLINES: DeclineChannel = {
  publish() {},
  subscribe: () => ({ caughtUp: Promise.resolve(), stop: async () => {} }),
};
