import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../../clock.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { createFairLine, type WaitingItem } from '../../../limits/fair-semaphore.ts';
import type {
  Intake,
  IntakeItem,
  IntakeOrder,
  IntakeReply,
  IntakeRequest,
  IntakeResult,
  IntakeSummary,
  IntakeTaskName,
} from './intake.ts';

/** For loading the thread's modules, which does not count against the first document. */
const MAX_STARTING_MS = 30_000;

type Job = {
  readonly order: Omit<IntakeOrder, 'take' | 'parameters'> & { readonly parameters: unknown };
  take(items: readonly unknown[], bytes: number): void;
  resolve(summary: unknown, document: IntakeResult<IntakeTaskName>['document']): void;
  reject(error: unknown): void;
  /** Its promise has ended, so its result is dropped. */
  isSettled: boolean;
  /** The thread's time for it so far. */
  spentMs: number;
};

/**
 * One reading thread, started by the first order, and its queue of orders. A document that takes too long or too much memory ends the thread: only its own order
 * fails, and the next one starts a new thread.
 */
export function createIntakeLane({
  startWorker,
  clock,
  maxTaskMs,
  maxIdleMs,
}: {
  readonly startWorker: () => Worker;
  readonly clock: Clock;
  /** Then an idle thread ends, which holds tens of megabytes. */
  readonly maxIdleMs: number;
  /** For one document, without the time in the queue and the time in which the event loop takes its chunks. */
  readonly maxTaskMs: number;
}): Intake {
  /** Brands take turns. */
  const line = createFairLine<Job>();
  let worker: Worker | undefined;
  let isReady = false;
  let current: Job | undefined;
  let stopTimer: (() => void) | undefined;
  let isClosed = false;
  let stopIdling = () => {};
  let endTurn = () => {};

  function start(): Worker {
    const started = startWorker();
    let cause: unknown;
    isReady = false;
    started.on('message', (reply: IntakeReply) => {
      if (worker === started) receive(started, reply);
    });
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker !== started) return;
      worker = undefined;
      end(endOfThread(cause));
    });
    return started;
  }

  function startNext(): void {
    if (current || isClosed) return;
    stopIdling();
    const next = line.next();
    // An idle thread ends after a while.
    if (!next) {
      worker?.unref();
      if (worker) stopIdling = clock.after(maxIdleMs, endIdle);
      return;
    }
    line.remove(next.place);
    endTurn = line.begin(next.caller);
    current = next.place.item;
    const { task, document, parameters, returnsDocument = false } = current.order;
    worker ??= start();
    worker.ref();
    send(worker, { kind: 'start', task, document, parameters, returnsDocument }, [document.buffer]);
  }

  function endIdle(): void {
    const idle = worker;
    worker = undefined;
    void idle?.terminate();
  }

  function send(receiver: Worker, request: IntakeRequest, moved: readonly ArrayBuffer[] = []): void {
    receiver.postMessage(request, moved);
    if (request.kind !== 'drop') watchTime(isReady ? 0 : MAX_STARTING_MS);
  }

  /** Ends the thread unless it replies within the rest of the job's time. */
  function watchTime(extraMs: number): void {
    const job = current;
    if (!job) return;
    const sentAt = clock.elapsed();
    let hasReplied = false;
    const cancel = clock.after(maxTaskMs - job.spentMs + extraMs, () =>
      // After a turn, so that a reply that arrived while the event loop was busy is received first.
      setImmediate(() => {
        if (!hasReplied && current === job) giveUp();
      }),
    );
    stopTimer = () => {
      hasReplied = true;
      cancel();
      if (extraMs === 0) job.spentMs += clock.elapsed() - sentAt;
    };
  }

  function giveUp(): void {
    const stuck = worker;
    worker = undefined;
    void stuck?.terminate();
    end(new BookingSystemFailure('too_large', `reading the document took longer than ${maxTaskMs} ms`));
  }

  function receive(sender: Worker, reply: IntakeReply): void {
    stopTimer?.();
    stopTimer = undefined;
    if (reply.kind === 'ready') {
      isReady = true;
      watchTime(0);
      return;
    }
    const job = current;
    if (!job) return;
    switch (reply.kind) {
      case 'chunk':
        takeChunk(sender, job, reply);
        break;
      case 'done':
        if (!job.isSettled) job.resolve(reply.summary, reply.document);
        end();
        break;
      case 'failed':
        end(new BookingSystemFailure(reply.failure, reply.message));
    }
  }

  function takeChunk(
    sender: Worker,
    job: Job,
    { items, bytes }: Extract<IntakeReply, { kind: 'chunk' }>,
  ): void {
    try {
      if (!job.isSettled) job.take(items, bytes);
    } catch (error) {
      job.reject(error);
    }
    // In a new turn: otherwise a fast thread would fill this turn with chunk after chunk.
    setImmediate(() => {
      if (current !== job || worker !== sender) return;
      if (!job.isSettled) return send(sender, { kind: 'next' });
      send(sender, { kind: 'drop' });
      end();
    });
  }

  /** Ends the current job, with the fault if there is one. */
  function end(fault?: unknown): void {
    stopTimer?.();
    stopTimer = undefined;
    if (fault !== undefined) current?.reject(fault);
    current = undefined;
    endTurn();
    startNext();
  }

  return {
    run<Name extends IntakeTaskName>(order: IntakeOrder<Name>): Promise<IntakeResult<Name>> {
      const { signal, brand } = order;
      return new Promise((resolve, reject) => {
        let place: WaitingItem<Job> | undefined;
        const settle = (outcome: () => void) => {
          if (job.isSettled) return;
          job.isSettled = true;
          signal.removeEventListener('abort', abandon);
          outcome();
        };
        const abandon = () => {
          if (place) line.remove(place);
          job.reject(new BookingSystemFailure('timeout', 'the reading was given up'));
        };
        const job: Job = {
          order,
          take: (items, bytes) => order.take(items as readonly IntakeItem<Name>[], bytes),
          resolve: (summary, document) =>
            settle(() => resolve({ summary: summary as IntakeSummary<Name>, document })),
          reject: (error) => settle(() => reject(error)),
          isSettled: false,
          spentMs: 0,
        };
        if (isClosed) return job.reject(closed());
        if (signal.aborted) return abandon();
        signal.addEventListener('abort', abandon, { once: true });
        place = line.add(job, [[brand]]);
        startNext();
      });
    },

    async close() {
      isClosed = true;
      for (const place of line.waiting) {
        line.remove(place);
        place.item.reject(closed());
      }
      stopIdling();
      const ending = worker;
      worker = undefined;
      end(closed());
      await ending?.terminate();
    },
  };
}

function endOfThread(cause: unknown): BookingSystemFailure {
  const ranOutOfMemory =
    cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return ranOutOfMemory
    ? new BookingSystemFailure('too_large', 'reading the document takes more memory than it may', { cause })
    : new BookingSystemFailure('garbled', 'the thread that read the document has ended', { cause });
}

function closed(): BookingSystemFailure {
  return new BookingSystemFailure('unreachable', 'the service is closing');
}
