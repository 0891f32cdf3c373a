import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from './booking-system-failure.ts';

export type Deadline = {
  /** Aborts when the time is over or the parent aborts. */
  readonly signal: AbortSignal;
  /** Aborts immediately with this reason. */
  end(reason: unknown): void;
  /** Frees the timer when the work is done; afterwards the deadline no longer aborts the signal. */
  close(): void;
};

export function openDeadline({
  clock,
  timeoutMs,
  parent,
}: {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly parent?: AbortSignal | undefined;
}): Deadline {
  const controller = new AbortController();
  const cancelTimer = clock.after(Math.max(0, timeoutMs), () =>
    end(new BookingSystemFailure('timeout', `no answer within ${timeoutMs} ms`)),
  );
  const followParent = () => end(parent?.reason);
  function close(): void {
    cancelTimer();
    parent?.removeEventListener('abort', followParent);
  }
  function end(reason: unknown): void {
    close();
    controller.abort(reason);
  }
  if (parent?.aborted) followParent();
  else parent?.addEventListener('abort', followParent, { once: true });

  return { signal: controller.signal, end, close };
}

/** Rejects when the signal aborts, even if the work continues. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    // Attached also after the abort, so that a late rejection has a handler.
    work.then(
      (value) => {
        signal.removeEventListener('abort', giveUp);
        resolve(value);
      },
      (error) => {
        signal.removeEventListener('abort', giveUp);
        reject(error);
      },
    );
  });
}

/** Whether the client still waits for the answer. */
export type WaitingClient = {
  hasGone(): boolean;
  /**
   * Aborts with `ClientGone`; undefined for a client that cannot leave. Only work that waits should call it, because creating a signal
   * costs more than many requests.
   */
  departure(): AbortSignal | undefined;
  /** Called with the progress of a search. Left out without listeners. */
  readonly hear?: (progress: QuoteProgress) => void;
};

/** The number of brands asked for prices so far, and how many of them answered or failed. */
export type QuoteProgress = { readonly asked: number; readonly answered: number };

/** The client left, so the work stops. Not a fault. */
export class ClientGone extends Error {
  constructor() {
    super('the client has gone');
    this.name = 'ClientGone';
  }
}

/** For transports that cannot lose their client. */
export const CLIENT_STAYS: WaitingClient = { hasGone: () => false, departure: () => undefined };

export function stopIfGone(client: WaitingClient): void {
  if (client.hasGone()) throw new ClientGone();
}
