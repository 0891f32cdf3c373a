import type { ClockTime } from '../clock.ts';
import { subscriberOf } from '../parsing/ip-address.ts';
import type { AssistantId, SessionId } from './session.ts';

/**
 * Counts requests in fixed windows that start with the first request that is counted. A refused request does not extend the
 * window, so a caller that keeps trying is served again when it ends. Windows are measured by the monotonic clock: a step of
 * the wall clock moves only the reset that is shown.
 */
export interface RateWindows {
  /**
   * Counts in the caller's window, and in that of its assistant where one is named; where either has run out, in neither. The
   * reading is that of the caller's own window, or of the one that refused; where both did, of the one that ends later. A caller is
   * always of the same assistant; its window may begin anew when the assistant gets a limit or loses it. Several requests that come
   * together are counted together: a window that has no room for all of them refuses them all.
   */
  take(caller: string, time: ClockTime, assistant?: AssistantWindow, requests?: number): Promise<RateReading>;
  /** For the headers of an answer to a request that is not counted. */
  peek(caller: string, time: ClockTime, assistant?: AssistantWindow): Promise<RateReading>;
}

/** All requests of an assistant, from whatever session or address, with a limit of its own that may change at any time. */
export type AssistantWindow = { readonly assistant: AssistantId; readonly limit: number };

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
