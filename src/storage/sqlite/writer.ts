import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../clock.ts';
import { type OwnedBytes, workerBeside } from '../../parsing/owned-memory.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { asStorageFailure, type DatabaseOptions, inTransaction } from './database.ts';

/** What a writing thread can do with its database. Arguments and values are plain data, because they cross threads. */
export type Operations = Readonly<Record<string, (...args: never[]) => unknown>>;
export type Call = { readonly name: string; readonly args: readonly unknown[] };
/** In place of the value of a call. */
export type FailedCall = {
  /** Null for a fault of the program itself. */
  readonly failedBy: StorageFailureKind | null;
  readonly message: string;
};

/** The event loop's side of a writing thread. Takes one batch at a time. */
export type Writer = {
  /** Takes over the memory of `bodies`, which are parts of the calls. Resolves with the value of each call, or its failure. */
  write(calls: readonly Call[], bodies: readonly OwnedBytes[]): Promise<readonly unknown[]>;
  close(): Promise<void>;
};

export type WriterOptions = DatabaseOptions & { readonly contents: 'sessions' | 'inventory' | 'activity' };
export type WriterRequest = { readonly calls: readonly Call[] } | 'close';

const WORKER_FILE = workerBeside(import.meta.url, 'writer');
/** Catalogues are stored every few minutes, and an idle thread holds tens of megabytes. No search waits for the next start. */
const MAX_IDLE_MS = 5000;

export function createWriter(options: WriterOptions): Writer {
  let worker: Worker | undefined;
  let stopIdling = () => {};
  let ended: Promise<unknown> = Promise.resolve();
  let pending: PromiseWithResolvers<readonly unknown[]> | undefined;

  function start(): Worker {
    const started = new Worker(WORKER_FILE, { workerData: options });
    let cause: unknown;
    started.on('message', (outcomes: readonly unknown[]) => {
      // An idle thread does not keep the process alive.
      started.unref();
      if (options.contents === 'inventory') stopIdling = systemClock.after(MAX_IDLE_MS, () => void end());
      pending?.resolve(outcomes);
    });
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker !== started) return;
      worker = undefined;
      const message = 'The writing thread ended before it confirmed the change.';
      pending?.reject(new StorageFailure('interrupted', message, { cause }));
    });
    return started;
  }

  function send(receiver: Worker, request: WriterRequest, moved: readonly ArrayBuffer[] = []): void {
    stopIdling();
    receiver.ref();
    receiver.postMessage(request, moved);
  }

  async function end(): Promise<void> {
    const closing = worker;
    worker = undefined;
    if (closing) {
      ended = new Promise((resolve) => closing.once('exit', resolve));
      send(closing, 'close');
    }
    await ended;
  }

  return {
    write(calls, bodies) {
      // Restarts a thread that has ended; if the cause persists, the next batch fails too.
      worker ??= start();
      pending = Promise.withResolvers();
      send(
        worker,
        { calls },
        bodies.map(({ buffer }) => buffer),
      );
      return pending.promise;
    },
    close: end,
  };
}

/**
 * Makes all calls in one transaction, with one wait for the disk. If one fails, all are rolled back and each gets its own transaction, so
 * that only the faulty ones are refused.
 */
export function writeBatch(
  database: DatabaseSync,
  operations: Operations,
  calls: readonly Call[],
): unknown[] {
  const carryOut = (some: readonly Call[]) =>
    inTransaction(database, () => some.map((call) => callOperation(operations, call)));
  let last: FailedCall;
  try {
    return carryOut(calls);
  } catch (error) {
    last = failedCall(error);
    if (calls.length === 1) return [last];
  }
  return calls.flatMap((call) => {
    // One call has waited for the lock already; waiting again for every call would block the whole queue.
    if (last.failedBy === 'busy') return [last];
    try {
      return carryOut([call]);
    } catch (error) {
      last = failedCall(error);
      return [last];
    }
  });
}

/** Types cannot follow a call between threads. */
export function callOperation(operations: Operations, { name, args }: Call): unknown {
  return Reflect.apply(operations[name] as (...args: never[]) => unknown, undefined, args);
}

export function failedCall(error: unknown): FailedCall {
  const failure = asStorageFailure(error);
  const failedBy = failure instanceof StorageFailure ? failure.kind : null;
  return { failedBy, message: failure instanceof Error ? failure.message : String(failure) };
}

export function isFailed(outcome: unknown): outcome is FailedCall {
  return typeof outcome === 'object' && outcome !== null && 'failedBy' in outcome;
}
