import { type Clock, systemClock } from '../../src/clock.ts';

export type VendorClock = Clock & {
  /** Both clocks are later at once, and what is due by then happens. */
  skip(milliseconds: number): void;
};

const START = Date.UTC(2027, 0, 15, 12);
export const TODAY = START / 86_400_000 - 0.5;

/**
 * The clock of a connector and its emulator. It moves on, because tokens and limits do, from a day that never changes. A wait of
 * exactly `skippedWaitMs` is over at once, and the clock has moved on by it.
 */
export function createVendorClock({
  skippedWaitMs = null,
}: {
  readonly skippedWaitMs?: number | null;
} = {}): VendorClock {
  const startedAt = systemClock.elapsed();
  const waiting = new Set<{ readonly dueAt: number; readonly end: () => void }>();
  let skipped = 0;
  const elapsed = () => systemClock.elapsed() + skipped;
  return {
    now: () => START + Math.floor(elapsed() - startedAt),
    elapsed,
    after(milliseconds, action) {
      if (milliseconds === skippedWaitMs) {
        skipped += milliseconds;
        return systemClock.after(0, action);
      }
      const wait = {
        dueAt: elapsed() + milliseconds,
        end() {
          cancel();
          action();
        },
      };
      const cancelTimer = systemClock.after(milliseconds, wait.end);
      const cancel = () => {
        waiting.delete(wait);
        cancelTimer();
      };
      waiting.add(wait);
      return cancel;
    },
    skip(milliseconds) {
      skipped += milliseconds;
      const due = [...waiting].filter(({ dueAt }) => dueAt <= elapsed());
      for (const wait of due.sort((one, other) => one.dueAt - other.dueAt)) {
        if (waiting.has(wait)) wait.end();
      }
    },
  };
}

/** For what has no clock of its own. */
export const vendorClock = createVendorClock();
