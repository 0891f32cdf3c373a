import type {
  ComparisonAnswer,
  OpenedSession,
  SearchAnswer,
  SessionReference,
  StayValues,
} from './answers.ts';
import { DESCRIBED_VERSION } from './interface-types.ts';
import { type ClientPlatform, type SendHttp, webPlatform } from './platform.ts';
import { comparisonFrom, errorOf, problemFrom, searchAnswerFrom } from './read-answer.ts';
import { type ClientRequest, type Patience, type RetryNotice, sendRequest } from './send-request.ts';

export type {
  ComparisonAnswer,
  ComparisonBody,
  OpenedSession,
  ProblemAnswer,
  ProblemBody,
  QuestionAnswer,
  QuestionBody,
  RefusalAnswer,
  RefusalBody,
  SearchAnswer,
  SessionReference,
  StayField,
  StayOption,
  StayQuote,
  StayValues,
} from './answers.ts';
export type { ClientPlatform, SendHttp } from './platform.ts';
export type { SearchChoice, SearchQuestion, SearchRefusal } from './question.ts';
export type { RetryNotice } from './send-request.ts';
export { StaywireError } from './staywire-error.ts';

export type ClientOptions = {
  /** Where the service is, such as `https://stays.example.com`. */
  readonly baseUrl: string | URL;
  /** The brand that sessions are opened for; left out, every brand is searched. */
  readonly source?: string | undefined;
  /** `compact` leaves out pictures beside the first and long lists of addresses. */
  readonly view?: 'full' | 'compact' | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly userAgent?: string | undefined;
  /** How long each attempt may take: 30 seconds unless told. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated when the service is busy or cannot be reached: twice unless told. */
  readonly maxRetries?: number | undefined;
  /** The longest `Retry-After` that is waited for: a minute unless told. A longer one is returned as the problem it is. */
  readonly maxWaitMs?: number | undefined;
  readonly fetch?: SendHttp | undefined;
};

export type RequestOptions = {
  /** Ends the call, also while it waits before a repeat; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Made for each call unless given. What was asked under a key is carried out once. */
  readonly idempotencyKey?: string | undefined;
  /** Told before a request is repeated. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
};

/** Every method rejects with a `StaywireError` when no answer can be had. */
export type StaywireClient = {
  /** Rejects with a `StaywireError` when the service opens none. */
  open(options?: RequestOptions & { readonly source?: string | null | undefined }): Promise<OpenedSession>;
  /** Supplies values, any number at once; none at all reads the step. */
  step(session: SessionReference, values?: StayValues, options?: RequestOptions): Promise<SearchAnswer>;
  /** The last complete set. Rejects with a `StaywireError` when there is none. */
  result(session: SessionReference, options?: RequestOptions): Promise<ComparisonAnswer>;
  /** Narrows the set by an amenity, with fresh prices. Filters add up; null takes all of them off. */
  refine(session: SessionReference, amenity: string | null, options?: RequestOptions): Promise<SearchAnswer>;
};

const PATIENCE: Patience = { timeoutMs: 30_000, maxRetries: 2, maxWaitMs: 60_000 };

export function createClient(options: ClientOptions, runtime: ClientPlatform = webPlatform): StaywireClient {
  const platform = { ...runtime, fetch: options.fetch ?? runtime.fetch };
  const patience: Patience = {
    timeoutMs: options.timeoutMs ?? PATIENCE.timeoutMs,
    maxRetries: options.maxRetries ?? PATIENCE.maxRetries,
    maxWaitMs: options.maxWaitMs ?? PATIENCE.maxWaitMs,
  };

  function call(
    path: string,
    { method, session, body }: { method: 'GET' | 'POST'; session?: SessionReference; body?: object },
    { idempotencyKey = platform.newKey(), signal, onRetry }: RequestOptions,
  ) {
    const request: ClientRequest = {
      url: addressOf(options, path, session),
      method,
      headers: {
        accept: 'application/json',
        'x-api-version': DESCRIBED_VERSION,
        'idempotency-key': idempotencyKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.userAgent === undefined ? {} : { 'user-agent': options.userAgent }),
        ...options.headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
    return sendRequest(request, { platform, patience, signal, onRetry });
  }

  async function step(session: SessionReference, values: object, callOptions: RequestOptions) {
    return searchAnswerFrom(await call('search', { method: 'POST', session, body: values }, callOptions));
  }

  return {
    async open({ source = options.source, ...callOptions } = {}) {
      const body = source === undefined || source === null ? {} : { source };
      const received = await call('auth', { method: 'POST', body }, callOptions);
      if (received.json.object !== 'session') throw errorOf(problemFrom(received));
      return received.json as OpenedSession;
    },
    step: (session, values = {}, callOptions = {}) => step(session, values, callOptions),
    async result(session, callOptions = {}) {
      const received = await call('result', { method: 'GET', session }, callOptions);
      if (received.json.object !== 'search_result') throw errorOf(problemFrom(received));
      return comparisonFrom(received);
    },
    refine: (session, amenity, callOptions = {}) =>
      step(session, { amenities: amenity === null ? [] : amenity }, callOptions),
  };
}

function addressOf(
  { baseUrl, view }: ClientOptions,
  path: string,
  session: SessionReference | undefined,
): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/ai/v1/${path}`;
  url.hash = '';
  url.search = '';
  if (session !== undefined) {
    url.searchParams.set('session', typeof session === 'string' ? session : session.session);
  }
  if (view !== undefined) url.searchParams.set('view', view);
  return url.href;
}
