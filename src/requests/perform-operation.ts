import { hash } from 'node:crypto';
import { type ErrorCode, isRepeatableName, REQUEST_FAULTS, type RequestFault } from '../contract/errors.ts';
import { type Answer, answerWith, type Body, type OperationRequest } from '../contract/exchange.ts';
import { COMMON_PARAMETERS, OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import { formatTimestamp, MAX_WAITING_PER_SESSION, PATHS } from '../contract/vocabulary.ts';
import type { Links } from '../search/answers/links.ts';
import {
  authRequest,
  type EndpointCall,
  nextRequestAt,
  problemAnswer,
} from '../search/answers/problem-answer.ts';
import { nearestWord } from '../search/names/spelling.ts';
import type { OpenSession } from '../search/open-session.ts';
import type { ReadResult } from '../search/read-result.ts';
import type { TakeStep } from '../search/take-step.ts';
import type { LiveSession, Session } from '../sessions/session.ts';

export type SessionLookup =
  | { readonly kind: 'no_token' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'expired'; readonly session: Session }
  | ({ readonly kind: 'live' } & LiveSession);

/** Carries out an admitted request. */
export type PerformOperation = (request: OperationRequest, lookup: SessionLookup) => Promise<Answer>;

const SESSION_PROBLEMS = {
  no_token: 'session_required',
  not_found: 'session_not_found',
  expired: 'session_expired',
} as const satisfies Record<string, ErrorCode>;

const NO_SESSION_ON_SEARCH = 'The session is missing: name it in the query, or in the body of a POST.';
const OPERATORS_SILENT_MESSAGE =
  'No booking system gave a usable answer, so there are no prices yet. Your answers are kept: follow next_request to ask the operators again.';
const QUEUE_FULL_MESSAGE = `This session has ${MAX_WAITING_PER_SESSION} requests waiting: wait for their answers, then repeat this one.`;
const TOO_MANY_SEARCHES_MESSAGE =
  'This assistant has as many searches asking the booking systems as it may have at a time. Nothing was changed: repeat this request when one of them has ended.';
const NO_SESSION: SessionLookup = { kind: 'no_token' };

/** Maps each operation to its use case, and each outcome to an answer. A missing operation does not compile. */
export function createPerformOperation({
  openSession,
  takeStep,
  readResult,
  links,
  sources,
  schemaDocument,
  termsDocument,
}: {
  readonly openSession: OpenSession;
  readonly takeStep: TakeStep;
  readonly readResult: ReadResult;
  readonly links: Links;
  readonly sources: readonly string[];
  readonly schemaDocument: Answer;
  readonly termsDocument: Answer;
}): PerformOperation {
  const performers: Readonly<Record<OperationName, PerformOperation>> = {
    async openSession(request) {
      if (!isReadable(request)) return unreadable(request, NO_SESSION);
      const outcome = await openSession(request);
      switch (outcome.kind) {
        case 'opened':
          return outcome.answer;
        case 'unreadable':
          return unreadable(request, NO_SESSION, 'unreadable_source');
        case 'unknown_field':
          return unreadable({ ...request, unknownParameter: outcome.name }, NO_SESSION);
        case 'unknown_source': {
          const details = {
            ...meantSource(request),
            sources: [...sources],
            next_request: authRequest(links, null, request),
          };
          return problemAnswer(outcome.kind, endpointCallOf(request), details);
        }
        case 'too_many_sessions':
          return problemAnswer(outcome.kind, endpointCallOf(request), {
            retry_after_seconds: outcome.retryAfterSeconds,
            next_request: requestAgain(request, NO_SESSION, { links, sources }),
          });
        case 'idempotency_key_reused':
          return problemAnswer(outcome.kind, endpointCallOf(request), {
            next_request: requestAgain(request, NO_SESSION, { links, sources }),
          });
      }
    },

    async search(request, lookup) {
      if (lookup.kind !== 'live') {
        return request.values.kind === 'invalid'
          ? unreadable(request, lookup)
          : withoutSession(request, lookup);
      }
      const outcome = await takeStep(request, lookup);
      switch (outcome.kind) {
        case 'answered':
          return outcome.answer;
        case 'session_expired':
          return withoutSession(request, { kind: 'expired', session: lookup.session });
        case 'session_gone':
          return withoutSession(request, { kind: 'not_found' });
        case 'queue_full':
          return problemAnswer('overloaded', endpointCallOf(request), {
            message: QUEUE_FULL_MESSAGE,
            retry_after_seconds: outcome.retryAfterSeconds,
            next_request: requestAgain(request, lookup, { links, sources }),
          });
        case 'too_many_searches':
          return problemAnswer('overloaded', endpointCallOf(request), {
            message: TOO_MANY_SEARCHES_MESSAGE,
            retry_after_seconds: outcome.retryAfterSeconds,
            next_request: requestAgain(request, lookup, { links, sources }),
          });
        case 'session_used_up':
          return problemAnswer(outcome.kind, endpointCallOf(request), {
            ...lastResultOf(lookup, request),
            next_request: authRequest(links, lookup.session.source, request),
          });
      }
    },

    async readResult(request, lookup) {
      if (!isReadable(request)) return unreadable(request, lookup);
      if (lookup.kind !== 'live') return withoutSession(request, lookup);
      const reading = await readResult(lookup, request.view);
      if (reading.kind === 'result') return reading.answer;
      if (reading.kind === 'gone') return withoutSession(request, { kind: 'not_found' });
      if (reading.kind === 'deleted')
        return withoutSession(request, { kind: 'expired', session: lookup.session });
      const { missing, next } = reading.step;
      const { token, session } = lookup;
      const state = { token, revision: session.revision, view: request.view };
      const read = { url: links.forSession(state).read(), method: 'GET' };
      const { retryAfterSeconds } = reading;
      if (retryAfterSeconds !== null && missing.length === 0) {
        return problemAnswer('upstream_unavailable', endpointCallOf(request), {
          message: OPERATORS_SILENT_MESSAGE,
          retry_after_seconds: retryAfterSeconds,
          next_request: read,
        });
      }
      return problemAnswer('result_not_ready', endpointCallOf(request), {
        missing_fields: [...missing],
        ...(next === null ? {} : { next_required: next }),
        next_request: read,
      });
    },

    readSchema: async (request) => (isReadable(request) ? schemaDocument : unreadable(request, NO_SESSION)),
    readTerms: async (request) => (isReadable(request) ? termsDocument : unreadable(request, NO_SESSION)),
  };

  return (request, lookup) => performers[request.operation](request, lookup);

  /** The answer to a request that is refused. */
  function unreadable(
    request: OperationRequest,
    lookup: SessionLookup,
    faultOfUseCase: RequestFault = 'invalid_request',
  ): Answer {
    const { operation, values, unknownParameter, faultyParameter } = request;
    const next = requestAgain(request, lookup, { links, sources });
    if (values.kind === 'valid' && unknownParameter !== null) {
      return problemAnswer('unknown_field', endpointCallOf(request), {
        message: unknownParameterMessage(unknownParameter, operation),
        ...(isRepeatableName(unknownParameter) ? { invalid_field: unknownParameter } : {}),
        ...meantInstead(unknownParameter, operation),
        next_request: next,
      });
    }
    const fault = values.kind === 'invalid' ? values.faults[0] : undefined;
    const { code, message } = REQUEST_FAULTS[fault ?? faultOfUseCase];
    return problemAnswer(code, endpointCallOf(request), {
      ...(message === undefined ? {} : { message }),
      ...(faultyParameter !== null && isRepeatableName(faultyParameter)
        ? { invalid_field: faultyParameter }
        : {}),
      next_request: next,
    });
  }

  function meantSource({ values }: OperationRequest): { readonly did_you_mean?: string } {
    const source = values.kind === 'valid' ? values.value.get('source') : undefined;
    const meant = typeof source === 'string' ? nearestWord(source, sources) : undefined;
    return meant === undefined ? {} : { did_you_mean: meant };
  }

  function lastResultOf(
    { token, session }: SessionLookup & { kind: 'live' },
    { view }: OperationRequest,
  ): Pick<SearchProblem, 'available_requests'> {
    const { revision, result } = session;
    if (result === null) return {};
    const url = links.forSession({ token, revision, view }).result();
    return { available_requests: [{ method: 'GET', path: PATHS.result, url }] };
  }

  function withoutSession(
    request: OperationRequest,
    lookup: Exclude<SessionLookup, { kind: 'live' }>,
  ): Answer {
    const session = lookup.kind === 'expired' ? lookup.session : null;
    const isMissingOnSearch = lookup.kind === 'no_token' && request.operation === 'search';
    return problemAnswer(SESSION_PROBLEMS[lookup.kind], endpointCallOf(request), {
      ...(isMissingOnSearch ? { message: NO_SESSION_ON_SEARCH } : {}),
      ...(session ? { expired_at: formatTimestamp(session.expiresAt) } : {}),
      next_request: authRequest(links, session?.source ?? null, request),
    });
  }
}

function meantInstead(name: string, operation: OperationName): { readonly did_you_mean?: string } {
  if (!isRepeatableName(name)) return {};
  const meant = nearestWord(name, parametersOf(operation));
  return meant === undefined ? {} : { did_you_mean: meant };
}

function unknownParameterMessage(name: string, operation: OperationName): string {
  const named = isRepeatableName(name) ? `the parameter ${name}` : 'a parameter';
  const known = parametersOf(operation).join(', ');
  return `The request names ${named}, which this endpoint does not have. It has: ${known}.`;
}

function parametersOf(operation: OperationName): readonly string[] {
  const own = OPERATIONS[operation].query.map((parameter) => parameter.name);
  return [...new Set([...own, ...COMMON_PARAMETERS])];
}

function isReadable({ values, unknownParameter }: OperationRequest): boolean {
  return values.kind === 'valid' && unknownParameter === null;
}

export function endpointCallOf({ operation, method }: OperationRequest): EndpointCall {
  const { endpoint, path } = OPERATIONS[operation];
  return { endpoint, path, method };
}

/** The same operation for the same session, without the changes of the request. */
export function requestAgain(
  request: OperationRequest,
  /** Undefined where the session could not be looked up: then the named one is assumed. */
  lookup: SessionLookup | undefined,
  { links, sources }: { readonly links: Links; readonly sources: readonly string[] },
) {
  const token = lookup === undefined ? (request.token ?? null) : lookup.kind === 'live' ? lookup.token : null;
  return nextRequestAt(
    request.operation,
    { token, source: namedSource(request, lookup, sources), form: request },
    links,
  );
}

/** Keeps the source in the address, so that following it does not widen the search to other brands. */
function namedSource(
  { operation, values }: OperationRequest,
  lookup: SessionLookup | undefined,
  sources: readonly string[],
): string | null {
  if (operation !== 'openSession') return lookup?.kind === 'expired' ? lookup.session.source : null;
  const named = values.kind === 'valid' ? values.value.get('source') : undefined;
  if (typeof named !== 'string') return null;
  return sources.find((source) => source === named.toLowerCase()) ?? null;
}

/** A document that is the same for every caller until a restart. Its tag lets callers cache it. */
export function publishedDocument(content: object): Answer {
  const text = Buffer.from(JSON.stringify(content));
  const tag = hash('sha256', text, 'base64url').slice(0, 22);
  return answerWith({ text, read: () => content as Body }, { tag });
}
