import type { Clock } from '../clock.ts';

export type EventLoopLag = {
  /** How late, in milliseconds, the process gets to its work these days. */
  milliseconds(): number;
  stop(): void;
};

const SAMPLE_EVERY = 50;
/** One pause for garbage is no overload; several late samples in a row are. */
const WEIGHT_OF_NEWEST = 0.3;
/** A clock that jumps, or a laptop that slept, must not look like an hour of overload. */
const MAX_LATENESS_MS = 5_000;

export function watchEventLoopLag(clock: Clock): EventLoopLag {
  let smoothed = 0;
  let dueAt = 0;
  let cancel = schedule();

  function schedule(): () => void {
    dueAt = clock.now() + SAMPLE_EVERY;
    return clock.after(SAMPLE_EVERY, () => {
      smoothed = withSample(latenessNow());
      cancel = schedule();
    });
  }

  function latenessNow(): number {
    return Math.min(MAX_LATENESS_MS, Math.max(0, clock.now() - dueAt));
  }

  function withSample(lateness: number): number {
    return smoothed + WEIGHT_OF_NEWEST * (lateness - smoothed);
  }

  return {
    // A sample that is overdue counts already: what waits behind it must not be taken for a quiet moment.
    milliseconds: () => Math.max(smoothed, withSample(latenessNow())),
    stop: () => cancel(),
  };
}
