import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { untilAborted } from '../limits/deadline.ts';
import type { StillReading } from '../quotes/booking-system.ts';

/** More than a working system needs between two signs of life; without it, one that hangs would never be read again. */
const MAX_SILENCE_MS = 120_000;
/** Vendors announce pauses of hours. A longer one is not waited for: the next run goes on where this one stopped. */
const MAX_QUIET_MS = 6 * 3_600_000;

/**
 * Gives up after `MAX_SILENCE_MS` without a sign of life, even when the booking system ignores the signal. A read may last as
 * long as it goes on, or waits for its turn.
 */
export async function readWhileAlive<T>(
  clock: Clock,
  signal: AbortSignal,
  read: (signal: AbortSignal, stillReading: StillReading) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const followParent = () => ending.abort(signal.reason);
  signal.addEventListener('abort', followParent, { once: true });
  let isOver = false;
  let cancelTimer = () => {};
  const stillReading: StillReading = (quietMs = 0) => {
    cancelTimer();
    if (isOver) return;
    const silenceMs = MAX_SILENCE_MS + Math.min(Math.max(0, quietMs), MAX_QUIET_MS);
    cancelTimer = clock.after(silenceMs, () =>
      ending.abort(new BookingSystemFailure('timeout', `nothing came for ${silenceMs} ms`)),
    );
  };
  stillReading();
  try {
    return await untilAborted(read(ending.signal, stillReading), ending.signal);
  } finally {
    isOver = true;
    cancelTimer();
    signal.removeEventListener('abort', followParent);
  }
}
