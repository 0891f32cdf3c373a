import type { ClockTime } from '../../clock.ts';
import {
  type AssistantWindow,
  type CountedWindow,
  hasEnded,
  newWindow,
  type RateReading,
  type RateRule,
  type RateWindows,
  readingOf,
  shownReading,
} from '../../sessions/rate-windows.ts';

type CallerWindow = { -readonly [Member in keyof CountedWindow]: CountedWindow[Member] };

const MAX_CALLERS = 200_000;
/** More than one, so that the map shrinks in use; few, so that no request pays for a long sweep. */
const MAX_SWEPT_PER_REQUEST = 2;

export type MemoryRateWindows = RateWindows & { readonly callers: number };

/** Assistants have a separate map, so that no number of callers evicts one. */
export function createMemoryRateWindows(rule: RateRule, maxCallers = MAX_CALLERS): MemoryRateWindows {
  const callers = createWindows(rule, maxCallers);
  const assistants = createWindows(rule, maxCallers);

  const ruleOf = ({ limit }: AssistantWindow): RateRule => ({ limit, windowMs: rule.windowMs });

  function read(window: CallerWindow, allowed: boolean, itsRule: RateRule, time: ClockTime): RateReading {
    const reading = readingOf(window, allowed, itsRule, time);
    window.resetAt = reading.resetAt;
    return reading;
  }

  return {
    async take(caller, time, assistant, requests = 1) {
      const own = callers.current(caller, time);
      const isFree = own.taken + requests <= rule.limit;
      if (!assistant) {
        if (isFree) callers.count(caller, own, time, requests);
        return read(own, isFree, rule, time);
      }
      const whole = assistants.current(assistant.assistant, time);
      const isWholeFree = whole.taken + requests <= assistant.limit;
      if (isFree && isWholeFree) {
        callers.count(caller, own, time, requests);
        assistants.count(assistant.assistant, whole, time, requests);
      }
      const ofAssistant = read(whole, isWholeFree, ruleOf(assistant), time);
      return shownReading(read(own, isFree, rule, time), ofAssistant);
    },
    async peek(caller, time, assistant) {
      const window = callers.current(caller, time);
      const own = read(window, window.taken < rule.limit, rule, time);
      if (!assistant) return own;
      const whole = assistants.current(assistant.assistant, time);
      return shownReading(own, read(whole, whole.taken < assistant.limit, ruleOf(assistant), time));
    },
    get callers() {
      return callers.size;
    },
  };
}

/**
 * All windows are equally long and new ones go to the end of the map, so the map is ordered by when windows end, and ended ones are at its
 * front.
 */
function createWindows(rule: RateRule, maxWindows: number) {
  const windows = new Map<string, CallerWindow>();

  function sweep(elapsed: number): void {
    let swept = 0;
    for (const [name, window] of windows) {
      const mustGo = windows.size >= maxWindows || hasEnded(window, rule, elapsed);
      if (!mustGo || swept === MAX_SWEPT_PER_REQUEST) return;
      windows.delete(name);
      swept += 1;
    }
  }

  return {
    /** A new window is stored only once something is counted in it. */
    current(name: string, time: ClockTime): CallerWindow {
      const window = windows.get(name);
      return window && !hasEnded(window, rule, time.elapsed) ? window : { ...newWindow(rule, time) };
    },
    count(name: string, window: CallerWindow, { elapsed }: ClockTime, requests: number): void {
      if (window.taken === 0) {
        windows.delete(name);
        sweep(elapsed);
        windows.set(name, window);
      }
      window.taken += requests;
    },
    get size() {
      return windows.size;
    },
  };
}
