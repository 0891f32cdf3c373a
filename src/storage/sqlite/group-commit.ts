import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { type Call, type FailedCall, isFailed, type Operations, type Writer } from './writer.ts';

/**
 * Group commit: while the writer commits one batch, the next one gathers, and each batch waits for the disk once. The busier the service,
 * the larger the batches and the cheaper each change.
 */
export type GroupCommit<Tables extends Operations> = {
  /** Resolves once the change is durable. Takes over the memory of `bodies`, which are parts of the arguments. */
  call<Name extends keyof Tables & string>(
    name: Name,
    args: Readonly<Parameters<Tables[Name]>>,
    bodies?: readonly OwnedBytes[],
  ): Promise<ReturnType<Tables[Name]>>;
  /** The number of changes that are not on disk yet. */
  readonly waiting: number;
  /** Waits for all changes; refuses later ones. */
  close(): Promise<void>;
};

type Batch = {
  readonly calls: Call[];
  readonly bodies: OwnedBytes[];
  readonly callers: PromiseWithResolvers<unknown>[];
  bytes: number;
};

/** More changes that are not on disk yet are refused as `overloaded`. */
const MAX_QUEUED_CALLS = 10_000;
const MAX_QUEUED_BYTES = 256 * 1024 * 1024;
const MAX_BATCH_CALLS = 512;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** With this many calls, an idle writer starts immediately instead of at the end of the event loop's turn. */
const MIN_CALLS_TO_START = 32;

export function createGroupCommit<Tables extends Operations>({
  writer,
  onFailure = () => {},
  maxQueuedCalls = MAX_QUEUED_CALLS,
  maxQueuedBytes = MAX_QUEUED_BYTES,
}: {
  readonly writer: Writer;
  readonly onFailure?: (failure: unknown) => void;
  readonly maxQueuedCalls?: number | undefined;
  readonly maxQueuedBytes?: number;
}): GroupCommit<Tables> {
  const queue: Batch[] = [];
  let isWriting = false;
  let startScheduled = false;
  let closed: PromiseWithResolvers<void> | undefined;
  let waitingCalls = 0;
  let waitingBytes = 0;

  async function writeNext(): Promise<void> {
    const batch = queue.shift();
    if (!batch) return;
    isWriting = true;
    try {
      const outcomes = await writer.write(batch.calls, batch.bodies);
      for (const [index, caller] of batch.callers.entries()) {
        const outcome = outcomes[index];
        if (!isFailed(outcome)) caller.resolve(outcome);
        else reject(caller, errorOf(outcome));
      }
    } catch (failure) {
      for (const caller of batch.callers) reject(caller, failure);
    }
    isWriting = false;
    waitingCalls -= batch.calls.length;
    waitingBytes -= batch.bytes;
    // Before the callers continue, so that the writer works in parallel.
    if (queue.length > 0) writeNext();
    else closed?.resolve();
  }

  function reject(caller: PromiseWithResolvers<unknown>, failure: unknown): void {
    onFailure(failure);
    caller.reject(failure);
  }

  function startSoon(): void {
    if (startScheduled) return;
    startScheduled = true;
    setImmediate(() => {
      startScheduled = false;
      if (!isWriting) writeNext();
    });
  }

  return {
    call(name, args, bodies = []) {
      if (closed) return Promise.reject(new StorageFailure('closed', 'The store is closed.'));
      if (waitingCalls >= maxQueuedCalls || waitingBytes >= maxQueuedBytes) {
        return Promise.reject(
          new StorageFailure('overloaded', 'Too many changes wait for the disk already.'),
        );
      }
      let batch = queue.at(-1);
      if (!batch || batch.calls.length >= MAX_BATCH_CALLS || batch.bytes >= MAX_BATCH_BYTES) {
        batch = { calls: [], bodies: [], callers: [], bytes: 0 };
        queue.push(batch);
      }
      const caller = Promise.withResolvers<ReturnType<Tables[typeof name]>>();
      const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
      batch.calls.push({ name, args });
      batch.callers.push(caller as PromiseWithResolvers<unknown>);
      batch.bodies.push(...bodies);
      batch.bytes += bytes;
      waitingBytes += bytes;
      waitingCalls += 1;
      if (!isWriting) {
        if (batch.calls.length >= MIN_CALLS_TO_START) writeNext();
        else startSoon();
      }
      return caller.promise;
    },

    get waiting() {
      return waitingCalls;
    },

    async close() {
      closed ??= Promise.withResolvers();
      if (waitingCalls === 0) closed.resolve();
      await closed.promise;
      await writer.close();
    },
  };
}

function errorOf({ failedBy, message }: FailedCall): Error {
  return failedBy === null ? new Error(message) : new StorageFailure(failedBy, message);
}
