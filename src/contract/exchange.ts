import type { Reading } from '../reading/reading.ts';
import type { ErrorCode } from './errors.ts';
import type { OperationName } from './operations.ts';

/** A call of one operation by an approved caller: plain data, whichever door it came through. */
export type OperationRequest = {
  /** Names the request in the log and to the caller. */
  readonly id: string;
  readonly operation: OperationName;
  readonly caller: Caller;
  /** The session token as it was sent. */
  readonly token: string | undefined;
  readonly key: string | null;
  /** Every version of the interface that the call pins. */
  readonly versions: readonly string[];
  readonly values: Reading<RequestValues, RequestFault>;
  /** The method of the call, which answers echo. */
  readonly method: string;
};

export type Caller = { readonly assistant: string; readonly address: string };

/** The members of a request by name. A map, so that `__proto__` is a name like any other. */
export type RequestValues = ReadonlyMap<string, unknown>;

/** Why a request cannot be read at all. */
export type RequestFault = Extract<
  ErrorCode,
  'invalid_request' | 'unsupported_media_type' | 'invalid_idempotency_key'
>;

/** What a door sends back: the body as it is, and what the transport may have to say besides. */
export type Answer = {
  readonly body: string | Uint8Array;
  /** Null when the request did what it was for. */
  readonly error: ErrorCode | null;
  readonly replayed: boolean;
  readonly retryAfterSeconds: number | null;
  /** Names the content of a document that stays the same until the next start; null for every other answer. */
  readonly tag: string | null;
};

export function answerWith(
  body: string | Uint8Array,
  {
    error = null,
    replayed = false,
    retryAfterSeconds = null,
    tag = null,
  }: Partial<Omit<Answer, 'body'>> = {},
): Answer {
  return { body, error, replayed, retryAfterSeconds, tag };
}
