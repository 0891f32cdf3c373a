import type { ClockTime } from '../../clock.ts';
import {
  type CountedWindow,
  newWindow,
  type RateReading,
  type RateRule,
  type RateWindows,
  readingOf,
  shownReading,
} from '../../sessions/rate-windows.ts';

type Windows = Map<string, CallerWindow>;
type CallerWindow = { -readonly [Member in keyof CountedWindow]: CountedWindow[Member] };

const MAX_CALLERS = 200_000;
/** More than one, so that the map shrinks in use; few, so that no request pays for a long sweep. */
const MAX_SWEPT_PER_REQUEST = 2;

export type MemoryRateWindows = RateWindows & { readonly callers: number };

/** Assistants have a separate map, so that no number of callers evicts one. */
export function createMemoryRateWindows(rule: RateRule, maxCallers = MAX_CALLERS): MemoryRateWindows {
  const callers: Windows = new Map();
  const assistants: Windows = new Map();

  /** A new window is stored only once something is counted in it. */
  function currentIn(windows: Windows, name: string, time: ClockTime): CallerWindow {
    const window = windows.get(name);
    return window && time.elapsed < window.startedAt + rule.windowMs ? window : newWindow(rule, time);
  }

  /**
   * All windows are equally long and new ones go to the end of the map, so the map is ordered by when windows end, and ended ones are at its
   * front.
   */
  function start(windows: Windows, name: string, window: CallerWindow, elapsed: number) {
    windows.delete(name);
    let swept = 0;
    for (const [earlier, { startedAt }] of windows) {
      const mustGo = windows.size >= maxCallers || elapsed >= startedAt + rule.windowMs;
      if (!mustGo || swept === MAX_SWEPT_PER_REQUEST) break;
      windows.delete(earlier);
      swept += 1;
    }
    windows.set(name, window);
  }

  function read(window: CallerWindow, allowed: boolean, limit: number, time: ClockTime): RateReading {
    const reading = readingOf(window, allowed, { ...rule, limit }, time);
    window.resetAt = reading.resetAt;
    return reading;
  }

  return {
    async take(caller, time, assistant, requests = 1) {
      const own = currentIn(callers, caller, time);
      const isFree = own.taken + requests <= rule.limit;
      const whole = assistant && currentIn(assistants, assistant.assistant, time);
      const isWholeFree = !whole || whole.taken + requests <= assistant.limit;
      if (isFree && isWholeFree) {
        if (own.taken === 0) start(callers, caller, own, time.elapsed);
        own.taken += requests;
        if (whole) {
          if (whole.taken === 0) start(assistants, assistant.assistant, whole, time.elapsed);
          whole.taken += requests;
        }
      }
      const reading = readingOf(own, isFree, rule, time);
      own.resetAt = reading.resetAt;
      return whole ? shownReading(reading, read(whole, isWholeFree, assistant.limit, time)) : reading;
    },
    async peek(caller, time, assistant) {
      const own = currentIn(callers, caller, time);
      const reading = read(own, own.taken < rule.limit, rule.limit, time);
      if (!assistant) return reading;
      const whole = currentIn(assistants, assistant.assistant, time);
      return shownReading(reading, read(whole, whole.taken < assistant.limit, assistant.limit, time));
    },
    get callers() {
      return callers.size;
    },
  };
}
