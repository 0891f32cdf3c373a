import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { Random } from '../random.ts';
import { pauseWhenRateLimited } from './next-refresh.ts';

/** Ten minutes in all; then the run fails, and the next one goes on where it stopped. */
const MAX_PAUSES_IN_A_ROW = 6;

/** A booking system that has had enough for now has not failed: the read is made again after a pause, which all reads of the run keep. */
export type RateLimitPauses = {
  /** Resolves or rejects as the read does that came after the last pause. */
  patiently<T>(read: () => Promise<T>): Promise<T>;
};

export function createRateLimitPauses({
  clock,
  random,
  signal,
  maxPausesInARow = MAX_PAUSES_IN_A_ROW,
  onPause,
}: {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly maxPausesInARow?: number | undefined;
  readonly onPause: (milliseconds: number) => void;
}): RateLimitPauses {
  let pausesInARow = 0;
  let pause: Promise<void> | undefined;

  function startPause(): void {
    if (pause) return;
    pausesInARow += 1;
    const pauseMs = pauseWhenRateLimited({ pausesInARow, random });
    onPause(pauseMs);
    pause = new Promise<void>((resolve) => {
      const end = () => {
        cancelTimer();
        signal.removeEventListener('abort', end);
        pause = undefined;
        resolve();
      };
      const cancelTimer = clock.after(pauseMs, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  return {
    async patiently(read) {
      for (;;) {
        await pause;
        signal.throwIfAborted();
        try {
          const value = await read();
          pausesInARow = 0;
          return value;
        } catch (error) {
          const isRateLimited = error instanceof BookingSystemFailure && error.kind === 'rate_limited';
          if (!isRateLimited || signal.aborted || pausesInARow >= maxPausesInARow) throw error;
          startPause();
        }
      }
    },
  };
}
