import type { DatabaseSync } from 'node:sqlite';
import { openForWriting } from '../../src/storage/sqlite/database.ts';
import type { CreateInventoryWriter } from '../../src/storage/sqlite/inventory-store.ts';
import { createInventoryTables } from '../../src/storage/sqlite/inventory-tables.ts';
import { type Operations, writeBatch } from '../../src/storage/sqlite/writer.ts';

/** Writes an inventory in the thread of the test, which starting another one would take longer than most tests. */
export const createDirectWriter: CreateInventoryWriter = (options) => {
  let opened: { readonly database: DatabaseSync; readonly tables: Operations } | undefined;
  const open = () => {
    const database = openForWriting(options);
    return { database, tables: createInventoryTables(database) };
  };
  return {
    async write(calls) {
      opened ??= open();
      return writeBatch(opened.database, opened.tables, calls);
    },
    async close() {
      opened?.database.close();
    },
  };
};
