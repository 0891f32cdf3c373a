import { Pool } from 'undici';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../quotes/booking-system.ts';
import { failureOf, type JsonDocument, readAnswer, type Unchanged } from './json-response.ts';

/** JSON over HTTP to one operator's server, limited in time and size, and not read yet. Every error is a `BookingSystemFailure`. */
export type JsonClient = {
  /** Only an answer to a request with an `etag` can be unchanged. A document comes with its digest. */
  get(
    path: string,
    options: CallOptions & { readonly etag?: string | null },
  ): Promise<JsonDocument | Unchanged>;
  post(path: string, body: unknown, options: CallOptions): Promise<JsonDocument>;
  /** Calls in flight fail, so that an operator cannot delay the end of the service. */
  close(): Promise<void>;
};

export type CallOptions = {
  /** For the whole call, waiting for a free connection included. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
};

const CONNECT_TIMEOUT_MS = 3000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_INTERIM_ANSWERS = 5;
// Shorter than Node's default of five seconds, so that no server closes a connection that is about to be used.
const KEEP_ALIVE_MS = 4000;

const KIND_BY_CODE: Readonly<Record<string, FailureKind>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'garbled',
};

export function createJsonClient(settings: {
  readonly baseUrl: string;
  readonly token: string | null;
  /** At most; each carries one call at a time. */
  readonly connections: number;
  readonly clock: Clock;
}): JsonClient {
  const base = new URL(settings.baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: settings.connections,
    pipelining: 1,
    // Over HTTP/2 one connection carries many calls, so `connections` would not limit them.
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  const standardHeaders = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Staywire/1',
    ...(settings.token === null ? {} : { authorization: `Bearer ${settings.token}` }),
  };

  let closing: Promise<void> | undefined;

  async function exchange(
    request: JsonRequest,
    { timeoutMs, maxBytes }: CallOptions,
    signal: AbortSignal,
  ): Promise<JsonDocument | Unchanged> {
    let interimAnswers = 0;
    const response = await pool.request({
      method: request.method,
      path: basePath + request.path,
      headers: { ...standardHeaders, ...request.headers },
      body: request.body ?? null,
      // A fallback behind our own timer: these are coarse, and the body's restarts with every chunk.
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal,
      // They count towards no limit of size or time, and each costs the event loop some of its time.
      onInfo: () => {
        interimAnswers += 1;
        if (interimAnswers > MAX_INTERIM_ANSWERS) throw tooManyInterimAnswers();
      },
    });
    return readAnswer(response, { maxBytes, withDigest: request.method === 'GET' });
  }

  async function call(request: JsonRequest, options: CallOptions): Promise<JsonDocument | Unchanged> {
    if (options.signal.aborted)
      throw new BookingSystemFailure('timeout', 'the call was aborted before it began');
    const ending = new AbortController();
    const stopTimer = settings.clock.after(options.timeoutMs, () => ending.abort());
    const giveUp = () => ending.abort();
    options.signal.addEventListener('abort', giveUp, { once: true });
    try {
      // undici looks at the signal only once the request is on a connection; waiting for one could outlast the deadline.
      return await Promise.race([exchange(request, options, ending.signal), endOf(ending.signal)]);
    } catch (error) {
      throw asFailure(error, ending.signal.aborted);
    } finally {
      stopTimer();
      options.signal.removeEventListener('abort', giveUp);
    }
  }

  return {
    async get(path, { etag, ...options }) {
      const headers: Record<string, string> = etag ? { 'if-none-match': etag } : {};
      const answer = await call({ method: 'GET', path, headers }, options);
      if (answer.kind === 'unchanged' && !etag) throw failureOf(304);
      return answer;
    },
    async post(path, body, options) {
      const headers = { 'content-type': 'application/json' };
      const answer = await call({ method: 'POST', path, body: JSON.stringify(body), headers }, options);
      if (answer.kind === 'unchanged') throw failureOf(304);
      return answer;
    },
    close() {
      closing ??= pool.destroy();
      return closing;
    },
  };
}

type JsonRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** `givenUp` says that we aborted the call: any error after that is a timeout. */
function asFailure(error: unknown, givenUp: boolean): BookingSystemFailure {
  if (error instanceof BookingSystemFailure) return error;
  if (givenUp)
    return new BookingSystemFailure('timeout', 'the operator did not answer in time', { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code ?? error.name) : '';
  const spokeNoHttp = error instanceof Error && error.name === 'HTTPParserError';
  const kind = KIND_BY_CODE[code] ?? (spokeNoHttp ? 'garbled' : 'unreachable');
  return new BookingSystemFailure(kind, `the call to the operator failed: ${code || 'unknown fault'}`, {
    cause: error,
  });
}

function tooManyInterimAnswers(): BookingSystemFailure {
  return new BookingSystemFailure('garbled', `more than ${MAX_INTERIM_ANSWERS} interim answers came first`);
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
