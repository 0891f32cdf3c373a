import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { openForWriting } from './database.ts';
import { createInventoryWrites } from './inventory-writes.ts';
import { createSessionWrites } from './session-writes.ts';
import { type ApplyWrite, faultOf, writeBatch } from './write-batch.ts';
import type { WriterOptions, WriterReply, WriterRequest } from './writer.ts';

/** The thread that waits for the disk, so that the event loop never does. One database, one batch at a time. */
const options: WriterOptions = workerData;
/** Which writes arrive is settled by who started the thread; it sends no others. */
const ROOMS: Record<WriterOptions['room'], (database: DatabaseSync) => ApplyWrite<never>> = {
  sessions: createSessionWrites,
  inventory: createInventoryWrites,
};

let opened: { readonly database: DatabaseSync; readonly apply: ApplyWrite<never> } | undefined;

function open() {
  const database = openForWriting(options);
  return { database, apply: ROOMS[options.room](database) };
}

function replyTo({ writes, buffer }: Exclude<WriterRequest<never>, 'close'>): WriterReply {
  try {
    opened ??= open();
    return { outcomes: writeBatch(opened.database, opened.apply, writes, new Uint8Array(buffer)), buffer };
  } catch (error) {
    // It could not be opened, or not even rolled back: the next batch starts with a fresh connection.
    opened?.database.close();
    opened = undefined;
    return { outcomes: writes.map(() => faultOf(error)), buffer };
  }
}

parentPort?.on('message', (request: WriterRequest<never>) => {
  if (request === 'close') {
    opened?.database.close();
    parentPort?.close();
    return;
  }
  const reply = replyTo(request);
  parentPort?.postMessage(reply, [reply.buffer]);
});
