import { StorageFailure } from '../sessions/storage-failure.ts';
import type { OpenedOwnerStore } from './owner-store.ts';
import { openPostgresOwnerStore } from './postgres/owner-store.ts';
import { openSqliteOwnerStoreBeside } from './sqlite/owner-store-beside.ts';

/** What a service with these settings counts and keeps for its owner, also while it runs. */
export async function openOwnerStore({
  store,
  dataDirectory,
  postgresUrl,
}: {
  readonly store: string;
  readonly dataDirectory: string;
  readonly postgresUrl: string | null;
}): Promise<OpenedOwnerStore> {
  if (store === 'memory') {
    const message = 'A store in memory (STAYWIRE_STORE) keeps nothing that a command could read.';
    throw new StorageFailure('refused', message);
  }
  if (store === 'cluster' && postgresUrl !== null) return openPostgresOwnerStore({ url: postgresUrl });
  return openSqliteOwnerStoreBeside(dataDirectory);
}
