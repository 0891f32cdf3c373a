import { StorageFailure } from '../sessions/storage-failure.ts';
import { openClusterStorage } from './cluster/storage.ts';
import { openMemoryStorage } from './memory/storage.ts';
import { openPostgresOwnerStore } from './postgres/owner-store.ts';
import { openSqliteOwnerStore } from './sqlite/owner-store.ts';
import { openSqliteStorage } from './sqlite/storage.ts';
import type { OpenedOwnerStore, OpenStorage } from './storage.ts';

export {
  type MigratedStore,
  migrateEmbedded,
  type StoreMigrationOptions,
} from './cluster/migrate-embedded.ts';
export {
  type NetworkDocuments,
  openNetworkDocuments,
  openPostgresRegistry,
  type StoredNetwork,
} from './postgres/shared-documents.ts';
export { isInUse, prepareDirectory } from './sqlite/data-directory.ts';
export { openStoredDocuments } from './sqlite/owner-store.ts';

/** A store is a folder and a line here: the setting then accepts it, and the contract suite tests it. */
export const STORES = {
  sqlite: openSqliteStorage,
  memory: openMemoryStorage,
  cluster: openClusterStorage,
} satisfies Record<string, OpenStorage>;

type StoreKind = keyof typeof STORES;
/** The store of a service with addresses of servers. */
export const STORE_OF_SERVERS: StoreKind = 'cluster';
export const STORE_KINDS = Object.keys(STORES) as readonly StoreKind[];

type OwnerStoreSettings = {
  readonly store: string;
  readonly dataDirectory: string;
  readonly postgresUrl: string | null;
};

/** Opens the owner's data of a service with these settings, also while it runs. */
export async function openOwnerStore({
  store,
  dataDirectory,
  postgresUrl,
}: OwnerStoreSettings): Promise<OpenedOwnerStore> {
  if (store === 'memory') {
    const message = 'A store in memory (STAYWIRE_STORE) keeps nothing that a command could read.';
    throw new StorageFailure('refused', message);
  }
  return store === STORE_OF_SERVERS && postgresUrl !== null
    ? openPostgresOwnerStore({ url: postgresUrl })
    : openSqliteOwnerStore(dataDirectory);
}
