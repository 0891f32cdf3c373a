import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import type { CallerPath } from '../limits/fair-semaphore.ts';
import { type AllowedAddresses, createAllowedAddresses, guardedConnector } from './guarded-connector.ts';
import { askSystem, createHostLookup, createNameServerLookup, type LookUpHost } from './look-up-host.ts';
import {
  ANSWER_TYPES,
  type AnswerCollector,
  type AnswerType,
  announcedBytes,
  beginAnswer,
  failureOf,
  type HttpAnswer,
  headerReader,
  type ReadHeader,
  type ReadingLimits,
  type Unchanged,
} from './read-answer.ts';

/** Calls to one server, limited in time and size. Every error is a `BookingSystemFailure`. */
export type HttpClient = {
  send(request: HttpRequest, options: CallOptions): Promise<HttpAnswer | Unchanged>;
  /** Fails calls in flight, so that an operator cannot delay a shutdown. */
  close(): Promise<void>;
};

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  /** Appended to the base address; includes the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The required type of the answer; JSON by default. */
  readonly type?: AnswerType;
  /** Whether to compute a digest of the answer, to recognise an unchanged one. */
  readonly withDigest?: boolean;
  /** Statuses besides 200 whose answer is a document; all others are failures. */
  readonly statuses?: readonly number[];
  /** Called for every answer, before its body is read. */
  readonly onAnswer?: (status: number, header: ReadHeader) => void;
};

export type CallOptions = {
  /** For the whole call, including the wait for a free connection. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** The caller that waits for a live call. */
  readonly askedBy?: CallerPath | undefined;
};

/** A connector reaches servers only through this. */
export type OpenClient = (settings: ClientSettings) => HttpClient;

type ClientSettings = {
  readonly baseUrl: string;
  /** The maximum; each carries one call at a time. */
  readonly connections: number;
  /** Whether the networks that the owner names are forbidden too, because an operator wrote the address. */
  readonly isPublicOnly?: boolean;
};

const PUBLIC_ADDRESSES = createAllowedAddresses(
  [],
  'it is at an address that is not public, on a host that the owner of the network has not named for it',
);
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
// Shorter than the five seconds after which Node servers close idle connections, so that none closes one about to be used.
const KEEP_ALIVE_MS = 4000;

const KIND_BY_CODE: Readonly<Record<string, FailureKind>> = {
  // No name server answered.
  ETIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'garbled',
};

/** Opens clients that reach allowed addresses only and share lookups of names. */
export function createClientOpener({
  addresses,
  clock,
  lookUp: given,
  sign,
}: ClientSurroundings): OpenClient {
  // Names written by operators, who can write hundreds, share no lookup with those of the owner.
  const lookUp = given ?? createHostLookup({ clock, ask: askSystem });
  const lookUpPublic = given ?? createHostLookup({ clock, ask: createNameServerLookup() });
  return ({ isPublicOnly = false, ...settings }) =>
    isPublicOnly
      ? createHttpClient({ ...settings, addresses: PUBLIC_ADDRESSES, lookUp: lookUpPublic, clock })
      : createHttpClient({ ...settings, addresses, lookUp, clock, sign });
}

export type ClientSurroundings = {
  readonly addresses: AllowedAddresses;
  readonly clock: Clock;
  /** In place of the system's and the name servers', for tests. */
  readonly lookUp?: LookUpHost | undefined;
  /** Left out where nothing is signed. Requests to addresses written by operators are never signed: the server could be anyone's. */
  readonly sign?: OutgoingSigner | undefined;
};

/** Returns headers that prove the sender of a request. */
export type OutgoingSigner = (request: {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
}) => Readonly<Record<string, string>>;

function createHttpClient({
  baseUrl,
  connections,
  addresses,
  clock,
  lookUp,
  sign,
}: Omit<ClientSettings, 'isPublicOnly'> & {
  readonly addresses: AllowedAddresses;
  readonly clock: Clock;
  readonly lookUp: LookUpHost;
  readonly sign?: OutgoingSigner | undefined;
}): HttpClient {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const ended = new AbortController();
  const pool = new Pool(base.origin, {
    connections,
    pipelining: 1,
    connect: guardedConnector(addresses, lookUp, ended.signal),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  let closing: Promise<void> | undefined;

  function begin(
    {
      method,
      path,
      headers,
      body: text,
      type = 'json',
      statuses = [],
      withDigest = false,
      onAnswer,
    }: HttpRequest,
    { timeoutMs, maxBytes }: CallOptions,
  ): HttpExchange {
    const body = text ?? null;
    const target = sign ? normalised(basePath + path) : basePath + path;
    return beginExchange(
      pool,
      {
        method,
        path: target,
        headers: {
          accept: ANSWER_TYPES[type].accept,
          'accept-encoding': 'identity',
          'user-agent': 'Staywire/1',
          ...headers,
          ...sign?.({ method, url: base.origin + target, body }),
        },
        body,
        // A fallback behind our own timer: these timers are coarse, and the body's restarts with every chunk.
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      { type, statuses, maxBytes, withDigest, onAnswer },
    );
  }

  /** The normal form of an address, so that servers verify the same text that was signed. */
  function normalised(target: string): string {
    const { pathname, search } = new URL(base.origin + target);
    return pathname + search;
  }

  return {
    async send(request, options) {
      const { signal, timeoutMs } = options;
      if (signal.aborted) throw new BookingSystemFailure('timeout', 'the call was aborted before it began');
      const exchange = begin(request, options);
      const giveUp = () =>
        exchange.giveUp(new BookingSystemFailure('timeout', 'the operator did not answer in time'));
      const stopTimer = clock.after(timeoutMs, giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await exchange.answer;
      } catch (error) {
        throw asFailure(error);
      } finally {
        stopTimer();
        signal.removeEventListener('abort', giveUp);
      }
    },
    close() {
      ended.abort(new BookingSystemFailure('unreachable', 'the client was closed'));
      closing ??= pool.destroy();
      return closing;
    },
  };
}

/** A request in flight or waiting for a connection. */
type HttpExchange = {
  /** Rejects with an error of undici, with the reason given to `giveUp`, or with a `BookingSystemFailure` of the answer. */
  readonly answer: Promise<HttpAnswer | Unchanged>;
  /** Ends it immediately, even while it waits for a connection. */
  giveUp(reason: BookingSystemFailure): void;
};

type ExchangeLimits = ReadingLimits & {
  /** Called for every answer, before its body is read. */
  readonly onAnswer?: ((status: number, header: ReadHeader) => void) | undefined;
};

/** No limit of size or time covers them, and each costs the event loop some time. */
const MAX_INTERIM_ANSWERS = 5;
/** Up to this size the rest of a body is read, to reuse the connection; a longer one closes it. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/**
 * One request and its answer. Takes the answer from undici's parser directly: the stream and the signals of `Pool.request` would cost
 * more than all checks here.
 */
function beginExchange(
  pool: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  { onAnswer, ...limits }: ExchangeLimits,
): HttpExchange {
  const { promise, ...settlers } = Promise.withResolvers<HttpAnswer | Unchanged>();
  let waiting: Pick<PromiseWithResolvers<HttpAnswer | Unchanged>, 'resolve' | 'reject'> | undefined =
    settlers;
  let controller: Dispatcher.DispatchController | undefined;
  let reasonToGiveUp: BookingSystemFailure | undefined;
  let collector: AnswerCollector | undefined;
  let interimAnswers = 0;
  let discardedBytes = 0;

  /** Drops references: an idle connection holds its last request, which must not hold the answer in memory. */
  function release(): typeof waiting {
    const pending = waiting;
    waiting = undefined;
    collector = undefined;
    return pending;
  }

  // An error thrown here ends the connection and goes to `onResponseError`.
  pool.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      if (reasonToGiveUp) started.abort(reasonToGiveUp);
    },
    onResponseStart(_, status, headers) {
      if (status < 200) {
        interimAnswers += 1;
        if (interimAnswers > MAX_INTERIM_ANSWERS) throw tooManyInterimAnswers();
        return;
      }
      const header = headerReader(headers);
      onAnswer?.(status, header);
      try {
        collector = beginAnswer(status, header, limits);
      } catch (failure) {
        release()?.reject(failure);
        if (announcedBytes(header) > MAX_DISCARDED_BYTES) throw failure;
      }
    },
    onResponseData(_, chunk) {
      if (collector) return collector.add(chunk);
      discardedBytes += chunk.byteLength;
      if (discardedBytes > MAX_DISCARDED_BYTES) throw new Error('the rest of the answer is not read');
    },
    onResponseEnd() {
      const answer = collector?.end();
      if (answer) release()?.resolve(answer);
    },
    onResponseError: (_, error) => release()?.reject(error),
  });

  return {
    answer: promise,
    giveUp(reason) {
      reasonToGiveUp = reason;
      release()?.reject(reason);
      controller?.abort(reason);
    },
  };
}

function tooManyInterimAnswers(): BookingSystemFailure {
  return new BookingSystemFailure('garbled', `more than ${MAX_INTERIM_ANSWERS} interim answers came first`);
}

function asFailure(error: unknown): BookingSystemFailure {
  if (error instanceof BookingSystemFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code ?? error.name) : '';
  const spokeNoHttp = error instanceof Error && error.name === 'HTTPParserError';
  const kind = KIND_BY_CODE[code] ?? (spokeNoHttp ? 'garbled' : 'unreachable');
  return new BookingSystemFailure(kind, `the call to the operator failed: ${code || 'unknown fault'}`, {
    cause: error,
  });
}

/** An unparsed answer that is declared as JSON. */
export type JsonDocument = Pick<HttpAnswer, 'kind' | 'bytes' | 'digest' | 'etag'>;

/** Exchanges JSON with one server, with at most a constant token. */
export type JsonClient = {
  /** Returns `Unchanged` only for a request with an `etag`. A document includes its digest. */
  get(
    path: string,
    options: CallOptions & { readonly etag?: string | null } & Pick<HttpRequest, 'onAnswer'>,
  ): Promise<JsonDocument | Unchanged>;
  post(path: string, body: unknown, options: CallOptions): Promise<JsonDocument>;
  close(): Promise<void>;
};

export function createJsonClient({
  openClient,
  token,
  ...settings
}: ClientSettings & { readonly openClient: OpenClient; readonly token: string | null }): JsonClient {
  const client = openClient(settings);
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  return {
    async get(path, { etag, onAnswer, ...options }) {
      const condition: Record<string, string> = etag ? { 'if-none-match': etag } : {};
      const headers = { ...authorization, ...condition };
      const request: HttpRequest = { method: 'GET', path, headers, withDigest: true };
      const answer = await client.send(onAnswer ? { ...request, onAnswer } : request, options);
      if (answer.kind === 'unchanged' && !etag) throw failureOf(304);
      return answer;
    },
    async post(path, body, options) {
      const headers = { ...authorization, 'content-type': 'application/json' };
      const answer = await client.send(
        { method: 'POST', path, body: JSON.stringify(body), headers },
        options,
      );
      if (answer.kind === 'unchanged') throw failureOf(304);
      return answer;
    },
    close: () => client.close(),
  };
}
