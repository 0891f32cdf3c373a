import type { DatabaseSync } from 'node:sqlite';
import { openForWriting } from '../../src/storage/sqlite/database.ts';
import type { CreateInventoryWriter } from '../../src/storage/sqlite/inventory-store.ts';
import { createInventoryWrites } from '../../src/storage/sqlite/inventory-writes.ts';
import { writeBatch } from '../../src/storage/sqlite/writer.ts';

/** Writes an inventory in the thread of the test, which starting another one would take longer than most tests. */
export const createDirectWriter: CreateInventoryWriter = (options) => {
  let database: DatabaseSync | undefined;
  return {
    async write(writes) {
      database ??= openForWriting(options);
      const applied = { apply: createInventoryWrites(database), transactionEnded: () => undefined };
      return writeBatch(database, applied, writes);
    },
    async close() {
      database?.close();
    },
  };
};
