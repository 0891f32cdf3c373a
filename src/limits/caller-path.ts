import type { Caller } from '../contract/exchange.ts';
import type { SessionId } from '../sessions/session.ts';
import { subscriberOf } from '../sessions/subscriber.ts';

/**
 * Who asks, from the widest to the narrowest: the assistant, its address, the session. What is scarce is shared level by level,
 * so that a session competes with those of its address, and an assistant's traffic only as a whole with another's.
 */
export type CallerPath = readonly string[];

/** Requests without one share a place beside the sessions of their address. */
const NO_SESSION = '';

export function callerPath(caller: Caller, session: SessionId | null): CallerPath {
  return [caller.assistant, subscriberOf(caller.address), session ?? NO_SESSION];
}
