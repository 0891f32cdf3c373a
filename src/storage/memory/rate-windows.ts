import type { ClockTime } from '../../clock.ts';
import { type CountedWindow, hasEnded, newWindow, readingOf } from '../../sessions/rate-reading.ts';
import type { RateReading, RateRule, RateWindows } from '../../sessions/rate-windows.ts';

type CallerWindow = { -readonly [Member in keyof CountedWindow]: CountedWindow[Member] };

const MAX_CALLERS = 200_000;
/** More than one, so that the map shrinks while it is used; few, so that no request pays for a long sweep. */
const MAX_SWEPT_PER_REQUEST = 2;

export type MemoryRateWindows = RateWindows & { readonly callers: number };

/**
 * All windows are equally long and a new one goes to the end of the map, so the map is ordered by when windows end and the
 * ended ones are always at its front.
 */
export function createMemoryRateWindows(rule: RateRule, maxCallers = MAX_CALLERS): MemoryRateWindows {
  const windows = new Map<string, CallerWindow>();

  function liveWindow(caller: string, { elapsed }: ClockTime): CallerWindow | undefined {
    const window = windows.get(caller);
    return window && !hasEnded(window, rule, elapsed) ? window : undefined;
  }

  function openWindow(caller: string, time: ClockTime): CallerWindow {
    windows.delete(caller);
    sweep(time.elapsed);
    const window = { ...newWindow(rule, time) };
    windows.set(caller, window);
    return window;
  }

  function sweep(elapsed: number): void {
    let swept = 0;
    for (const [caller, window] of windows) {
      const mustGo = windows.size >= maxCallers || hasEnded(window, rule, elapsed);
      if (!mustGo || swept === MAX_SWEPT_PER_REQUEST) return;
      windows.delete(caller);
      swept += 1;
    }
  }

  function read(window: CallerWindow, allowed: boolean, time: ClockTime): RateReading {
    const reading = readingOf(window, allowed, rule, time);
    window.resetAt = reading.resetAt;
    return reading;
  }

  return {
    async take(caller, time) {
      const window = liveWindow(caller, time) ?? openWindow(caller, time);
      const allowed = window.taken < rule.limit;
      if (allowed) window.taken += 1;
      return read(window, allowed, time);
    },
    async peek(caller, time) {
      const window = liveWindow(caller, time) ?? { ...newWindow(rule, time) };
      return read(window, window.taken < rule.limit, time);
    },
    get callers() {
      return windows.size;
    },
  };
}
