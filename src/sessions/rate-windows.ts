import type { ClockTime } from '../clock.ts';
import type { SessionId } from './session.ts';
import { subscriberOf } from './subscriber.ts';

/**
 * Counts requests in fixed windows that start with the caller's first request. A refused request does not extend the
 * window, so a caller that keeps trying is served again when it ends. Windows are measured by the monotonic clock: a step of
 * the wall clock moves only the reset that is shown.
 */
export interface RateWindows {
  take(caller: string, time: ClockTime): Promise<RateReading>;
  /** For the headers of an answer to a request that is not counted. */
  peek(caller: string, time: ClockTime): Promise<RateReading>;
}

export type RateReading = {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds, rounded up, so that the window has ended by then. */
  readonly resetAt: number;
  /** After `take`: whether this request may proceed. After `peek`: whether the next one may. */
  readonly allowed: boolean;
  /** 0 while requests are allowed. */
  readonly retryAfterSeconds: number;
};

export type RateRule = { readonly limit: number; readonly windowMs: number };

export function sessionWindow(session: SessionId): string {
  return `session ${session}`;
}

/** For a caller without a session. A caller that is not approved has no assistant. */
export function callerWindow({
  assistant,
  address,
}: {
  readonly assistant: string | null;
  readonly address: string;
}): string {
  return `${assistant ?? ''} ${subscriberOf(address)}`;
}
