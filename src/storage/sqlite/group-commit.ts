import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { AppliedWrite, FailedWrite, WriteOutcome } from './write-batch.ts';
import type { Writer } from './writer.ts';

/**
 * Group commit: while the writer commits one batch, the next one gathers, and each batch waits for the disk once. The
 * busier the service, the larger the batches and the cheaper each change.
 */
export type GroupCommit<Write> = {
  /**
   * `settle` turns the outcome into the caller's value once the write is durable. All of a batch are settled, in the
   * order of submission, before any caller continues.
   */
  submit<Value>(write: Write, settle: (outcome: AppliedWrite) => Value): Promise<Value>;
  /** How many writes are not on disk yet. */
  readonly waiting: number;
  /** Waits for everything submitted; refuses what comes later. */
  close(): Promise<void>;
};

type Submitter = { settle(outcome: WriteOutcome): void; fail(error: unknown): void };
type Batch<Write> = {
  readonly writes: Write[];
  readonly bodies: OwnedBytes[];
  readonly submitters: Submitter[];
  bytes: number;
};

/** Changes beyond these that are not on disk yet are refused. */
export const QUEUE_LIMITS = { maxQueuedWrites: 10_000, maxQueuedBytes: 256 * 1024 * 1024 };
const MAX_BATCH_WRITES = 512;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** An idle writer starts at once when this many writes have gathered, before the turn of the event loop ends. */
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
        submitter.settle(outcomes[index] ?? NO_OUTCOME);
      }
    } catch (error) {
      for (const submitter of batch.submitters) submitter.fail(error);
    }
    beingWritten = undefined;
    // Before the settled callers continue, so that the writer works while they do.
    if (queue.length > 0) writeNext();
    else closed?.resolve();
  }

  return {
    submit(write, settle) {
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
          settle(outcome) {
            if (outcome.kind === 'failed') reject(errorFrom(outcome));
            else resolve(settle(outcome));
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

function errorFrom({ cause, message }: FailedWrite): Error {
  return cause === null ? new Error(message) : new StorageFailure(cause, message);
}
