import { isSessionWindow, type RateReading, type RateWindows } from '../sessions/rate-windows.ts';
import type { PortCalls } from './port-calls.ts';

/** Windows of sessions are where the sessions live; those of callers without one are counted by the thread that all others share. */
export function createSharedRateWindows(ofSessions: RateWindows, main: Pick<PortCalls, 'call'>): RateWindows {
  return {
    take: (caller, time) =>
      isSessionWindow(caller)
        ? ofSessions.take(caller, time)
        : (main.call('takeRate', caller) as Promise<RateReading>),
    peek: (caller, time) =>
      isSessionWindow(caller)
        ? ofSessions.peek(caller, time)
        : (main.call('peekRate', caller) as Promise<RateReading>),
  };
}
