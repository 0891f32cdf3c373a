/** Everything that waits or expires takes a clock as a parameter, so that tests control time. */
export type Clock = {
  /** Epoch milliseconds: what a calendar, an expiry or a log line means. The system may step it, also backwards. */
  now(): number;
  /** Milliseconds since some moment that is the same for all threads, which never go back: for waits, windows and anything that compares ages. */
  elapsed(): number;
  /** Calls `action` once after the delay. The returned function cancels it. */
  after(milliseconds: number, action: () => void): () => void;
};

/** One instant on both clocks, for values measured on one and shown on the other. */
export type ClockTime = { readonly now: number; readonly elapsed: number };

export function timeOn(clock: Clock): ClockTime {
  return { now: clock.now(), elapsed: clock.elapsed() };
}

/** More than a clock is corrected by while it runs: it was set, and may be wrong. */
const MAX_DRIFT_MS = 60_000;
/** Long enough to put a wrong clock right. */
const PAUSE_AFTER_STEP_MS = 15 * 60_000;

/**
 * For deletions by age: a wrong clock could delete fresh data for good. The returned function says whether the wall
 * clock was set since the last call or in the last quarter of an hour. `steppedAt`: an earlier step, in elapsed milliseconds.
 */
export function createStepWatch(clock: Clock, steppedAt = Number.NEGATIVE_INFINITY): () => boolean {
  let last = timeOn(clock);
  return () => {
    const time = timeOn(clock);
    const drift = time.now - last.now - (time.elapsed - last.elapsed);
    if (Math.abs(drift) > MAX_DRIFT_MS) steppedAt = time.elapsed;
    last = time;
    return time.elapsed - steppedAt < PAUSE_AFTER_STEP_MS;
  };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Ends early when the signal aborts. */
export function pauseFor(
  milliseconds: number,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
