import type { RateReading, RateRule, RateWindows } from '../../sessions/rate-windows.ts';

type RateWindow = { readonly startedAt: number; taken: number };

const MAX_CALLERS = 200_000;
/** More than one, so that the map shrinks while it is used; few, so that no request pays for a long sweep. */
const MAX_SWEPT_PER_REQUEST = 2;

export type MemoryRateWindows = RateWindows & { readonly callers: number };

/**
 * All windows are equally long and a new one goes to the end of the map, so the map is ordered by when windows end and the
 * ended ones are always at its front.
 */
export function createMemoryRateWindows(
  { limit, windowMs }: RateRule,
  maxCallers = MAX_CALLERS,
): MemoryRateWindows {
  const windows = new Map<string, RateWindow>();

  function liveWindow(caller: string, now: number): RateWindow | undefined {
    const window = windows.get(caller);
    return window && !hasEnded(window, now) ? window : undefined;
  }

  function hasEnded({ startedAt }: RateWindow, now: number): boolean {
    // A start in the future means that the clock was set back.
    return now >= startedAt + windowMs || now < startedAt;
  }

  function openWindow(caller: string, now: number): RateWindow {
    windows.delete(caller);
    sweep(now);
    const window = { startedAt: now, taken: 0 };
    windows.set(caller, window);
    return window;
  }

  function sweep(now: number): void {
    let swept = 0;
    for (const [caller, window] of windows) {
      const mustGo = windows.size >= maxCallers || hasEnded(window, now);
      if (!mustGo || swept === MAX_SWEPT_PER_REQUEST) return;
      windows.delete(caller);
      swept += 1;
    }
  }

  function read({ startedAt, taken }: RateWindow, allowed: boolean, now: number): RateReading {
    const endsAt = startedAt + windowMs;
    return {
      limit,
      remaining: Math.max(0, limit - taken),
      resetAt: Math.ceil(endsAt / 1000),
      allowed,
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((endsAt - now) / 1000)),
    };
  }

  return {
    async take(caller, now) {
      const window = liveWindow(caller, now) ?? openWindow(caller, now);
      const allowed = window.taken < limit;
      if (allowed) window.taken += 1;
      return read(window, allowed, now);
    },
    async peek(caller, now) {
      const window = liveWindow(caller, now) ?? { startedAt: now, taken: 0 };
      return read(window, window.taken < limit, now);
    },
    get callers() {
      return windows.size;
    },
  };
}
