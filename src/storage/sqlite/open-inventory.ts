import { join } from 'node:path';
import type { InventoryStore } from '../../availability/inventory-store.ts';
import { suspicionOf } from './corruption-marker.ts';
import { createGroupCommit, QUEUE_LIMITS } from './group-commit.ts';
import { createInventoryReplica, type InventoryReplica } from './inventory-replica.ts';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';
import { createSqliteInventoryStore } from './inventory-store.ts';
import { bodiesOfInventoryWrite, type InventoryWrite } from './inventory-writes.ts';
import { openCache } from './open-database.ts';
import { createWriter, type Writer, type WriterOptions } from './writer.ts';

export type SqliteInventory = {
  readonly store: InventoryStore;
  /** The same data, for whoever keeps it like an inventory elsewhere. */
  readonly replica: InventoryReplica;
  /** How many changes are not on disk yet. */
  waiting(): number;
  close(): Promise<void>;
};

export type SqliteInventoryOptions = {
  /** Exists, and is locked by the caller. */
  readonly directory: string;
  readonly report: (warning: string) => void;
  readonly maxQueuedWrites?: number;
  readonly maxQueuedBytes?: number;
  readonly lockTimeoutMs?: number;
  readonly maxPages?: number | undefined;
  readonly maxCheckedBytes?: number | undefined;
  /** Tests replace it to spare themselves the thread. */
  readonly createInventoryWriter?: CreateInventoryWriter | undefined;
};

export type CreateInventoryWriter = (options: WriterOptions) => Writer<InventoryWrite>;

export const EVERYTHING_IS_READ_AGAIN = 'Everything in it is read again';

/** The inventory alone, with its own writing thread. */
export function openSqliteInventory({
  directory,
  report,
  maxQueuedWrites = QUEUE_LIMITS.maxQueuedWrites,
  maxQueuedBytes = QUEUE_LIMITS.maxQueuedBytes,
  lockTimeoutMs = 2_000,
  maxPages,
  maxCheckedBytes,
  createInventoryWriter = createWriter,
}: SqliteInventoryOptions): SqliteInventory {
  const file = { file: join(directory, 'inventory.sqlite'), lockTimeoutMs, maxPages };
  const database = openCache(file, INVENTORY_SCHEMA, report, {
    maxCheckedBytes,
    loss: EVERYTHING_IS_READ_AGAIN,
  });
  const writes = createGroupCommit({
    writer: createInventoryWriter({ ...file, contents: 'inventory' }),
    bodiesOf: bodiesOfInventoryWrite,
    maxQueuedWrites,
    maxQueuedBytes,
  });
  return {
    store: createSqliteInventoryStore({
      database,
      writes,
      report,
      failed: suspicionOf(file.file).note,
    }),
    replica: createInventoryReplica(database, writes),
    waiting: () => writes.waiting,
    async close() {
      database.close();
      await writes.close();
    },
  };
}
