import type { Clock } from '../../src/clock.ts';

export type FakeClock = Clock & {
  /** Runs the timers that fall due, in order of time, and lets promises settle after each. */
  advance(milliseconds: number): Promise<void>;
  /** Lets everything that waits for promises only, and not for time, run to its end. */
  settle(): Promise<void>;
  /** Timers that are still waiting: what a finished piece of work must leave at zero. */
  readonly pendingTimers: number;
};

export function createFakeClock(start: number): FakeClock {
  let now = start;
  const timers = new Set<{ readonly due: number; readonly action: () => void }>();

  function earliestUpTo(limit: number) {
    let earliest: { readonly due: number; readonly action: () => void } | undefined;
    // A Set keeps the order of insertion, so timers of one instant run in the order in which they were set.
    for (const timer of timers) {
      if (timer.due <= limit && (!earliest || timer.due < earliest.due)) earliest = timer;
    }
    return earliest;
  }

  // Promise callbacks all run before the event loop comes to its next immediate.
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  return {
    now: () => now,
    after(milliseconds, action) {
      const timer = { due: now + Math.max(0, milliseconds), action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    settle,
    async advance(milliseconds) {
      const target = now + milliseconds;
      await settle();
      for (let timer = earliestUpTo(target); timer; timer = earliestUpTo(target)) {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        timer.action();
        await settle();
      }
      now = target;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}
