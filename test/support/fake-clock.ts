import type { Clock } from '../../src/clock.ts';

export type FakeClock = Clock & {
  /** Runs due timers in order of time, and lets promises settle after each. */
  advance(milliseconds: number): Promise<void>;
  /** Runs everything that waits for promises but not for time. */
  settle(): Promise<void>;
  /** Moves the wall clock alone, as a correction of the system's time does. */
  stepWallClock(milliseconds: number): void;
  /** Zero once all work has finished and cleaned up. */
  readonly pendingTimers: number;
};

/** `settled` resolves when nothing is under way that promises wait for outside this process. */
export function createFakeClock(start: number, settled: () => Promise<void> = async () => {}): FakeClock {
  // Timers and ages count elapsed time, as the system's do. It starts elsewhere, so that a mix-up shows.
  let elapsed = 1_000_000;
  let wallAtZero = start - elapsed;
  const timers = new Set<{ readonly due: number; readonly action: () => void }>();

  function earliestUpTo(limit: number) {
    let earliest: { readonly due: number; readonly action: () => void } | undefined;
    // A Set keeps insertion order, so timers of the same instant run in the order in which they were set.
    for (const timer of timers) {
      if (timer.due <= limit && (!earliest || timer.due < earliest.due)) earliest = timer;
    }
    return earliest;
  }

  // All promise callbacks run before the next immediate.
  const settle = async () => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await settled();
  };

  return {
    // Whole milliseconds, as the system has it.
    now: () => Math.floor(wallAtZero + elapsed),
    elapsed: () => elapsed,
    stepWallClock(milliseconds) {
      wallAtZero += milliseconds;
    },
    after(milliseconds, action) {
      // The system's clock warns of it, and takes it for a millisecond.
      if (milliseconds < 0) throw new RangeError(`a delay of ${milliseconds} ms`);
      const timer = { due: elapsed + milliseconds, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    settle,
    async advance(milliseconds) {
      const target = elapsed + milliseconds;
      await settle();
      for (let timer = earliestUpTo(target); timer; timer = earliestUpTo(target)) {
        timers.delete(timer);
        elapsed = Math.max(elapsed, timer.due);
        timer.action();
        await settle();
      }
      elapsed = target;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}
