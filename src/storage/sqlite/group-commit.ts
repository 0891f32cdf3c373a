import { StorageFailure } from '../../sessions/storage-failure.ts';
import { type Arena, createArena } from './arena.ts';
import type { Fault, WriteOutcome } from './write-batch.ts';
import type { Writer, WriterReply } from './writer.ts';

/**
 * Many changes, one wait for the disk: while the writer commits one batch, the next one gathers. The busier the
 * service, the larger the batches and the cheaper each change.
 */
export type GroupCommit<Write> = {
  /**
   * `pack` makes the write at once, with its bodies in the batch's arena. `settle` turns its outcome into the
   * caller's when it is durable; all of a batch are settled, in the order of their submission, before any caller
   * goes on.
   */
  submit<Value>(
    pack: (arena: Arena) => Write,
    settle: (outcome: Exclude<WriteOutcome, Fault>) => Value,
  ): Promise<Value>;
  /** How many writes wait for the disk. */
  readonly waiting: number;
  /** Waits for what was submitted; refuses what comes later. */
  close(): Promise<void>;
};

type Waiter = { settle(outcome: WriteOutcome): void; fail(error: unknown): void };
type Batch<Write> = { readonly writes: Write[]; readonly waiters: Waiter[]; readonly arena: Arena };

const MAX_BATCH = 512;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const WORTH_WRITING = 32;

export function createGroupCommit<Write>({
  writer,
  maxWaiting,
  maxWaitingBytes,
}: {
  readonly writer: Writer<Write>;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}): GroupCommit<Write> {
  const gathering: Batch<Write>[] = [];
  let spare: ArrayBuffer | undefined;
  let beingWritten: Batch<Write> | undefined;
  let turnAwaited = false;
  let closed: PromiseWithResolvers<void> | undefined;

  function sumOf(measure: (batch: Batch<Write>) => number): number {
    return gathering.reduce((sum, batch) => sum + measure(batch), beingWritten ? measure(beingWritten) : 0);
  }

  function batchToJoin(): Batch<Write> {
    const last = gathering.at(-1);
    if (last && last.writes.length < MAX_BATCH && last.arena.size < MAX_BATCH_BYTES) return last;
    const batch = { writes: [], waiters: [], arena: createArena(spare) };
    spare = undefined;
    gathering.push(batch);
    return batch;
  }

  /**
   * An idle writer gets all that arrives in this turn of the event loop, or sooner what is enough to keep it
   * busy.
   */
  function wakeWriter(gathered: number): void {
    if (beingWritten) return;
    if (gathered >= WORTH_WRITING) return void writeNext();
    if (turnAwaited) return;
    turnAwaited = true;
    setImmediate(() => {
      turnAwaited = false;
      if (!beingWritten) writeNext();
    });
  }

  async function writeNext(): Promise<void> {
    const batch = gathering.shift();
    if (!batch) return;
    beingWritten = batch;
    try {
      settleAll(batch, await writer.write(batch.writes, batch.arena.buffer()));
    } catch (error) {
      for (const waiter of batch.waiters) waiter.fail(error);
    }
    beingWritten = undefined;
    // At once, before the callers that were just answered go on: the writer works while they do.
    if (gathering.length > 0) writeNext();
    else closed?.resolve();
  }

  function settleAll({ waiters }: Batch<Write>, { outcomes, buffer }: WriterReply): void {
    spare = buffer;
    for (const [index, waiter] of waiters.entries()) waiter.settle(outcomes[index] ?? NO_OUTCOME);
  }

  return {
    submit(pack, settle) {
      if (closed) return Promise.reject(new StorageFailure('closed', 'The store is closed.'));
      if (sumOf(writesOf) >= maxWaiting || sumOf(bytesOf) >= maxWaitingBytes) {
        return Promise.reject(
          new StorageFailure('overloaded', 'Too many changes wait for the disk already.'),
        );
      }
      return new Promise((resolve, reject) => {
        const batch = batchToJoin();
        batch.writes.push(pack(batch.arena));
        batch.waiters.push({
          settle(outcome) {
            if (typeof outcome === 'object' && 'fault' in outcome) reject(errorFrom(outcome));
            else resolve(settle(outcome));
          },
          fail: reject,
        });
        wakeWriter(batch.writes.length);
      });
    },

    get waiting() {
      return sumOf(writesOf);
    },

    async close() {
      closed ??= Promise.withResolvers();
      if (sumOf(writesOf) === 0) closed.resolve();
      await closed.promise;
      await writer.close();
    },
  };
}

const writesOf = (batch: Batch<unknown>) => batch.writes.length;
const bytesOf = (batch: Batch<unknown>) => batch.arena.size;

const NO_OUTCOME: Fault = { fault: { kind: 'interrupted', message: 'The writer gave no outcome.' } };

function errorFrom({ fault: { kind, message } }: Fault): Error {
  return kind === null ? new Error(message) : new StorageFailure(kind, message);
}
