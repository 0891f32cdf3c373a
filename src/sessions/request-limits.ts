import type { ClockTime } from '../clock.ts';
import type { LimitsOf } from './assistant-limits.ts';
import {
  type AssistantWindow,
  callerWindow,
  type RateReading,
  type RateWindows,
  sessionWindow,
} from './rate-windows.ts';
import type { SessionId } from './session.ts';

/** Who is counted. A caller that is not approved has no assistant. */
export type CountedCaller = Parameters<typeof callerWindow>[0];

/** Counts requests in every window that they belong to. */
export type RequestLimits = {
  /**
   * Each live session has its own window, so that one conversation cannot use up another's limit. Several requests that come together
   * are let through together or not at all.
   */
  count(
    caller: CountedCaller,
    session: SessionId | null,
    time: ClockTime,
    requests?: number,
  ): Promise<RateReading>;
  /** For the headers of an answer to a request that is not counted. */
  peek(caller: CountedCaller, time: ClockTime): Promise<RateReading>;
};

export function createRequestLimits({
  rateWindows,
  limitsOf,
}: {
  readonly rateWindows: RateWindows;
  readonly limitsOf: LimitsOf;
}): RequestLimits {
  function windowOf({ assistant }: CountedCaller): AssistantWindow | undefined {
    if (assistant === null) return undefined;
    const { requests } = limitsOf(assistant);
    return requests === undefined ? undefined : { assistant, limit: requests };
  }

  return {
    count(caller, session, time, requests) {
      const window = session === null ? callerWindow(caller) : sessionWindow(session);
      return rateWindows.take(window, time, windowOf(caller), requests);
    },
    peek: (caller, time) => rateWindows.peek(callerWindow(caller), time, windowOf(caller)),
  };
}
