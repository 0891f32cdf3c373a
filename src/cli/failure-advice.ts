import type { FailureKind } from '../limits/booking-system-failure.ts';

const ADVICE: Readonly<Partial<Record<FailureKind, string>>> = {
  rejected: 'the credentials are wrong, or do not allow this: look them up again and run staywire connect',
  rate_limited:
    'wait, and run the command again; staywire serve and staywire sync --watch wait by themselves',
  overloaded: 'try again in a minute, or stop the service first',
  timeout: 'the server is too slow or does not answer; try again, or ask the operator',
  unreachable: 'look at the address, and whether this machine may reach it',
  server_error: 'the booking system has a fault; try again, or ask its vendor',
  garbled: 'the answer is not what its vendor documents: look at the address and the version',
  too_large:
    'the answer is larger than is read: ask the operator for smaller documents; where the message names the budget, raise `budget` in the network file',
};

/** What an owner can do about a booking system that fails so; null when nothing is known to help. */
export function adviceFor(kind: FailureKind): string | null {
  return ADVICE[kind] ?? null;
}
