import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { openForWriting } from './database.ts';
import { createInventoryWrites } from './inventory-writes.ts';
import { createSessionWrites } from './session-writes.ts';
import {
  type AppliedWrites,
  failedWrite,
  type WriteOutcome,
  type WriterOptions,
  type WriterRequest,
  writeBatch,
} from './writer.ts';

/** The thread that waits for the disk, so that the event loop never does. It works on one database, one batch at a time. */
const options: WriterOptions = workerData;
/** `never`, because messages between threads are not typed. Each thread receives only the writes of its database. */
const APPLY_TO: Record<WriterOptions['contents'], (database: DatabaseSync) => AppliedWrites<never>> = {
  sessions: createSessionWrites,
  inventory: (database) => ({ apply: createInventoryWrites(database), transactionEnded: () => undefined }),
};

/** Pages were given back since the last checkpoint; only a checkpoint shrinks the file. */
let isShorter = false;
let opened: { readonly database: DatabaseSync; readonly applied: AppliedWrites<never> } | undefined;

function open() {
  const database = openForWriting(options);
  return { database, applied: APPLY_TO[options.contents](database) };
}

function outcomesOf(writes: readonly never[]): WriteOutcome[] {
  try {
    opened ??= open();
    const outcomes = writeBatch(opened.database, opened.applied, writes);
    shortenFile(opened.database, outcomes);
    return outcomes;
  } catch (error) {
    // Opening or rollback failed: the next batch starts with a fresh connection.
    opened?.database.close();
    opened = undefined;
    return writes.map(() => failedWrite(error));
  }
}

/** Runs after the last vacuum step. Readers of this process never leave a transaction open, so it need not wait. */
function shortenFile(database: DatabaseSync, outcomes: readonly WriteOutcome[]): void {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'space') continue;
    if (outcome.pages === 0 && isShorter) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    isShorter = outcome.pages > 0;
  }
}

parentPort?.on('message', (request: WriterRequest<never>) => {
  if (request.kind === 'write') return void parentPort?.postMessage(outcomesOf(request.writes));
  opened?.database.close();
  parentPort?.close();
});
