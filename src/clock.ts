/** Everything that waits or expires takes a clock as a parameter, so that tests control time. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `action` once after the delay. The returned function cancels it. */
  after(milliseconds: number, action: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
