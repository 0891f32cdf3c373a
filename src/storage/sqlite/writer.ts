import { MessageChannel, type MessagePort, type Transferable, Worker } from 'node:worker_threads';
import { type OwnedBytes, workerBeside } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { DatabaseOptions } from './database.ts';
import type { WriteOutcome } from './write-batch.ts';

export type WriterOptions = DatabaseOptions & { readonly contents: 'sessions' | 'inventory' };

export type WriterRequest<Write> =
  | { readonly kind: 'write'; readonly writes: readonly Write[] }
  /** Writes of another thread come through the port, one batch at a time too. */
  | { readonly kind: 'connect'; readonly port: MessagePort }
  | { readonly kind: 'close' };

/** The event loop's side of the writing thread. Takes one batch at a time. */
export type Writer<Write> = {
  /** Takes the memory of `bodies`, which are parts of the writes. The outcomes are in the order of the writes. */
  write(writes: readonly Write[], bodies: readonly OwnedBytes[]): Promise<readonly WriteOutcome[]>;
  close(): Promise<void>;
};

/** A writer that other threads can share. */
export type SharedWriter<Write> = Writer<Write> & {
  /** For one other thread, which writes with `port-writer.ts`. The port closes when the writing thread ends. */
  connect(): MessagePort;
};

const WORKER_FILE = workerBeside(import.meta.url, 'writer');

export function createWriter<Write>(options: WriterOptions): SharedWriter<Write> {
  let worker: Worker | undefined;
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
    receiver.ref();
    receiver.postMessage(request, moved);
  }

  return {
    write(writes, bodies) {
      // Restarted if it has ended; if the cause persists, the next batch fails too.
      worker ??= start();
      pending = Promise.withResolvers();
      send(
        worker,
        { kind: 'write', writes },
        bodies.map(({ buffer }) => buffer),
      );
      return pending.promise;
    },

    connect() {
      worker ??= start();
      const { port1, port2 } = new MessageChannel();
      // Does not wait for an answer, so it does not keep the process alive either.
      worker.postMessage({ kind: 'connect', port: port2 } satisfies WriterRequest<Write>, [port2]);
      return port1;
    },

    async close() {
      const closing = worker;
      worker = undefined;
      if (!closing) return;
      const ended = new Promise((resolve) => closing.once('exit', resolve));
      send(closing, { kind: 'close' }, []);
      await ended;
    },
  };
}
