import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { openForWriting } from './database.ts';
import { createInventoryWrites } from './inventory-writes.ts';
import { createSessionWrites } from './session-writes.ts';
import { type ApplyWrite, failedWrite, type WriteOutcome, writeBatch } from './write-batch.ts';
import type { WriterOptions, WriterRequest } from './writer.ts';

/** The thread that waits for the disk, so that the event loop never does. One database, one batch at a time. */
const options: WriterOptions = workerData;
/** `never`, because messages between threads are not typed. Each thread gets only the writes of its own database. */
const APPLY_TO: Record<WriterOptions['contents'], (database: DatabaseSync) => ApplyWrite<never>> = {
  sessions: createSessionWrites,
  inventory: createInventoryWrites,
};

let opened: { readonly database: DatabaseSync; readonly apply: ApplyWrite<never> } | undefined;

function open() {
  const database = openForWriting(options);
  return { database, apply: APPLY_TO[options.contents](database) };
}

function outcomesOf(writes: readonly never[]): WriteOutcome[] {
  try {
    opened ??= open();
    return writeBatch(opened.database, opened.apply, writes);
  } catch (error) {
    // Opening or rolling back failed: the next batch starts with a fresh connection.
    opened?.database.close();
    opened = undefined;
    return writes.map(() => failedWrite(error));
  }
}

parentPort?.on('message', (request: WriterRequest<never>) => {
  switch (request.kind) {
    case 'write':
      parentPort?.postMessage(outcomesOf(request.writes));
      break;
    case 'close':
      opened?.database.close();
      parentPort?.close();
  }
});
