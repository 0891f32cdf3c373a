import type { ProblemBody } from './answers.ts';

/** Thrown when there is no answer to return: see `code`. */
export class StaywireError extends Error {
  override readonly name = 'StaywireError';
  /**
   * An error code of the service, such as `unknown_source`, or of the client: `network_error` (no answer came),
   * `timeout` (none came in time), `unreadable_answer` (the server is not Staywire), `unexpected_redirect` (the server
   * redirects to another address, which the client does not follow), `no_session` (the call received an answer without a session).
   */
  readonly code: string;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The seconds after which the service allows a repeat. */
  readonly retryAfterSeconds: number | null;
  /** The answer of the service, with `next_request`; null for codes of the client. */
  readonly body: ProblemBody | null;
  /** The `X-Request-Id` to name when a fault is reported. */
  readonly requestId: string | null;

  constructor(
    message: string,
    {
      code,
      status = null,
      retryAfterSeconds = null,
      body = null,
      requestId = null,
      cause,
    }: {
      readonly code: string;
      readonly status?: number | null;
      readonly retryAfterSeconds?: number | null;
      readonly body?: ProblemBody | null;
      readonly requestId?: string | null;
      readonly cause?: unknown;
    },
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
    this.requestId = requestId;
  }
}

export function unreadableAnswer({
  status,
  headers,
  retryAfterSeconds,
}: {
  readonly status: number;
  readonly headers: Headers;
  readonly retryAfterSeconds: number | null;
}): StaywireError {
  return new StaywireError(`What answered is not Staywire: HTTP ${status} without a body of its interface.`, {
    code: 'unreadable_answer',
    status,
    retryAfterSeconds,
    requestId: headers.get('x-request-id'),
  });
}

export function unexpectedRedirect(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  url: string,
): StaywireError {
  const location = headers.get('location');
  const target = location !== null && URL.canParse(location, url) ? new URL(location, url).origin : null;
  return new StaywireError(
    `What answered redirects ${target === null ? 'elsewhere' : `to ${target}`}, which is not followed: the session would go along.`,
    {
      code: 'unexpected_redirect',
      status: status === 0 ? null : status,
      requestId: headers.get('x-request-id'),
    },
  );
}
