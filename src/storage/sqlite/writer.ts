import { Worker } from 'node:worker_threads';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { DatabaseOptions } from './database.ts';
import type { WriteOutcome } from './write-batch.ts';

export type WriterOptions = DatabaseOptions & { readonly room: 'sessions' | 'inventory' };

export type WriterRequest<Write> =
  | { readonly writes: readonly Write[]; readonly buffer: ArrayBuffer }
  | 'close';

/** The outcomes in the order of the writes, and the buffer back for the next batch. */
export type WriterReply = { readonly outcomes: readonly WriteOutcome[]; readonly buffer: ArrayBuffer };

/** The event loop's side of the writing thread. Takes one batch at a time. */
export type Writer<Write> = {
  write(writes: readonly Write[], buffer: ArrayBuffer): Promise<WriterReply>;
  close(): Promise<void>;
};

/** Node runs the sources as they are; the build has rewritten this file's name but not strings in it. */
const WORKER_FILE = new URL(
  `./writer.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

export function createWriter<Write>(options: WriterOptions): Writer<Write> {
  let worker: Worker | undefined;
  let waiting: PromiseWithResolvers<WriterReply> | undefined;

  function takeWaiting(): PromiseWithResolvers<WriterReply> | undefined {
    const taken = waiting;
    waiting = undefined;
    return taken;
  }

  function start(): Worker {
    const started = new Worker(WORKER_FILE, { workerData: options });
    let cause: unknown;
    started.on('message', (reply: WriterReply) => {
      // A thread without work does not keep the process alive.
      started.unref();
      takeWaiting()?.resolve(reply);
    });
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker !== started) return;
      worker = undefined;
      const message = 'The writing thread ended before it confirmed the change.';
      takeWaiting()?.reject(new StorageFailure('interrupted', message, { cause }));
    });
    return started;
  }

  return {
    write(writes, buffer) {
      // Started anew after it has ended: the next batch then finds out whether the cause is gone.
      worker ??= start();
      waiting = Promise.withResolvers();
      worker.ref();
      worker.postMessage({ writes, buffer } satisfies WriterRequest<Write>, [buffer]);
      return waiting.promise;
    },

    async close() {
      const closing = worker;
      worker = undefined;
      if (!closing) return;
      closing.ref();
      const ended = new Promise((resolve) => closing.once('exit', resolve));
      closing.postMessage('close' satisfies WriterRequest<Write>);
      await ended;
    },
  };
}
