import type { OpenStorage } from '../storage.ts';
import { createMemoryInventoryStore } from './inventory-store.ts';
import { EVERY_BRAND, NO_CHANGES, NO_DECLINES } from './one-node.ts';
import { createMemoryOwnerStore } from './owner-store.ts';
import { createMemoryRateWindows } from './rate-windows.ts';
import { createMemorySessionStore } from './session-store.ts';

/** For tests and trials: behaves like the durable stores and forgets everything with the process. */
export const openMemoryStorage: OpenStorage = async ({ rateRule }) => {
  const sessions = createMemorySessionStore();
  return {
    sessions,
    ...createMemoryOwnerStore(),
    inventory: createMemoryInventoryStore(),
    rateWindows: createMemoryRateWindows(rateRule),
    openings: null,
    changes: NO_CHANGES,
    leases: EVERY_BRAND,
    declineChannel: NO_DECLINES,
    operatorLimits: null,
    searchPlaces: null,
    usedNonces: null,
    snapshot: null,
    waiting: () => 0,
    writeFault: () => null,
    checkWrites: async () => null,
    bytes: () => 0,
    readings: {},
    close: () => sessions.close(),
  };
};
