import type { ClockTime } from '../../clock.ts';
import type { RateReading, RateRule, RateWindows } from '../../sessions/rate-windows.ts';

/** `startedAt` is elapsed time, `resetAt` epoch seconds. */
type CallerWindow = { readonly startedAt: number; resetAt: number; taken: number };

const MAX_CALLERS = 200_000;
/** More than one, so that the map shrinks while it is used; few, so that no request pays for a long sweep. */
const MAX_SWEPT_PER_REQUEST = 2;
/** Less is rounding, or the clocks running apart, and a reset that flickers would look like a new window. */
const MIN_STEP_SECONDS = 2;

export type MemoryRateWindows = RateWindows & { readonly callers: number };

/**
 * All windows are equally long and a new one goes to the end of the map, so the map is ordered by when windows end and the
 * ended ones are always at its front.
 */
export function createMemoryRateWindows(
  { limit, windowMs }: RateRule,
  maxCallers = MAX_CALLERS,
): MemoryRateWindows {
  const windows = new Map<string, CallerWindow>();

  function liveWindow(caller: string, elapsed: number): CallerWindow | undefined {
    const window = windows.get(caller);
    return window && !hasEnded(window, elapsed) ? window : undefined;
  }

  function hasEnded({ startedAt }: CallerWindow, elapsed: number): boolean {
    return elapsed >= startedAt + windowMs;
  }

  function newWindow({ now, elapsed }: ClockTime): CallerWindow {
    return { startedAt: elapsed, resetAt: Math.ceil((now + windowMs) / 1000), taken: 0 };
  }

  function openWindow(caller: string, time: ClockTime): CallerWindow {
    windows.delete(caller);
    sweep(time.elapsed);
    const window = newWindow(time);
    windows.set(caller, window);
    return window;
  }

  function sweep(elapsed: number): void {
    let swept = 0;
    for (const [caller, window] of windows) {
      const mustGo = windows.size >= maxCallers || hasEnded(window, elapsed);
      if (!mustGo || swept === MAX_SWEPT_PER_REQUEST) return;
      windows.delete(caller);
      swept += 1;
    }
  }

  function read(window: CallerWindow, allowed: boolean, { now, elapsed }: ClockTime): RateReading {
    const remainingMs = window.startedAt + windowMs - elapsed;
    const resetAt = Math.ceil((now + remainingMs) / 1000);
    if (Math.abs(resetAt - window.resetAt) >= MIN_STEP_SECONDS) window.resetAt = resetAt;
    return {
      limit,
      remaining: Math.max(0, limit - window.taken),
      resetAt: window.resetAt,
      allowed,
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(remainingMs / 1000)),
    };
  }

  return {
    async take(caller, time) {
      const window = liveWindow(caller, time.elapsed) ?? openWindow(caller, time);
      const allowed = window.taken < limit;
      if (allowed) window.taken += 1;
      return read(window, allowed, time);
    },
    async peek(caller, time) {
      const window = liveWindow(caller, time.elapsed) ?? newWindow(time);
      return read(window, window.taken < limit, time);
    },
    get callers() {
      return windows.size;
    },
  };
}
