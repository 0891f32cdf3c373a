import { openClusterStorage } from './cluster/storage.ts';
import { openMemoryStorage } from './memory/storage.ts';
import { openSharedSqliteSessions } from './sqlite/shared-sessions.ts';
import { openSqliteStorage } from './sqlite/storage.ts';
import type { OpenSharedSessions, OpenStorage } from './storage.ts';

export { migrateEmbedded } from './cluster/migrate-embedded.ts';
export { openOwnerStore } from './open-owner-store.ts';
export { openPostgresRegistry } from './postgres/assistant-registry-source.ts';
export {
  type NetworkDocuments,
  openNetworkDocuments,
  type StoredNetwork,
} from './postgres/network-documents.ts';
export { prepareDirectory } from './sqlite/data-directory.ts';
export { isInUse } from './sqlite/directory-lock.ts';
export { openStoredDocuments } from './sqlite/stored-documents.ts';

/** A store is a folder and a line here: the setting offers it, and the contract suite runs over it. */
export const STORES = {
  sqlite: openSqliteStorage,
  memory: openMemoryStorage,
  cluster: openClusterStorage,
} satisfies Record<string, OpenStorage>;

/** The stores whose sessions several threads can share. */
export const SHARED_SESSIONS: Readonly<Partial<Record<keyof typeof STORES, OpenSharedSessions>>> = {
  sqlite: openSharedSqliteSessions,
};

export type StoreKind = keyof typeof STORES;
/** The store of a service that was given the addresses of servers. */
export const STORE_OF_SERVERS: StoreKind = 'cluster';
export const STORE_KINDS = Object.keys(STORES) as readonly StoreKind[];
