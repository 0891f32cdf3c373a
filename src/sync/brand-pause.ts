/** Whether the owner has paused a brand, and what follows from it. */
export type BrandPause = {
  /** In epoch milliseconds; null while its homes may be on offer. */
  readonly since: number | null;
  /** It was paused until a moment ago, and its homes are still being loaded. */
  readonly isResuming: boolean;
  /** Aborts with the next pause; aborted while it is paused. */
  readonly signal: AbortSignal;
  pause(at: number): void;
  resume(): void;
};

export function createBrandPause({
  inLine,
  takeOff,
  clear,
  bringBack,
}: {
  /** Nothing else is done with the homes of the brand meanwhile. */
  readonly inLine: (work: () => Promise<void>) => Promise<void>;
  /** At once: no search finds any of its homes when this returns. */
  readonly takeOff: () => void;
  /** What was taken off takes no memory any more. */
  readonly clear: () => Promise<void>;
  /** Ends early when the signal aborts. */
  readonly bringBack: (signal: AbortSignal) => Promise<void>;
}): BrandPause {
  let since: number | null = null;
  let isResuming = false;
  let pausing = new AbortController();

  return {
    get since() {
      return since;
    },
    get isResuming() {
      return isResuming;
    },
    get signal() {
      return pausing.signal;
    },
    pause(at) {
      const isNew = since === null;
      since = at;
      if (!isNew) return;
      isResuming = false;
      takeOff();
      pausing.abort();
      void inLine(clear);
    },
    resume() {
      if (since === null) return;
      since = null;
      isResuming = true;
      pausing = new AbortController();
      const { signal } = pausing;
      void inLine(async () => {
        if (signal.aborted) return;
        await bringBack(signal);
        if (!signal.aborted) isResuming = false;
      });
    },
  };
}
