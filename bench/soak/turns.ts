import { setTimeout as sleep } from 'node:timers/promises';

/** Lets so much happen in a second and no more, in the order in which it was asked for. */
export type Turns = {
  /** Resolves when it may happen. `waits` is told how long that will take, in milliseconds. */
  take(count: number, signal: AbortSignal, waits: (milliseconds: number) => void): Promise<void>;
};

export function createTurns(perSecond: number): Turns {
  let freeAt = Number.NEGATIVE_INFINITY;
  return {
    async take(count, signal, waits) {
      const now = performance.now();
      const turnAt = Math.max(now, freeAt);
      freeAt = turnAt + (count / perSecond) * 1000;
      if (turnAt === now) return;
      waits(turnAt - now);
      await sleep(turnAt - now, undefined, { signal });
    },
  };
}
