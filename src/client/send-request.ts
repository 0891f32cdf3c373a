import type { ClientPlatform, RetryNotice } from './client-options.ts';
import { StaywireError, unexpectedRedirect, unreadableAnswer } from './staywire-error.ts';

/** One request of the interface. Every attempt sends the same bytes with the same key, which makes a repeat safe. */
export type ClientRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Headers;
  readonly body: string | null;
};

export type Patience = {
  /** For each attempt. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** A longer `Retry-After` ends the attempts and is returned to the caller. */
  readonly maxWaitMs: number;
};

/** A JSON object as received: which kind of answer it is has not been checked. */
export type ReceivedJson = {
  readonly status: number;
  readonly headers: Headers;
  readonly retryAfterSeconds: number | null;
  readonly json: Readonly<Record<string, unknown>>;
};

type Attempt =
  | { readonly kind: 'received'; readonly received: ReceivedJson }
  /** No answer, or an answer that is not a JSON object. */
  | { readonly kind: 'failed'; readonly error: StaywireError; readonly isTemporary: boolean };

const RETRIED_STATUS: ReadonlySet<number> = new Set([429, 503]);
const REDIRECT_STATUS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Search answers these with HTTP 200. */
const RETRIED_CODES: ReadonlySet<string> = new Set([
  'rate_limited',
  'overloaded',
  'storage_unavailable',
  'upstream_unavailable',
]);

/** Rejects with the signal's reason when it aborts, and with a `StaywireError` when there is no answer. */
export async function sendRequest(
  request: ClientRequest,
  {
    platform,
    patience,
    signal,
    onRetry,
  }: {
    readonly platform: ClientPlatform;
    readonly patience: Patience;
    readonly signal?: AbortSignal | undefined;
    readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  },
): Promise<ReceivedJson> {
  for (let retry = 0; ; retry += 1) {
    const attempt = await attemptOnce(request, platform, patience.timeoutMs, signal);
    const because = temporaryFault(attempt);
    const delayMs =
      because === null || retry >= patience.maxRetries
        ? null
        : retryDelayMs(retry, {
            retryAfterSeconds: retryAfterOf(attempt),
            maxWaitMs: patience.maxWaitMs,
            random: platform.random,
          });
    if (because === null || delayMs === null) {
      if (attempt.kind === 'failed') throw attempt.error;
      return attempt.received;
    }
    onRetry?.({ retry: retry + 1, delayMs, because });
    await waitFor(delayMs, platform, signal);
  }
}

async function attemptOnce(
  { url, method, headers, body }: ClientRequest,
  platform: ClientPlatform,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  let isLate = false;
  const cancelDeadline = platform.after(timeoutMs, () => {
    isLate = true;
    ended.abort();
  });
  const end = () => ended.abort(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const response = await orAborted(
      platform.fetch(url, {
        method,
        headers,
        // A redirect must not pass the request to another service. `error` would do, but Cloudflare Workers do not have it.
        redirect: 'manual',
        signal: ended.signal,
        ...(body === null ? {} : { body }),
      }),
      ended.signal,
    );
    if (isRedirect(response)) {
      // A body that is not read would block the connection.
      await response.body?.cancel();
      return { kind: 'failed', error: unexpectedRedirect(response, url), isTemporary: false };
    }
    return readResponse(response, await orAborted(response.text(), ended.signal));
  } catch (cause) {
    signal?.throwIfAborted();
    const error = isLate
      ? new StaywireError(`No answer came within ${timeoutMs} ms.`, { code: 'timeout', cause })
      : new StaywireError('No answer could be had from the service.', { code: 'network_error', cause });
    return { kind: 'failed', error, isTemporary: true };
  } finally {
    cancelDeadline();
    signal?.removeEventListener('abort', end);
  }
}

/** Some runtimes hide the status of a redirect that they do not follow. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || REDIRECT_STATUS.has(status);
}

function readResponse({ status, headers }: Response, text: string): Attempt {
  const json = parsedObject(text);
  const retryAfterSeconds = retryAfterIn(headers) ?? secondsIn(json?.retry_after_seconds);
  if (json) return { kind: 'received', received: { status, headers, retryAfterSeconds, json } };
  return {
    kind: 'failed',
    error: unreadableAnswer({ status, headers, retryAfterSeconds }),
    isTemporary: RETRIED_STATUS.has(status),
  };
}

function temporaryFault(attempt: Attempt): string | null {
  if (attempt.kind === 'failed') return attempt.isTemporary ? attempt.error.code : null;
  const { status, json } = attempt.received;
  const code = typeof json.error === 'string' ? json.error : null;
  const isTemporary = RETRIED_STATUS.has(status) || (code !== null && RETRIED_CODES.has(code));
  return isTemporary ? (code ?? String(status)) : null;
}

function retryAfterOf(attempt: Attempt): number | null {
  return attempt.kind === 'failed' ? attempt.error.retryAfterSeconds : attempt.received.retryAfterSeconds;
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function secondsIn(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null;
}

/** Waits between attempts double from this on. */
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
/** Added at random to the requested wait, so that clients refused together do not retry together. */
const MAX_SPREAD_MS = 250;

/**
 * How long to wait before the next attempt; null when the service requests a longer wait than the caller allows, because an
 * earlier attempt would only add load.
 */
export function retryDelayMs(
  attempt: number,
  {
    retryAfterSeconds,
    maxWaitMs,
    random,
  }: { readonly retryAfterSeconds: number | null; readonly maxWaitMs: number; random(): number },
): number | null {
  if (retryAfterSeconds !== null) {
    const askedMs = retryAfterSeconds * 1000;
    return askedMs > maxWaitMs ? null : askedMs + random() * MAX_SPREAD_MS;
  }
  const ceilingMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt, maxWaitMs);
  // A random wait in the upper half.
  return ceilingMs / 2 + random() * (ceilingMs / 2);
}

/**
 * `Retry-After` in seconds. One that names a date is compared with the date of the answer, so that the clock of this machine
 * does not matter.
 */
export function retryAfterIn(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const untilMs = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(untilMs) ? null : Math.max(0, Math.ceil(untilMs / 1000));
}

/** Rejects with the signal's reason as soon as it aborts, even if the work ignores the signal. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Rejects with the signal's reason when it aborts first. */
function waitFor(
  delayMs: number,
  platform: Pick<ClientPlatform, 'after'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let cancel = () => {};
  const wait = new Promise<void>((resolve) => {
    cancel = platform.after(delayMs, resolve);
  });
  return orAborted(wait, signal).finally(() => cancel());
}
