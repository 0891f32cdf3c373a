import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from './booking-system.ts';

export type Deadline = {
  /** Aborts when the time is over, or as soon as the parent does. */
  readonly signal: AbortSignal;
  /** Frees the timer once the work is done; the signal then never aborts on its own. */
  close(): void;
};

export function openDeadline({
  clock,
  milliseconds,
  parent,
}: {
  readonly clock: Clock;
  readonly milliseconds: number;
  readonly parent?: AbortSignal | undefined;
}): Deadline {
  const controller = new AbortController();
  const cancelTimer = clock.after(Math.max(0, milliseconds), () => {
    parent?.removeEventListener('abort', followParent);
    controller.abort(new BookingSystemFailure('timeout', `no answer within ${milliseconds} ms`));
  });
  function followParent(): void {
    cancelTimer();
    controller.abort(parent?.reason);
  }
  if (parent?.aborted) followParent();
  else parent?.addEventListener('abort', followParent, { once: true });

  return {
    signal: controller.signal,
    close() {
      cancelTimer();
      parent?.removeEventListener('abort', followParent);
    },
  };
}

/** Waits no longer than the signal lets it, even for work that never looks at the signal. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    // Also after giving up: a late rejection must find a handler.
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
