import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { RateWindow } from '../../../limits/window-count.ts';
import type { Random } from '../../../random.ts';

/** The vendor does not accept the account's secrets, so every other call would be refused too. The message says whose they are, never what they are. */
export class CredentialsRefused extends BookingSystemFailure {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super('rejected', message, options);
  }
}

/** How long no token is asked for after a failure: doubled by each that follows, up to a maximum. */
const FIRST_REST_MS = 2000;
/** Wrong credentials do not get right by asking. */
const FIRST_REST_AFTER_REFUSAL_MS = 30_000;
/** Where tokens are counted, an attempt may have used one up. */
const FIRST_REST_OF_COUNTED_MS = 120_000;
const MAX_REST_MS = 600_000;
/** Accounts that failed together do not come back together. */
const JITTER = 0.25;

/** The connection was never there, so nothing was asked for. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ESERVFAIL',
  'EREFUSED',
  'ETIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type TokenRest = {
  readonly restMs: number;
  /** Whether it is certain that the vendor has issued no token. */
  readonly noneWasIssued: boolean;
};

export function restAfterFailure({
  failure,
  failures,
  status,
  limit,
  random,
}: {
  readonly failure: BookingSystemFailure;
  /** In a row, this one included. */
  readonly failures: number;
  /** What the vendor answered with; 0 when it did not. */
  readonly status: number;
  readonly limit: RateWindow | null;
  readonly random: Random;
}): TokenRest {
  const wasRefused = status >= 400 && status < 500;
  const noneWasIssued = wasRefused || (status === 0 && NEVER_CONNECTED.has(codeOf(failure.cause)));
  const firstMs =
    failure.kind === 'rejected'
      ? FIRST_REST_AFTER_REFUSAL_MS
      : limit && !noneWasIssued
        ? FIRST_REST_OF_COUNTED_MS
        : FIRST_REST_MS;
  const wholeMs = Math.min(firstMs * 2 ** (failures - 1), MAX_REST_MS);
  const share = random.bytes(4).readUInt32LE() / 2 ** 32;
  return { restMs: wholeMs * (1 + JITTER * share), noneWasIssued };
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Whatever went wrong, as a failure: what ends with the signal is a timeout, because whoever aborts has waited long enough. */
export function vendorFailureOf(error: unknown, signal: AbortSignal): BookingSystemFailure {
  if (error instanceof BookingSystemFailure) return error;
  if (signal.aborted) return new BookingSystemFailure('timeout', 'the call was given up', { cause: error });
  return new BookingSystemFailure('garbled', 'the answer could not be used', { cause: error });
}
