import ipaddr from 'ipaddr.js';
import type { SessionId } from './session.ts';

/**
 * Counts requests in fixed windows, each of which starts with its caller's first request. A refused request is not
 * counted and does not extend the window, so a caller that keeps trying is served again when its window ends.
 */
export interface RateWindows {
  take(caller: string, now: number): Promise<RateReading>;
  /** What the headers of an answer show when the request itself is not counted. */
  peek(caller: string, now: number): Promise<RateReading>;
}

export type RateReading = {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds, rounded up: at that second the window has ended. */
  readonly resetAt: number;
  /** For `take`: whether this request may go on. For `peek`: whether the next one may. */
  readonly allowed: boolean;
  /** 0 while requests are allowed. */
  readonly retryAfterSeconds: number;
};

export type RateRule = { readonly limit: number; readonly windowMs: number };

/** The window of a live session. */
export function sessionWindow(session: SessionId): string {
  return `session ${session}`;
}

/** The window of a caller without a session. A caller that was not approved has no assistant. */
export function callerWindow({
  assistant,
  address,
}: {
  readonly assistant: string | null;
  readonly address: string;
}): string {
  return `${assistant ?? ''} ${subscriberOf(address)}`;
}

/** One household or data centre has a whole IPv6 /64, so a limit on single IPv6 addresses would limit nobody. */
function subscriberOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
