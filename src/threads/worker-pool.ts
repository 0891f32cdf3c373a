import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import { type CallHandlers, createPortCalls, type PortCalls, ThreadGone } from './port-calls.ts';
import type { WorkerNumber } from './route-operations.ts';

/** Threads that serve, each replaced when it ends. */
type WorkerPool = {
  /** Starts all threads. Resolves with the report of the first once all are up; rejects when one cannot start. */
  start(): Promise<unknown>;
  /** Sends a message to every thread that is up. */
  tellAll(name: string, argument: unknown): void;
  /** Calls all threads; resolves with the answers of those that answer. */
  callAll(name: string, argument: unknown): Promise<readonly unknown[]>;
  /** Calls any thread that is up. Rejects with `ThreadGone` when there is none. */
  callAny(name: string, argument: unknown, client?: WaitingClient): Promise<unknown>;
  /** Ends the threads: calls `prepare` in all of them, then `finish` in all of them. */
  close(prepare: string, finish: string): Promise<void>;
};

/** A thread that ends sooner than this is restarted after a pause, which doubles. */
const SHORT_LIFE_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

type Member = { readonly worker: Worker; readonly calls: PortCalls };

export function createWorkerPool({
  count,
  startWorker,
  handlersFor,
  onEnded,
  clock,
  maxClosingMs,
}: {
  readonly count: number;
  readonly startWorker: (number: WorkerNumber) => Worker;
  /** Calls that threads may make, besides `up` and `cannotStart`. */
  readonly handlersFor: (number: WorkerNumber) => CallHandlers;
  /** Called for each thread that ended unexpectedly, before it is replaced. */
  readonly onEnded: (number: WorkerNumber, cause: unknown) => void;
  readonly clock: Clock;
  /** Time limit for each of the two parts of closing. */
  readonly maxClosingMs: number;
}): WorkerPool {
  const members = new Map<WorkerNumber, Member>();
  const pauses = new Map<WorkerNumber, number>();
  let isClosing = false;

  /** Resolves when the thread is up. */
  function launch(number: WorkerNumber): Promise<unknown> {
    const worker = startWorker(number);
    const startedAt = clock.elapsed();
    const up = Promise.withResolvers<unknown>();
    let cause: unknown;
    const calls = createPortCalls(worker, {
      ...handlersFor(number),
      up: (report: unknown) => up.resolve(report),
      cannotStart(reason: string) {
        cause = new Error(reason);
        up.reject(cause);
        // Its end triggers a restart, unless the service fails to start at all.
        void worker.terminate();
      },
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      if (members.get(number)?.worker === worker) members.delete(number);
      up.reject(cause ?? new ThreadGone());
      if (isClosing) return;
      onEnded(number, cause);
      replace(number, clock.elapsed() - startedAt);
    });
    introduce(number, calls);
    members.set(number, { worker, calls });
    return up.promise;
  }

  function replace(number: WorkerNumber, livedMs: number): void {
    const pause = livedMs > SHORT_LIFE_MS ? 0 : (pauses.get(number) ?? FIRST_PAUSE_MS);
    pauses.set(number, Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pause * 2)));
    clock.after(pause, () => {
      // A thread that cannot start ends, which leads here again.
      if (!isClosing) launch(number).catch(() => undefined);
    });
  }

  /** Connects the new thread with each of the others. */
  function introduce(number: WorkerNumber, calls: PortCalls): void {
    for (const [other, member] of members) {
      const { port1, port2 } = new MessageChannel();
      calls.tell('peer', { number: other, port: port1 }, [port1]);
      member.calls.tell('peer', { number, port: port2 }, [port2]);
    }
  }

  function tellAll(name: string, argument: unknown): void {
    for (const { calls } of members.values()) calls.tell(name, argument);
  }

  async function callAll(name: string, argument: unknown): Promise<readonly unknown[]> {
    const answers = await Promise.allSettled(
      [...members.values()].map(({ calls }) => calls.call(name, argument)),
    );
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  /** A blocked thread must not keep the others from closing. */
  async function withinTime(work: Promise<unknown>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(maxClosingMs, resolve);
    await Promise.race([work, late]);
    cancel();
  }

  return {
    async start() {
      const launched = Promise.all(Array.from({ length: count }, (_, number) => launch(number)));
      const [report] = await launched.catch((fault: unknown) => {
        // Replacements are no longer awaited.
        isClosing = true;
        throw fault;
      });
      return report;
    },
    tellAll,
    callAll,
    async callAny(name, argument, client) {
      const [member] = members.values();
      if (!member) throw new ThreadGone();
      return member.calls.call(name, argument, client);
    },
    async close(prepare, finish) {
      isClosing = true;
      for (const name of [prepare, finish]) await withinTime(callAll(name, null));
      await Promise.all([...members.values()].map(({ worker }) => worker.terminate()));
    },
  };
}

/** The other serving threads, as seen by one of them. */
type Peers = {
  /** Replaces the port of a thread that has ended. */
  add(number: WorkerNumber, port: MessagePort): void;
  /** Waits a short time for a thread that is being replaced. */
  of(number: WorkerNumber): Promise<PortCalls>;
};

/** Threads start in a fraction of a second. */
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
