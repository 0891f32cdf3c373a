import type { MessagePort } from 'node:worker_threads';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { WriteOutcome } from './write-batch.ts';
import type { Writer, WriterRequest } from './writer.ts';

/**
 * Writes through a port of a writing thread that another thread has started. `connect` is asked for a port at the first batch, and
 * again after the writing thread has ended.
 */
export function createPortWriter<Write>(connect: () => Promise<MessagePort>): Writer<Write> {
  let connected: Promise<MessagePort> | undefined;
  let pending: PromiseWithResolvers<readonly WriteOutcome[]> | undefined;

  function takePending(): PromiseWithResolvers<readonly WriteOutcome[]> | undefined {
    const taken = pending;
    pending = undefined;
    return taken;
  }

  async function open(): Promise<MessagePort> {
    const port = await connect();
    port.on('message', (outcomes: readonly WriteOutcome[]) => takePending()?.resolve(outcomes));
    port.on('close', () => {
      connected = undefined;
      const message = 'The writing thread ended before it confirmed the change.';
      takePending()?.reject(new StorageFailure('interrupted', message));
    });
    return port;
  }

  return {
    async write(writes, bodies) {
      connected ??= open();
      const opening = connected;
      const port = await opening.catch((error: unknown) => {
        if (connected === opening) connected = undefined;
        throw new StorageFailure('interrupted', 'The writing thread cannot be reached.', { cause: error });
      });
      pending = Promise.withResolvers();
      const request: WriterRequest<Write> = { kind: 'write', writes };
      port.postMessage(
        request,
        bodies.map(({ buffer }) => buffer),
      );
      return pending.promise;
    },

    async close() {
      const port = await connected?.catch(() => undefined);
      port?.close();
    },
  };
}
