import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { createActivityTables } from './activity-store.ts';
import { openForWriting } from './database.ts';
import { createInventoryTables } from './inventory-tables.ts';
import { createSessionTables } from './session-tables.ts';
import { failedCall, type Operations, type WriterOptions, type WriterRequest, writeBatch } from './writer.ts';

/** The thread that waits for the disk, so that the event loop never does. It works on one database, one batch at a time. */
const options: WriterOptions = workerData;
const OPERATIONS: Record<WriterOptions['contents'], (database: DatabaseSync) => Operations> = {
  sessions: createSessionTables,
  inventory: createInventoryTables,
  activity: createActivityTables,
};

let opened: { readonly database: DatabaseSync; readonly operations: Operations } | undefined;

function open() {
  const database = openForWriting(options);
  return { database, operations: OPERATIONS[options.contents](database) };
}

parentPort?.on('message', (request: WriterRequest) => {
  if (request === 'close') {
    opened?.database.close();
    parentPort?.close();
    return;
  }
  let outcomes: readonly unknown[];
  try {
    opened ??= open();
    outcomes = writeBatch(opened.database, opened.operations, request.calls);
  } catch (error) {
    // Opening or rollback failed: the next batch starts with a fresh connection.
    opened?.database.close();
    opened = undefined;
    outcomes = request.calls.map(() => failedCall(error));
  }
  parentPort?.postMessage(outcomes);
});
