import type { DatabaseSync } from 'node:sqlite';
import { type Transferable, Worker } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';
import { type OwnedBytes, workerBeside } from '../../parsing/owned-memory.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { asStorageFailure, type DatabaseOptions, inTransaction } from './database.ts';

export type WriterOptions = DatabaseOptions & { readonly contents: 'sessions' | 'inventory' };

export type WriterRequest<Write> =
  | { readonly kind: 'write'; readonly writes: readonly Write[] }
  | { readonly kind: 'close' };

/** The event loop's side of the writing thread. Takes one batch at a time. */
export type Writer<Write> = {
  /** Takes over the memory of `bodies`, which are parts of the writes. The outcomes are in the order of the writes. */
  write(writes: readonly Write[], bodies: readonly OwnedBytes[]): Promise<readonly WriteOutcome[]>;
  close(): Promise<void>;
};

const WORKER_FILE = workerBeside(import.meta.url, 'writer');

/** Catalogues are stored every few minutes, and an idle thread holds tens of megabytes. No search waits for the next start. */
const MAX_IDLE_MS = 5000;

export function createWriter<Write>(options: WriterOptions): Writer<Write> {
  let worker: Worker | undefined;
  let stopIdling = () => {};
  let ended: Promise<unknown> = Promise.resolve();
  let pending: PromiseWithResolvers<readonly WriteOutcome[]> | undefined;

  function takePending(): PromiseWithResolvers<readonly WriteOutcome[]> | undefined {
    const taken = pending;
    pending = undefined;
    return taken;
  }

  function start(): Worker {
    const started = new Worker(WORKER_FILE, { workerData: options });
    let cause: unknown;
    started.on('message', (outcomes: readonly WriteOutcome[]) => {
      // An idle thread does not keep the process alive.
      started.unref();
      if (options.contents === 'inventory') stopIdling = systemClock.after(MAX_IDLE_MS, () => void end());
      takePending()?.resolve(outcomes);
    });
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker !== started) return;
      worker = undefined;
      const message = 'The writing thread ended before it confirmed the change.';
      takePending()?.reject(new StorageFailure('interrupted', message, { cause }));
    });
    return started;
  }

  function send(receiver: Worker, request: WriterRequest<Write>, moved: readonly Transferable[]): void {
    stopIdling();
    receiver.ref();
    receiver.postMessage(request, moved);
  }

  async function end(): Promise<void> {
    const closing = worker;
    worker = undefined;
    if (closing) {
      ended = new Promise((resolve) => closing.once('exit', resolve));
      send(closing, { kind: 'close' }, []);
    }
    await ended;
  }

  return {
    write(writes, bodies) {
      // Restarts a thread that has ended; if the cause persists, the next batch fails too.
      worker ??= start();
      pending = Promise.withResolvers();
      send(
        worker,
        { kind: 'write', writes },
        bodies.map(({ buffer }) => buffer),
      );
      return pending.promise;
    },

    close: end,
  };
}

/** Plain data, because it crosses threads. */
export type WriteOutcome = AppliedWrite | FailedWrite;

export type AppliedWrite =
  | { readonly kind: 'written' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'over_quota'; readonly until: number }
  /** The sessions that were deleted, or lost their bodies. */
  | { readonly kind: 'deleted'; readonly sessions: readonly string[] }
  | { readonly kind: 'deleted_quotes'; readonly quotes: number }
  /** The number of free pages that were given back; 0 when there is no surplus. */
  | { readonly kind: 'space'; readonly pages: number };

export type FailedWrite = {
  readonly kind: 'failed';
  /** Null for a fault of the program itself. */
  readonly cause: StorageFailureKind | null;
  readonly message: string;
};

export type ApplyWrite<Write> = (write: Write) => AppliedWrite;

/** For writes that also change counters in memory, which have to be rolled back with them. */
export type AppliedWrites<Write> = {
  readonly apply: ApplyWrite<Write>;
  readonly transactionEnded: (isCommitted: boolean) => void;
};

/**
 * Writes the whole batch in one transaction, with one wait for the disk. If a write fails, all are rolled back and each gets its own
 * transaction, so that only the faulty ones are refused.
 */
export function writeBatch<Write>(
  database: DatabaseSync,
  applied: AppliedWrites<Write>,
  writes: readonly Write[],
): WriteOutcome[] {
  try {
    return transact(database, applied, writes);
  } catch (error) {
    const failed = failedWrite(error);
    return writes.length === 1 ? [failed] : writeOneByOne(database, applied, writes, failed);
  }
}

function writeOneByOne<Write>(
  database: DatabaseSync,
  applied: AppliedWrites<Write>,
  writes: readonly Write[],
  first: FailedWrite,
): WriteOutcome[] {
  let last = first;
  return writes.flatMap((write): WriteOutcome[] | WriteOutcome => {
    // One write has waited for the lock already; waiting again for every write would block the whole queue.
    if (last.cause === 'busy') return last;
    try {
      return transact(database, applied, [write]);
    } catch (error) {
      last = failedWrite(error);
      return last;
    }
  });
}

function transact<Write>(
  database: DatabaseSync,
  { apply, transactionEnded }: AppliedWrites<Write>,
  writes: readonly Write[],
): WriteOutcome[] {
  let isCommitted = false;
  try {
    const outcomes = inTransaction(database, () => writes.map((write) => apply(write)));
    isCommitted = true;
    return outcomes;
  } finally {
    transactionEnded(isCommitted);
  }
}

export function failedWrite(error: unknown): FailedWrite {
  const failure = asStorageFailure(error);
  const cause = failure instanceof StorageFailure ? failure.kind : null;
  return { kind: 'failed', cause, message: failure instanceof Error ? failure.message : String(failure) };
}

export function errorFrom({ cause, message }: FailedWrite): Error {
  return cause === null ? new Error(message) : new StorageFailure(cause, message);
}
