import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from './booking-system-failure.ts';

export type Deadline = {
  /** Aborts when the time is over, or as soon as the parent does. */
  readonly signal: AbortSignal;
  /** Aborts at once, for the reason given. */
  end(reason: unknown): void;
  /** Frees the timer once the work is done; the signal then never aborts on its own. */
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
    // Also after giving up, so that a late rejection has a handler.
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

/** Whether somebody still waits for the answer to a request. */
export type WaitingClient = {
  hasGone(): boolean;
  /**
   * Aborts with `ClientGone`; undefined for a client that cannot go. Only work that waits asks for it, because making a
   * signal costs more than many requests do.
   */
  departure(): AbortSignal | undefined;
  /** Told how far a search has come. Left out where nobody listens. */
  readonly hear?: (progress: QuoteProgress) => void;
};

/** How many brands were asked for prices so far, and how many of them have answered or failed. */
export type QuoteProgress = { readonly asked: number; readonly answered: number };

/** Nobody waits for the answer any more. The work is dropped where it stands; this is no fault. */
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
