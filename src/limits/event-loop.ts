import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

export type EventLoopLag = {
  /** A moving average of how late timers fire. */
  milliseconds(): number;
  stop(): void;
};

const SAMPLE_EVERY = 50;
/** Low enough that one garbage collection pause does not count as overload, while several late samples in a row do. */
const WEIGHT_OF_NEWEST = 0.3;
/** Caps a sample after a suspended laptop, which would otherwise look like an hour of overload. */
const MAX_LATENESS_MS = 5_000;

export function watchEventLoopLag(clock: Clock): EventLoopLag {
  let smoothed = 0;
  let dueAt = 0;
  let cancel = schedule();

  function schedule(): () => void {
    dueAt = clock.elapsed() + SAMPLE_EVERY;
    return clock.after(SAMPLE_EVERY, () => {
      smoothed = withSample(latenessNow());
      cancel = schedule();
    });
  }

  function latenessNow(): number {
    return Math.min(MAX_LATENESS_MS, Math.max(0, clock.elapsed() - dueAt));
  }

  function withSample(lateness: number): number {
    return smoothed + WEIGHT_OF_NEWEST * (lateness - smoothed);
  }

  return {
    // An overdue sample counts already, because a blocked event loop takes no samples.
    milliseconds: () => Math.max(smoothed, withSample(latenessNow())),
    stop: () => cancel(),
  };
}

/**
 * Works through a list that others decide the length of. After every `perTurn` items the event loop gets a turn, so that
 * no list holds it for long; what follows a list that took several turns begins in one of its own.
 */
export async function inTurns<Item>(
  items: Iterable<Item>,
  perTurn: number,
  work: (item: Item) => void,
): Promise<void> {
  let left = perTurn;
  let tookSeveral = false;
  for (const item of items) {
    if (left === 0) {
      await nextTurn();
      left = perTurn;
      tookSeveral = true;
    }
    work(item);
    left -= 1;
  }
  if (tookSeveral) await nextTurn();
}
