import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openForWriting } from './database.ts';
import { createInventoryWrites } from './inventory-writes.ts';
import { createSessionWrites } from './session-writes.ts';
import { type AppliedWrites, failedWrite, type WriteOutcome, writeBatch } from './write-batch.ts';
import type { WriterOptions, WriterRequest } from './writer.ts';

/** The thread that waits for the disk, so that the event loop never does. One database, one batch at a time. */
const options: WriterOptions = workerData;
/** `never`, because messages between threads are not typed. Each thread gets only the writes of its own database. */
const APPLY_TO: Record<WriterOptions['contents'], (database: DatabaseSync) => AppliedWrites<never>> = {
  sessions: createSessionWrites,
  inventory: (database) => ({ apply: createInventoryWrites(database), transactionEnded: () => undefined }),
};

/** Pages were given back since the last checkpoint, which alone makes the file shorter. */
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
    // Opening or rolling back failed: the next batch starts with a fresh connection.
    opened?.database.close();
    opened = undefined;
    return writes.map(() => failedWrite(error));
  }
}

/** After the last step of giving space back. Readers of this process never hold a transaction open, so it need not wait. */
function shortenFile(database: DatabaseSync, outcomes: readonly WriteOutcome[]): void {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'space') continue;
    if (outcome.pages === 0 && isShorter) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    isShorter = outcome.pages > 0;
  }
}

type PortRequest = { readonly port: MessagePort; readonly request: WriterRequest<never> };

const ports = new Set<MessagePort>();

function listenTo(port: MessagePort): void {
  ports.add(port);
  port.on('message', (request: WriterRequest<never>) => serve({ port, request }));
  port.on('close', () => ports.delete(port));
}

/** What waits at the other ports is written in the same batch: several threads then wait for the disk once. */
function serve(first: PortRequest): void {
  const received = [first, ...waitingBeside(first.port)];
  const batches = received.flatMap(({ port, request }) =>
    request.kind === 'write' ? [{ port, writes: request.writes }] : [],
  );
  const outcomes = outcomesOf(batches.flatMap(({ writes }) => writes));
  let answered = 0;
  for (const { port, writes } of batches) {
    port.postMessage(outcomes.slice(answered, answered + writes.length));
    answered += writes.length;
  }
  for (const { request } of received) {
    if (request.kind === 'connect') listenTo(request.port);
    if (request.kind === 'close') close();
  }
}

function waitingBeside(served: MessagePort): PortRequest[] {
  return [...ports].flatMap((port) => {
    const waiting = port === served ? undefined : receiveMessageOnPort(port);
    return waiting ? [{ port, request: waiting.message }] : [];
  });
}

function close(): void {
  opened?.database.close();
  for (const port of ports) port.close();
}

if (parentPort) listenTo(parentPort);
