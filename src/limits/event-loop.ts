import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

export type EventLoopLag = {
  /** The moving average of the delay of timers. */
  milliseconds(): number;
  stop(): void;
};

const SAMPLE_EVERY = 50;
/** Low enough that one garbage collection pause does not count as overload, but several late samples in a row do. */
const WEIGHT_OF_NEWEST = 0.3;
/** Caps the sample after a suspended laptop wakes, which would otherwise count as an hour of overload. */
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
    // Count an overdue sample: a blocked event loop takes none.
    milliseconds: () => Math.max(smoothed, withSample(latenessNow())),
    stop: () => cancel(),
  };
}

/**
 * Works through a list of arbitrary length. Yields to the event loop after every `perTurn` items, so that no list holds it for long;
 * code after a list that took several turns starts in a new turn.
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
