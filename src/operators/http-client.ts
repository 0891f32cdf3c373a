import { Pool } from 'undici';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from '../quotes/booking-system.ts';
import { asFailure } from './http-failure.ts';
import { type JsonAnswer, readAnswer, refusal } from './json-response.ts';

/** JSON over HTTP to one operator's server, with a limit on everything. Whatever goes wrong is a `BookingSystemFailure`. */
export type JsonClient = {
  /** `unchanged` only when an `etag` was given and still holds. */
  get(
    path: string,
    options: CallOptions & { readonly etag?: string | null },
  ): Promise<JsonAnswer | 'unchanged'>;
  post(path: string, body: unknown, options: CallOptions): Promise<JsonAnswer>;
  /** Calls in flight fail: nobody waits for an operator while the service stops. */
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
// Idle connections are closed before a server with Node's five seconds would close them under a call.
const KEEP_ALIVE_MS = 4000;

export function createJsonClient(settings: {
  readonly baseUrl: string;
  readonly token: string | null;
  /** Connections to this operator at most; each carries one call at a time. */
  readonly connections: number;
  readonly clock: Clock;
}): JsonClient {
  const base = new URL(settings.baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: settings.connections,
    pipelining: 1,
    // Over HTTP/2 one connection would carry many calls, and the cap would cap nothing.
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
    request: Request,
    { timeoutMs, maxBytes }: CallOptions,
    signal: AbortSignal,
  ): Promise<JsonAnswer | 'unchanged'> {
    const response = await pool.request({
      method: request.method,
      path: basePath + request.path,
      headers: { ...standardHeaders, ...request.headers },
      body: request.body ?? null,
      // A second net under our own deadline: these tick coarsely, and the body's starts anew with every chunk.
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal,
    });
    return readAnswer(response, maxBytes);
  }

  async function call(request: Request, options: CallOptions): Promise<JsonAnswer | 'unchanged'> {
    if (options.signal.aborted)
      throw new BookingSystemFailure('timeout', 'the call was given up before it began');
    const ending = new AbortController();
    const stopTimer = settings.clock.after(options.timeoutMs, () => ending.abort());
    const giveUp = () => ending.abort();
    options.signal.addEventListener('abort', giveUp, { once: true });
    try {
      // undici hears the signal only once the request is on a connection: waiting for one would outlast the deadline.
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
      if (answer === 'unchanged' && !etag) throw refusal(304);
      return answer;
    },
    async post(path, body, options) {
      const headers = { 'content-type': 'application/json' };
      const answer = await call({ method: 'POST', path, body: JSON.stringify(body), headers }, options);
      if (answer === 'unchanged') throw refusal(304);
      return answer;
    },
    close() {
      closing ??= pool.destroy();
      return closing;
    },
  };
}

type Request = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
};

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
