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
