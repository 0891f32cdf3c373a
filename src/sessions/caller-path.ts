import type { Caller } from '../contract/exchange.ts';
import type { CallerPath } from '../limits/load-shedding.ts';
import { subscriberOf } from '../parsing/ip-address.ts';
import type { SessionId } from './session.ts';

/** Requests without one share a place beside the sessions of their address. */
const NO_SESSION = '';

export function callerPath(caller: Caller, session: SessionId | null): CallerPath {
  return [caller.assistant, subscriberOf(caller.address), session ?? NO_SESSION];
}
