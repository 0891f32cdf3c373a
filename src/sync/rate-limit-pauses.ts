import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { Random } from '../random.ts';

/** Ten minutes in all; then the run fails, and the next one continues where it stopped. */
const MAX_PAUSES_IN_A_ROW = 6;

/** A booking system that limits the rate has not failed: repeats the read after a pause, which applies to all reads of the run. */
type RateLimitPauses = {
  /** Resolves or rejects with the result of the last attempt. */
  retryingRateLimits<T>(read: () => Promise<T>): Promise<T>;
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
    async retryingRateLimits(read) {
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

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 300_000;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 300_000;
/** Of the refresh interval. */
const SHORTEST_PAUSE = 0.9;

/**
 * The pause before a brand is read again: the refresh interval ± 10 %, or exponential backoff after failures. The random
 * part keeps brands, and several servers of one network, from reading at the same moment.
 */
export function pauseBeforeNextRefresh({
  failuresInARow,
  refreshMs,
  random,
}: {
  readonly failuresInARow: number;
  readonly refreshMs: number;
  readonly random: Random;
}): number {
  const jitter = fractionOf(random);
  if (failuresInARow === 0) return refreshMs * (SHORTEST_PAUSE + 0.2 * jitter);
  const backoffMs = FIRST_RETRY_MS * 2 ** (failuresInARow - 1);
  return Math.min(backoffMs, MAX_RETRY_MS, refreshMs) * (0.5 + 0.5 * jitter);
}

/** The age from which a calendar is read again. It is the shortest pause, so each refresh rereads what the last one read. */
export function oldCalendarMs(refreshMs: number): number {
  return refreshMs * SHORTEST_PAUSE;
}

/** The pause after a booking system refused a read for its rate, without saying for how long. */
export function pauseWhenRateLimited({
  pausesInARow,
  random,
}: {
  /** Including this one. */
  readonly pausesInARow: number;
  readonly random: Random;
}): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (pausesInARow - 1), MAX_PAUSE_MS) * (0.5 + 0.5 * fractionOf(random));
}

function fractionOf(random: Random): number {
  return random.bytes(4).readUInt32BE() / 2 ** 32;
}
