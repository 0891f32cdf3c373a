import type { ClockTime } from '../clock.ts';
import type { RateReading, RateRule } from './rate-windows.ts';

/** What is counted in a window. `startedAt` is elapsed time, `resetAt` epoch seconds. */
export type CountedWindow = {
  readonly startedAt: number;
  readonly resetAt: number;
  readonly taken: number;
};

/** Less is rounding, or the clocks running apart, and a reset that flickers would look like a new window. */
const MIN_STEP_SECONDS = 2;

export function newWindow({ windowMs }: RateRule, { now, elapsed }: ClockTime): CountedWindow {
  return { startedAt: elapsed, resetAt: Math.ceil((now + windowMs) / 1000), taken: 0 };
}

export function hasEnded(
  { startedAt }: Pick<CountedWindow, 'startedAt'>,
  { windowMs }: RateRule,
  elapsed: number,
): boolean {
  return elapsed >= startedAt + windowMs;
}

/** With the reset that is shown from now on. */
export function readingOf(
  { startedAt, resetAt: shown, taken }: CountedWindow,
  allowed: boolean,
  { limit, windowMs }: RateRule,
  { now, elapsed }: ClockTime,
): RateReading {
  const remainingMs = startedAt + windowMs - elapsed;
  const resetAt = Math.ceil((now + remainingMs) / 1000);
  return {
    limit,
    remaining: Math.max(0, limit - taken),
    resetAt: Math.abs(resetAt - shown) >= MIN_STEP_SECONDS ? resetAt : shown,
    allowed,
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(remainingMs / 1000)),
  };
}

/** The window that a caller is told of: its own, unless its assistant's has run out and is the one to wait for. */
export function tellingReading(own: RateReading, ofAssistant: RateReading): RateReading {
  const isToWaitFor = !ofAssistant.allowed && ofAssistant.retryAfterSeconds > own.retryAfterSeconds;
  return isToWaitFor ? ofAssistant : own;
}
