import { Worker } from 'node:worker_threads';
import { workerBeside } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { OwnerStore } from '../storage.ts';
import { type ActivityTables, ownerStoreOver } from './activity-tables.ts';
import type { DatabaseOptions } from './database.ts';
import { errorFrom, type FailedWrite } from './writer.ts';

export type ActivityCall = {
  readonly number: number;
  readonly name: keyof ActivityTables;
  readonly args: readonly unknown[];
};

export type ActivityAnswer =
  | { readonly kind: 'done'; readonly number: number; readonly value: unknown }
  | (FailedWrite & { readonly number: number })
  | { readonly kind: 'warning'; readonly warning: string };

const WORKER_FILE = workerBeside(import.meta.url, 'activity');

/** The event loop's side of the thread that works on `activity.sqlite`. The first call starts it, and also the first after it has ended. */
export function openActivityThread(
  options: DatabaseOptions & { readonly maxCheckedBytes?: number | undefined },
  report: (warning: string) => void,
): OwnerStore & { close(): Promise<void> } {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let worker: Worker | undefined;
  let lastNumber = 0;
  let closing: Promise<void> | undefined;

  function start(): Worker {
    const started = new Worker(WORKER_FILE, { workerData: options });
    let cause: unknown;
    started.on('message', (answer: ActivityAnswer) => take(answer, started));
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const message = 'The thread that counts ended before it confirmed the change.';
      for (const { reject } of waiting.values())
        reject(new StorageFailure('interrupted', message, { cause }));
      waiting.clear();
    });
    return started;
  }

  function take(answer: ActivityAnswer, from: Worker): void {
    if (answer.kind === 'warning') {
      report(answer.warning);
      return;
    }
    const call = waiting.get(answer.number);
    waiting.delete(answer.number);
    // An idle thread does not keep the process alive.
    if (waiting.size === 0) from.unref();
    if (answer.kind === 'done') call?.resolve(answer.value);
    else call?.reject(errorFrom(answer));
  }

  function send(call: ActivityCall): void {
    worker ??= start();
    worker.ref();
    worker.postMessage(call);
  }

  async function end(): Promise<void> {
    await Promise.allSettled([...waiting.values()].map(({ promise }) => promise));
    const ended = worker;
    if (!ended) return;
    const exit = new Promise<void>((resolve) => ended.once('exit', () => resolve()));
    ended.ref();
    ended.postMessage('close');
    await exit;
  }

  const store = ownerStoreOver((name, args) => {
    if (closing) return Promise.reject(new StorageFailure('closed', 'The store is closed.'));
    lastNumber += 1;
    const number = lastNumber;
    const call = Promise.withResolvers<ReturnType<ActivityTables[typeof name]>>();
    waiting.set(number, call as PromiseWithResolvers<unknown>);
    Promise.resolve<readonly unknown[]>(args).then(
      (given) => send({ number, name, args: given }),
      (error) => {
        waiting.delete(number);
        call.reject(error);
      },
    );
    return call.promise;
  });

  return {
    ...store,
    close() {
      closing ??= end();
      return closing;
    },
  };
}
