import type { Clock } from '../../clock.ts';
import type { InventoryChanges } from '../../inventory/inventory-changes.ts';
import type { InventoryStore } from '../../inventory/inventory-store.ts';
import type { SqliteInventory } from '../sqlite/open-inventory.ts';
import { createUnsavedCatalogues } from '../sqlite/unsaved-catalogues.ts';
import type { PostgresPool } from './connection.ts';
import { createPostgresInventoryChanges } from './inventory-changes.ts';
import { createPostgresInventoryStore } from './inventory-store.ts';
import { createReplicaFeed } from './replica-feed.ts';

export type PostgresInventory = {
  readonly store: InventoryStore;
  readonly changes: InventoryChanges;
  /** Ends a loading that waits for PostgreSQL. Pool and copy are closed by whoever opened them. */
  close(): void;
};

/** The inventory that all nodes share, with this node's copy of it. */
export function openPostgresInventory({
  pool,
  copy,
  node,
  clock,
  report,
  onFilling,
}: {
  /** Of a schema that is migrated. */
  readonly pool: PostgresPool;
  readonly copy: Pick<SqliteInventory, 'store' | 'replica'>;
  /** Different for every process. */
  readonly node: string;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly report: (warning: string) => void;
  /** Told now and then how many homes were compared, when all of them are. */
  readonly onFilling?: (homes: number, elapsedMs: number) => void;
}): PostgresInventory {
  const { replica } = copy;
  const closing = new AbortController();
  const unsaved = createUnsavedCatalogues();
  const feed = createReplicaFeed({ pool, replica, node, clock, ...(onFilling && { onFilling }) });
  return {
    store: createPostgresInventoryStore({
      ...{ pool, copy: copy.store, replica, feed, unsaved, node, clock, report },
      closing: closing.signal,
    }),
    changes: createPostgresInventoryChanges({ pool, replica, feed, unsaved, clock, report }),
    close: () => closing.abort(),
  };
}
