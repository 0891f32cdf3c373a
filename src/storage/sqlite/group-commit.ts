import type { DatabaseSync } from 'node:sqlite';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { pragmaNumber } from './database.ts';
import { type AppliedWrite, errorFrom, type FailedWrite, type WriteOutcome, type Writer } from './writer.ts';

/**
 * Group commit: while the writer commits one batch, the next one gathers, and each batch waits for the disk once. The busier the service, the
 * larger the batches and the cheaper each change.
 */
export type GroupCommit<Write> = {
  /**
   * `apply` turns the outcome into the caller's value once the write is durable. It runs for the whole batch, in the order of submission, before
   * any caller continues.
   */
  submit<Value>(write: Write, apply: (outcome: AppliedWrite) => Value): Promise<Value>;
  /** The number of writes that are not on disk yet. */
  readonly waiting: number;
  /** Waits for all submitted writes; refuses later ones. */
  close(): Promise<void>;
};

type Submitter = { take(outcome: WriteOutcome): void; fail(error: unknown): void };
type Batch<Write> = {
  readonly writes: Write[];
  readonly bodies: OwnedBytes[];
  readonly submitters: Submitter[];
  bytes: number;
};

/** Refuse further changes while this many are not on disk yet. */
export const QUEUE_LIMITS = { maxQueuedWrites: 10_000, maxQueuedBytes: 256 * 1024 * 1024 };
const MAX_BATCH_WRITES = 512;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** With this many writes, an idle writer starts immediately instead of at the end of the event loop's turn. */
const MIN_WRITES_TO_START = 32;

export function createGroupCommit<Write>({
  writer,
  bodiesOf,
  maxQueuedWrites,
  maxQueuedBytes,
}: {
  readonly writer: Writer<Write>;
  readonly bodiesOf: (write: Write) => readonly OwnedBytes[];
  readonly maxQueuedWrites: number;
  readonly maxQueuedBytes: number;
}): GroupCommit<Write> {
  const queue: Batch<Write>[] = [];
  let beingWritten: Batch<Write> | undefined;
  let startScheduled = false;
  let closed: PromiseWithResolvers<void> | undefined;

  function sumOf(measure: (batch: Batch<Write>) => number): number {
    return queue.reduce((sum, batch) => sum + measure(batch), beingWritten ? measure(beingWritten) : 0);
  }

  function batchToJoin(): Batch<Write> {
    const last = queue.at(-1);
    if (last && last.writes.length < MAX_BATCH_WRITES && last.bytes < MAX_BATCH_BYTES) return last;
    const batch: Batch<Write> = { writes: [], bodies: [], submitters: [], bytes: 0 };
    queue.push(batch);
    return batch;
  }

  function startIdleWriter(gathered: number): void {
    if (beingWritten) return;
    if (gathered >= MIN_WRITES_TO_START) return void writeNext();
    if (startScheduled) return;
    startScheduled = true;
    setImmediate(() => {
      startScheduled = false;
      if (!beingWritten) writeNext();
    });
  }

  async function writeNext(): Promise<void> {
    const batch = queue.shift();
    if (!batch) return;
    beingWritten = batch;
    try {
      const outcomes = await writer.write(batch.writes, batch.bodies);
      for (const [index, submitter] of batch.submitters.entries()) {
        submitter.take(outcomes[index] ?? NO_OUTCOME);
      }
    } catch (error) {
      for (const submitter of batch.submitters) submitter.fail(error);
    }
    beingWritten = undefined;
    // Before the callers continue, so that the writer works in parallel.
    if (queue.length > 0) writeNext();
    else closed?.resolve();
  }

  return {
    submit(write, apply) {
      if (closed) return Promise.reject(new StorageFailure('closed', 'The store is closed.'));
      if (sumOf(writesIn) >= maxQueuedWrites || sumOf(bytesIn) >= maxQueuedBytes) {
        return Promise.reject(
          new StorageFailure('overloaded', 'Too many changes wait for the disk already.'),
        );
      }
      return new Promise((resolve, reject) => {
        const batch = batchToJoin();
        batch.writes.push(write);
        for (const body of bodiesOf(write)) {
          batch.bodies.push(body);
          batch.bytes += body.length;
        }
        batch.submitters.push({
          take(outcome) {
            if (outcome.kind === 'failed') reject(errorFrom(outcome));
            else resolve(apply(outcome));
          },
          fail: reject,
        });
        startIdleWriter(batch.writes.length);
      });
    },

    get waiting() {
      return sumOf(writesIn);
    },

    async close() {
      closed ??= Promise.withResolvers();
      if (sumOf(writesIn) === 0) closed.resolve();
      await closed.promise;
      await writer.close();
    },
  };
}

const writesIn = (batch: Batch<unknown>) => batch.writes.length;
const bytesIn = (batch: Batch<unknown>) => batch.bytes;

const NO_OUTCOME: FailedWrite = {
  kind: 'failed',
  cause: 'interrupted',
  message: 'The writer gave no outcome.',
};

export type VacuumWrite = { readonly kind: 'vacuum' };

/** A megabyte at a time: changes that wait go between two steps. */
const MAX_PAGES_PER_STEP = 256;
/** New rows reuse freed pages, so only a surplus is worth moving pages for. */
const MIN_FREE_PAGES = 256;
const FREE_SHARE = 0.1;

/** Runs vacuum steps until the file has no more free pages than it will need. */
export async function vacuum(writes: GroupCommit<VacuumWrite>): Promise<void> {
  try {
    let isDone = false;
    while (!isDone) {
      isDone = await writes.submit(
        { kind: 'vacuum' },
        (outcome) => outcome.kind !== 'space' || outcome.pages === 0,
      );
    }
  } catch (failure) {
    // The deletion itself succeeded; the next one tries again to free the pages.
    if (!(failure instanceof StorageFailure)) throw failure;
  }
}

/** One step: moves pages from the end of the file into free ones. The file shrinks at the next checkpoint. */
export function createVacuumStep(database: DatabaseSync): () => AppliedWrite {
  return () => {
    const free = pragmaNumber(database, 'freelist_count');
    const freePages = Math.max(MIN_FREE_PAGES, Math.floor(pragmaNumber(database, 'page_count') * FREE_SHARE));
    const pages = Math.max(0, Math.min(MAX_PAGES_PER_STEP, free - freePages));
    if (pages > 0) database.exec(`PRAGMA incremental_vacuum(${pages})`);
    return { kind: 'space', pages };
  };
}
