import type { ClockTime } from '../clock.ts';
import type { Caller } from '../contract/exchange.ts';
import type { CallerPath } from '../limits/fair-semaphore.ts';
import { subscriberOf } from '../parsing/ip-address.ts';
import type { LimitsOf } from './assistant-limits.ts';
import type { AssistantId, SessionId } from './session.ts';

/** Who is counted. A caller that is not approved has no assistant. */
export type CountedCaller = Parameters<typeof callerWindow>[0];

/** Counts a request in the window of its session or caller and in that of its assistant. */
export type RequestLimits = {
  /**
   * Each live session has its own window, so that one conversation cannot use up another's limit. `requests` that arrive together are
   * all allowed or all refused.
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
  function assistantWindow({ assistant }: CountedCaller): AssistantWindow | undefined {
    const limit = assistant === null ? undefined : limitsOf(assistant).requests;
    return assistant === null || limit === undefined ? undefined : { assistant, limit };
  }

  return {
    count: (caller, session, time, requests) =>
      rateWindows.take(
        session === null ? callerWindow(caller) : `session ${session}`,
        time,
        assistantWindow(caller),
        requests,
      ),
    peek: (caller, time) => rateWindows.peek(callerWindow(caller), time, assistantWindow(caller)),
  };
}

/**
 * Counts requests in fixed windows that start with the first counted request. A refused request does not extend the window, so a
 * caller that keeps trying is served again when it ends. The monotonic clock measures windows: a step of the wall clock moves only the
 * reset that is shown.
 */
export interface RateWindows {
  /**
   * Counts in the caller's window and, if given, in its assistant's; in neither when one is used up. Returns the reading of the caller's
   * own window, or of the one that refused; when both did, of the one that ends later. A caller always names the same assistant; its
   * window may restart when the assistant gets a limit or loses it. `requests` count together: all or none.
   */
  take(caller: string, time: ClockTime, assistant?: AssistantWindow, requests?: number): Promise<RateReading>;
  /** For the headers of an answer to a request that is not counted. */
  peek(caller: string, time: ClockTime, assistant?: AssistantWindow): Promise<RateReading>;
}

/** All requests of an assistant, over its sessions and addresses. Its limit may change at any time. */
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

/** Requests without a session share one place beside the sessions of their address. */
const NO_SESSION = '';

/** From the widest to the narrowest: load shedding and operators' queues share their places level by level. */
export function callerPath(caller: Caller, session: SessionId | null): CallerPath {
  return [caller.assistant, subscriberOf(caller.address), session ?? NO_SESSION];
}

/** `startedAt` is elapsed time, `resetAt` epoch seconds. */
export type CountedWindow = {
  readonly startedAt: number;
  readonly resetAt: number;
  readonly taken: number;
};

/** A smaller difference is rounding or clock drift. A reset that flickers would look like a new window. */
const MIN_STEP_SECONDS = 2;

export function newWindow({ windowMs }: RateRule, { now, elapsed }: ClockTime): CountedWindow {
  return { startedAt: elapsed, resetAt: Math.ceil((now + windowMs) / 1000), taken: 0 };
}

/** `resetAt` of the reading is the reset to show from now on. */
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

/** The caller's own window, unless its assistant's is used up and ends later. */
export function shownReading(own: RateReading, ofAssistant: RateReading): RateReading {
  const isToWaitFor = !ofAssistant.allowed && ofAssistant.retryAfterSeconds > own.retryAfterSeconds;
  return isToWaitFor ? ofAssistant : own;
}
