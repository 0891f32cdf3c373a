/** Time as a parameter: everything that waits or expires takes one of these, so that tests decide what time it is. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `action` once after the delay, unless the returned function is called before. */
  after(milliseconds: number, action: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
