import { DatabaseSync } from 'node:sqlite';
import { createActivityTables, ownerStoreOver } from '../sqlite/activity-store.ts';
import { inTransaction, migrate } from '../sqlite/database.ts';
import { ACTIVITY_SCHEMA } from '../sqlite/schema.ts';
import { callOperation, type Operations } from '../sqlite/writer.ts';
import type { OpenStorage, OwnerStore } from '../storage.ts';
import { createMemoryInventoryStore } from './inventory-store.ts';
import { ONE_NODE } from './one-node.ts';
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
    ...ONE_NODE,
    waiting: () => 0,
    writeFault: () => null,
    checkWrites: async () => null,
    bytes: () => 0,
    readings: {},
    close: () => sessions.close(),
  };
};

/** The tables of the embedded store, in memory. */
export function createMemoryOwnerStore(): OwnerStore {
  const database = new DatabaseSync(':memory:');
  migrate(database, ACTIVITY_SCHEMA);
  const tables: Operations = createActivityTables(database);
  return ownerStoreOver(
    async (name, args) => inTransaction(database, () => callOperation(tables, { name, args })) as never,
  );
}
