import type { Clock } from '../clock.ts';

/** Lets those who change the index wait while somebody copies it. */
export type WritePause = {
  /** Resolves once nobody copies it, or has copied for too long. */
  over(): Promise<void>;
  /** Pauses until `copy` has settled. */
  during<Result>(copy: () => Promise<Result>): Promise<Result>;
};

/** A disk that hangs must not keep calendars from being renewed: a copy that takes longer is overtaken and given up. */
const MAX_PAUSE_MS = 60_000;

export function createWritePause(clock: Pick<Clock, 'after'>): WritePause {
  let pause: Promise<void> | undefined;

  return {
    over: async () => pause,
    async during(copy) {
      const { promise, resolve } = Promise.withResolvers<void>();
      pause = promise;
      const end = () => {
        if (pause === promise) pause = undefined;
        resolve();
      };
      const stopWaiting = clock.after(MAX_PAUSE_MS, end);
      try {
        return await copy();
      } finally {
        stopWaiting();
        end();
      }
    },
  };
}
