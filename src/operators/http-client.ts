import { Pool } from 'undici';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from './booking-system.ts';
import { asFailure } from './http-failure.ts';

/** JSON over HTTP to one operator's server, with a limit on everything. Whatever goes wrong is a `BookingSystemFailure`. */
export type JsonClient = {
  /** `unchanged` only when an `etag` was given and still holds. */
  get(
    path: string,
    options: CallOptions & { readonly etag?: string | null },
  ): Promise<JsonAnswer | 'unchanged'>;
  post(path: string, body: unknown, options: CallOptions): Promise<JsonAnswer>;
  /** Lets calls in flight end; each of them has its own deadline. */
  close(): Promise<void>;
};

export type CallOptions = {
  /** For the whole call, waiting for a free connection included. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
};

export type JsonAnswer = { readonly value: unknown; readonly text: string; readonly etag: string | null };

const CONNECT_TIMEOUT_MS = 3000;
const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_ETAG_LENGTH = 512;
// Idle connections are closed before a server with Node's five seconds would close them under a call.
const KEEP_ALIVE_MS = 4000;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]{1,60}\+)?json\s*(?:;|$)/i;
const OTHER_CHARSET = /charset\s*=\s*"?(?!utf-?8\b)/i;

export function createJsonClient(settings: {
  readonly baseUrl: string;
  readonly token: string | null;
  /** Connections to this operator at most; each carries one call at a time. */
  readonly connections: number;
  /** No call may take longer. */
  readonly longestTimeoutMs: number;
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
    // A second net under the deadline of each call: these tick coarsely, and the body's starts anew with every chunk.
    headersTimeout: settings.longestTimeoutMs,
    bodyTimeout: settings.longestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });
  const standardHeaders = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Staywire/1',
    ...(settings.token === null ? {} : { authorization: `Bearer ${settings.token}` }),
  };

  let closing: Promise<void> | undefined;

  async function call(
    request: { method: 'GET' | 'POST'; path: string; body?: string; headers?: Record<string, string> },
    options: CallOptions,
  ): Promise<JsonAnswer | 'unchanged'> {
    if (options.signal.aborted)
      throw new BookingSystemFailure('timeout', 'the call was given up before it began');
    const ending = new AbortController();
    const stopTimer = settings.clock.after(options.timeoutMs, () => ending.abort());
    const giveUp = () => ending.abort();
    options.signal.addEventListener('abort', giveUp, { once: true });
    try {
      const response = await pool.request({
        method: request.method,
        path: basePath + request.path,
        headers: { ...standardHeaders, ...request.headers },
        body: request.body ?? null,
        signal: ending.signal,
      });
      return await readAnswer(response, options.maxBytes, ending.signal);
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
      closing ??= pool.close();
      return closing;
    },
  };
}

type Response = Awaited<ReturnType<Pool['request']>>;

async function readAnswer(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<JsonAnswer | 'unchanged'> {
  const { statusCode, headers, body } = response;
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  try {
    if (statusCode === 304) return 'unchanged';
    if (statusCode !== 200) throw refusal(statusCode);
    const contentType = header('content-type') ?? '';
    if (!JSON_TYPE.test(contentType) || OTHER_CHARSET.test(contentType)) {
      throw new BookingSystemFailure('garbled', 'the answer is not declared as JSON in UTF-8');
    }
    if ((header('content-encoding') ?? 'identity') !== 'identity') {
      throw new BookingSystemFailure('garbled', 'the answer is compressed, which was not asked for');
    }
    if (Number(header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const text = await readText(body, maxBytes);
    const etag = header('etag') ?? null;
    return { value: parsed(text), text, etag: etag !== null && etag.length <= MAX_ETAG_LENGTH ? etag : null };
  } finally {
    // What is left of a short body is read, so that its connection can be used again; a long one costs the connection.
    if (!body.destroyed && !signal.aborted)
      await body.dump({ limit: 16 * 1024, signal }).catch(() => undefined);
  }
}

function refusal(status: number): BookingSystemFailure {
  const said = `the operator answered with ${status}`;
  if (status === 429) return new BookingSystemFailure('rate_limited', said);
  if (status >= 500) return new BookingSystemFailure('server_error', said);
  if (status >= 400) return new BookingSystemFailure('rejected', said);
  // Redirects are not followed: an operator's address is what the network file says it is.
  return new BookingSystemFailure('garbled', said);
}

async function readText(body: Response['body'], maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new BookingSystemFailure('garbled', 'the answer is not UTF-8', { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BookingSystemFailure('garbled', 'the answer is not JSON', { cause });
  }
}

function tooLarge(maxBytes: number): BookingSystemFailure {
  return new BookingSystemFailure('too_large', `the answer is longer than ${maxBytes} bytes`);
}
