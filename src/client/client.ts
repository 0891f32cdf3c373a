import type {
  ComparisonAnswer,
  OpenedSession,
  ProblemAnswer,
  SearchAnswer,
  SessionReference,
  StayValues,
} from './answers.ts';
import {
  type ClientOptions,
  type ClientPlatform,
  type OpenOptions,
  type RequestOptions,
  webPlatform,
} from './client-options.ts';
import { DESCRIBED_VERSION } from './interface-types.ts';
import { asksOnlyForFilters, comparisonFrom, errorOf, problemFrom, searchAnswerFrom } from './read-answer.ts';
import { type ClientRequest, type Patience, sendRequest } from './send-request.ts';
import { StaywireError } from './staywire-error.ts';
import { type SearchInput, type SearchOutcome, walkSearch } from './walk-search.ts';

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
  SearchChoice,
  SearchQuestion,
  SearchRefusal,
  SessionReference,
  StayField,
  StayOption,
  StayQuote,
  StayValues,
} from './answers.ts';
export type {
  ClientOptions,
  ClientPlatform,
  OpenOptions,
  RequestOptions,
  RetryNotice,
  SendHttp,
} from './client-options.ts';
export { StaywireError } from './staywire-error.ts';
export type {
  ChosenValue,
  SearchInput,
  SearchOutcome,
  SearchProgress,
  UnmetAmenity,
} from './walk-search.ts';

/** Every method rejects with a `StaywireError` when there is no answer. */
export type StaywireClient = {
  /** Rejects with a `StaywireError` when the service opens no session. */
  open(options?: OpenOptions): Promise<OpenedSession>;
  /** Sends any number of values together. Without values, reads the state of the search: the question, or the set once it is complete. */
  step(session: SessionReference, values?: StayValues, options?: RequestOptions): Promise<SearchAnswer>;
  /** The last complete set. Rejects with a `StaywireError` when there is none. */
  result(session: SessionReference, options?: RequestOptions): Promise<ComparisonAnswer>;
  /** Narrows the set by an amenity, with fresh prices. Filters add up; null removes all of them. */
  refine(session: SessionReference, amenity: string | null, options?: RequestOptions): Promise<SearchAnswer>;
  /**
   * A whole search in a new session: sends the known values, asks `choose` for those that are missing or were refused, and
   * narrows the set by each amenity. A problem of the service is an outcome, not an exception.
   */
  search(input: SearchInput): Promise<SearchOutcome>;
};

const PATIENCE: Patience = { timeoutMs: 30_000, maxRetries: 2, maxWaitMs: 60_000 };

export function createClient(options: ClientOptions, runtime: ClientPlatform = webPlatform): StaywireClient {
  const platform = { ...runtime, fetch: options.fetch ?? runtime.fetch };
  const patience: Patience = {
    timeoutMs: options.timeoutMs ?? PATIENCE.timeoutMs,
    maxRetries: options.maxRetries ?? PATIENCE.maxRetries,
    maxWaitMs: options.maxWaitMs ?? PATIENCE.maxWaitMs,
  };

  const baseUrl = new URL(options.baseUrl);

  function call(
    path: 'auth' | 'search' | 'result',
    { session, body }: { readonly session?: SessionReference; readonly body?: object },
    { idempotencyKey, signal, onRetry }: RequestOptions,
  ) {
    const headers = new Headers(options.headers);
    headers.set('accept', 'application/json');
    headers.set('x-api-version', DESCRIBED_VERSION);
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    if (options.userAgent !== undefined) headers.set('user-agent', options.userAgent);
    const request: ClientRequest = {
      url: addressOf(baseUrl, path, { session, view: options.view }),
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    };
    return sendRequest(request, { platform, patience, signal, onRetry });
  }

  async function step(session: SessionReference, values: StayValues, requestOptions: RequestOptions) {
    const isReading = Object.values(values).every((value) => value === undefined);
    const keyed = isReading ? requestOptions : withKey(requestOptions);
    const answer = searchAnswerFrom(await call('search', { session, body: values }, keyed));
    // Only filters are left to answer, so the set is ready.
    return asksOnlyForFilters(answer)
      ? readSet(session, { ...requestOptions, idempotencyKey: undefined })
      : answer;
  }

  async function readSet(
    session: SessionReference,
    requestOptions: RequestOptions,
  ): Promise<ComparisonAnswer | ProblemAnswer> {
    const received = await call('result', { session }, requestOptions);
    return received.json.object === 'search_result' ? comparisonFrom(received) : problemFrom(received);
  }

  async function openSession({
    source = options.source,
    ...requestOptions
  }: OpenOptions): Promise<OpenedSession | ProblemAnswer> {
    const body = source === undefined || source === null ? {} : { source };
    const received = await call('auth', { body }, withKey(requestOptions));
    return received.json.object === 'session' ? (received.json as OpenedSession) : problemFrom(received);
  }

  /** Every attempt of a call sends the same key. A reading needs none. */
  function withKey(requestOptions: RequestOptions): RequestOptions {
    return { ...requestOptions, idempotencyKey: requestOptions.idempotencyKey ?? platform.newKey() };
  }

  return {
    async open(openOptions = {}) {
      const opened = await openSession(openOptions);
      if ('kind' in opened) throw errorOf(opened);
      return opened;
    },
    step: (session, values = {}, requestOptions = {}) => step(session, values, requestOptions),
    async result(session, requestOptions = {}) {
      const set = await readSet(session, requestOptions);
      if (set.kind === 'problem') throw errorOf(set);
      return set;
    },
    refine: (session, amenity, requestOptions = {}) =>
      step(session, { amenities: amenity === null ? [] : amenity }, requestOptions),
    search: (input) => walkSearch(input, { open: openSession, step }),
  };
}

function addressOf(
  baseUrl: URL,
  path: string,
  { session, view }: { readonly session: SessionReference | undefined; readonly view: ClientOptions['view'] },
): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/ai/v1/${path}`;
  url.search = '';
  url.hash = '';
  if (session !== undefined) url.searchParams.set('session', tokenOf(session));
  if (view !== undefined) url.searchParams.set('view', view);
  return url.href;
}

function tokenOf(session: SessionReference): string {
  const token = typeof session === 'string' ? session : session.session;
  if (typeof token === 'string') return token;
  throw new StaywireError('There is no session in what was given: open one first.', { code: 'no_session' });
}
