import type { Clock } from '../clock.ts';

/** A brand that takes longer to read is searched once it was read; the others are not kept waiting. */
const MAX_WAIT_MS = 10_000;

/** Whether a brand was tried since the start: until then a search may miss it that will find it soon. */
export type FirstTry = {
  /** It was read, was loaded from the store, or has failed, on this node or on the one that leads. */
  tried(): void;
  /** After a while it counts as tried, unless the returned function is called before. */
  startWaiting(): () => void;
  /** Nobody need wait any longer, tried or not. */
  brokenOff(): void;
  /** Also when it takes too long to wait for. */
  wasTried(): boolean;
  /** Resolves once it was tried, or was broken off. */
  untilTried(): Promise<void>;
};

export function createFirstTry(clock: Pick<Clock, 'after'>): FirstTry {
  const { promise, resolve } = Promise.withResolvers<void>();
  let wasTried = false;

  function tried(): void {
    wasTried = true;
    resolve();
  }

  return {
    tried,
    startWaiting: () => clock.after(MAX_WAIT_MS, tried),
    brokenOff: resolve,
    wasTried: () => wasTried,
    untilTried: () => promise,
  };
}
