import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { type CallHandlers, createPortCalls, type PortCalls, ThreadGone } from './port-calls.ts';
import type { WorkerNumber } from './session-home.ts';

/** The other threads that serve, as one of them knows them. */
export type Peers = {
  /** Replaces one that has ended. */
  add(number: WorkerNumber, port: MessagePort): void;
  /** Waits for a thread that is being replaced, but not for long. */
  of(number: WorkerNumber): Promise<PortCalls>;
};

/** A thread is up in a fraction of a second. */
const MAX_WAIT_MS = 5_000;

export function createPeers(handlers: CallHandlers, clock: Pick<Clock, 'after'>): Peers {
  const known = new Map<WorkerNumber, PortCalls>();
  const awaited = new Map<WorkerNumber, PromiseWithResolvers<PortCalls>>();

  function wait(number: WorkerNumber): Promise<PortCalls> {
    const earlier = awaited.get(number);
    if (earlier) return earlier.promise;
    const arrival = Promise.withResolvers<PortCalls>();
    awaited.set(number, arrival);
    clock.after(MAX_WAIT_MS, () => {
      if (awaited.get(number) === arrival) awaited.delete(number);
      arrival.reject(new ThreadGone());
    });
    return arrival.promise;
  }

  return {
    add(number, port) {
      const calls = createPortCalls(port, handlers);
      known.set(number, calls);
      port.on('close', () => {
        if (known.get(number) === calls) known.delete(number);
      });
      awaited.get(number)?.resolve(calls);
      awaited.delete(number);
    },
    async of(number) {
      return known.get(number) ?? wait(number);
    },
  };
}
