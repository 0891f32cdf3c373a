import type { InventoryStore } from '../inventory/inventory-store.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { createMemoryInventoryStore } from './memory/inventory-store.ts';
import { createMemorySessionStore } from './memory/session-store.ts';
import { openSqliteStorage } from './sqlite/storage.ts';

export type Storage = {
  readonly sessions: SessionStore;
  readonly inventory: InventoryStore;
  /** How many changes wait to be durable. */
  waiting(): number;
  close(): Promise<void>;
};

export async function openStorage({
  store,
  dataDirectory,
}: {
  readonly store: 'sqlite' | 'memory';
  readonly dataDirectory: string;
}): Promise<Storage> {
  if (store === 'sqlite') return openSqliteStorage({ directory: dataDirectory });
  return {
    sessions: createMemorySessionStore(),
    inventory: createMemoryInventoryStore(),
    waiting: () => 0,
    close: async () => {},
  };
}
