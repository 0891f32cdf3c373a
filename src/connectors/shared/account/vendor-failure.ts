import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { RateWindow } from '../../../limits/window-count.ts';
import type { Random } from '../../../random.ts';

/** The vendor refuses the account's secrets, so all other calls would fail too. The message names the account, never a secret. */
export class CredentialsRefused extends BookingSystemFailure {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super('rejected', message, options);
  }
}

/** Converts any error into a failure. After the signal aborts it is a timeout, because the caller has waited long enough. */
export function vendorFailureOf(error: unknown, signal: AbortSignal): BookingSystemFailure {
  if (error instanceof BookingSystemFailure) return error;
  if (signal.aborted) return new BookingSystemFailure('timeout', 'the call was given up', { cause: error });
  return new BookingSystemFailure('garbled', 'the answer could not be used', { cause: error });
}

/** How long to request no token after a failure: doubles with each further failure, up to a maximum. */
const FIRST_REST_MS = 2000;
/** Repeating a request does not correct wrong credentials. */
const FIRST_REST_AFTER_REFUSAL_MS = 30_000;
/** Where tokens are counted, an attempt may have used one up. */
const FIRST_REST_OF_COUNTED_MS = 120_000;
const MAX_REST_MS = 600_000;
/** Spreads the retries of accounts that failed together. */
const JITTER = 0.25;

/** The connection failed, so no request was sent. */
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
  /** Whether the vendor certainly issued no token. */
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
  /** Consecutive failures, this one included. */
  readonly failures: number;
  /** The status of the vendor's answer; 0 without one. */
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
