/** Everything that waits or expires takes a clock as a parameter, so that tests control time. */
export type Clock = {
  /** Epoch milliseconds: what a calendar, an expiry or a log line means. The system may step it, also backwards. */
  now(): number;
  /** Milliseconds since some moment that is the same for all threads, which never go back: for waits, windows and anything that compares ages. */
  elapsed(): number;
  /** Calls `action` once after the delay. The returned function cancels it. */
  after(milliseconds: number, action: () => void): () => void;
};

/** One instant on both clocks, for what is measured by one and shown by the other. */
export type ClockTime = { readonly now: number; readonly elapsed: number };

export function timeOn(clock: Clock): ClockTime {
  return { now: clock.now(), elapsed: clock.elapsed() };
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
