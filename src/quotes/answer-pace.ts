import type { Clock } from '../clock.ts';

/** How long an operator takes over a call at present. */
export type AnswerPace = {
  note(milliseconds: number): void;
  /** Null when no call has come to its end lately: then only a call that does can tell. */
  usualMs(): number | null;
};

/** An operator's pace may have changed after that. */
const MAX_AGE_MS = 5000;
const WEIGHT_OF_NEWEST = 1 / 8;

/** A mean and no median, because it is the mean that says how many calls an operator gets through. */
export function createAnswerPace(clock: Clock): AnswerPace {
  let mean = 0;
  let notedAt = Number.NEGATIVE_INFINITY;

  function usualMs(): number | null {
    return clock.elapsed() - notedAt < MAX_AGE_MS ? mean : null;
  }

  return {
    note(milliseconds) {
      const before = usualMs() ?? milliseconds;
      mean = before + (milliseconds - before) * WEIGHT_OF_NEWEST;
      notedAt = clock.elapsed();
    },
    usualMs,
  };
}
