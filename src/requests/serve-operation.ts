import { LRUCache } from 'lru-cache';
import { type Clock, timeOn } from '../clock.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Answer, OperationRequest } from '../contract/exchange.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { SUPPORTED_VERSIONS } from '../contract/vocabulary.ts';
import { CLIENT_STAYS, ClientGone, stopIfGone, type WaitingClient } from '../limits/deadline.ts';
import type { LoadShedder, WorkKind } from '../limits/load-shedding.ts';
import { invalid } from '../parsing/reading.ts';
import type { Links } from '../search/answers/links.ts';
import { problemAnswer } from '../search/answers/problem-answer.ts';
import { NO_KEY, readKey } from '../sessions/idempotency.ts';
import type { RateReading, RequestLimits } from '../sessions/rate-windows.ts';
import { callerPath } from '../sessions/rate-windows.ts';
import type { RecentOpenings } from '../sessions/recent-openings.ts';
import type { AssistantId, SessionId } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { sessionIdOf } from '../sessions/session-token.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import {
  endpointCallOf,
  type PerformOperation,
  requestAgain,
  type SessionLookup,
} from './perform-operation.ts';
import type { OperationObserver } from './request-observer.ts';

/** A request as the transport received it, with every idempotency key it carries. */
export type ReceivedRequest = Omit<
  OperationRequest,
  'client' | 'key' | 'view' | 'amenitiesAtOnce' | 'unknownParameter' | 'faultyParameter'
> & {
  /** In increasing order of precedence. */
  readonly keys: readonly string[];
  /** Left out by transports that cannot lose their client. */
  readonly client?: WaitingClient;
  readonly view?: string | undefined;
  readonly amenitiesAtOnce?: boolean;
  readonly unknownParameter?: string | null;
  readonly faultyParameter?: string | null;
};

export function operationRequest(received: ReceivedRequest): OperationRequest {
  const { id, operation, caller, token, versions, method, keys, view = 'full' } = received;
  const { client = CLIENT_STAYS, amenitiesAtOnce = false, unknownParameter = null } = received;
  const key = keys.length === 0 ? NO_KEY : readKey(keys);
  const isView = view === 'full' || view === 'compact';
  let { values, faultyParameter = null } = received;
  // Reports one fault, so that the named parameter is the one that the code refers to.
  if (faultyParameter === null && key.kind === 'invalid') values = key;
  else if (faultyParameter === null && !isView) {
    values = invalid('unknown_view');
    faultyParameter = 'view';
  }
  return {
    id,
    operation,
    caller,
    client,
    token,
    key: key.kind === 'valid' ? key.value : null,
    versions,
    method,
    view: isView ? view : 'full',
    unknownParameter,
    amenitiesAtOnce,
    values,
    faultyParameter,
  };
}

/** An answer, with the data of the headers that every transport sends. */
export type OperationAnswer = Answer & {
  /** A valid idempotency key is echoed even where it has no effect. */
  readonly key: string | null;
  readonly rate: RateReading;
};

/**
 * Never rejects because of the operation or its store: their errors become answers. Rejects with `ClientGone` when the client left
 * before its request was carried out.
 */
export type ServeOperation = (request: OperationRequest) => Promise<OperationAnswer>;

const WORK: Readonly<Record<OperationName, WorkKind>> = {
  openSession: 'auth',
  search: 'search',
  readResult: 'read',
  readSchema: 'read',
  readTerms: 'read',
};
/** A session is looked up only where it has a meaning, so that it cannot bypass the caller's own limit. */
const TAKE_SESSION: ReadonlySet<OperationName> = new Set(
  (Object.keys(OPERATIONS) as OperationName[]).filter((operation) =>
    OPERATIONS[operation].query.some(({ name }) => name === 'session'),
  ),
);
const NO_SESSION: SessionLookup = { kind: 'no_token' };

/** The order of checks for an approved caller: session, rate limit, load, version; then the operation. */
export function createServeOperation({
  perform,
  findSession,
  requestLimits,
  loadShedder,
  links,
  sources,
  clock,
  observe,
}: {
  readonly perform: PerformOperation;
  readonly findSession: FindSession;
  readonly requestLimits: RequestLimits;
  readonly loadShedder: LoadShedder;
  readonly links: Links;
  readonly sources: readonly string[];
  readonly clock: Clock;
  readonly observe: OperationObserver;
}): ServeOperation {
  return async (request) => {
    const { operation, caller, token, client, versions, key } = request;
    const time = timeOn(clock);
    let lookup: SessionLookup | undefined = NO_SESSION;
    let outage: StorageFailure | null = null;
    let rate: RateReading | undefined;
    let answer: Answer;
    try {
      if (TAKE_SESSION.has(operation)) {
        try {
          lookup = await findSession(token, caller.assistant, time.now);
        } catch (fault) {
          if (!(fault instanceof StorageFailure)) throw fault;
          outage = fault;
          lookup = undefined;
        }
      }
      const session = lookup?.kind === 'live' ? lookup.session : null;
      // A session that cannot be looked up counts for its caller: otherwise an outage would bypass the limits.
      rate = await requestLimits.count(caller, session?.id ?? null, time);
      if (!rate.allowed) answer = refuseForNow('rate_limited', rate.retryAfterSeconds, request, lookup);
      else if (lookup === undefined) throw outage;
      else {
        stopIfGone(client);
        const admission = loadShedder.admit(WORK[operation], callerPath(caller, session?.id ?? null));
        if (admission.kind === 'shed') {
          answer = refuseForNow('overloaded', admission.retryAfterSeconds, request, lookup);
        } else {
          try {
            // A session keeps the version that it was opened with.
            const served = session ? [session.apiVersion] : SUPPORTED_VERSIONS;
            answer =
              versions.length === 0 || versions.every((version) => served.includes(version))
                ? await perform(request, lookup)
                : problemAnswer('unsupported_version', endpointCallOf(request), {
                    supported_versions: [...SUPPORTED_VERSIONS],
                    next_request: requestAgain(request, lookup, { links, sources }),
                  });
          } finally {
            admission.release();
          }
        }
      }
    } catch (fault) {
      if (fault instanceof ClientGone) {
        observe.abandoned(operation);
        throw fault;
      }
      observe.fault(request, fault);
      answer = faultAnswer(request, fault, lookup);
    }
    observe.served(operation, answer);
    return { ...answer, key, rate: rate ?? (await requestLimits.peek(caller, time)) };
  };

  function faultAnswer(request: OperationRequest, fault: unknown, lookup: SessionLookup | undefined): Answer {
    if (!(fault instanceof StorageFailure)) return problemAnswer('internal_error', endpointCallOf(request));
    const { code, retryAfterSeconds } = storageProblem(fault);
    return refuseForNow(code, retryAfterSeconds, request, lookup);
  }

  /** Nothing was carried out, or the outcome is unknown: a repeat under the same key finds out. An impossible token gets no address. */
  function refuseForNow(
    code: ErrorCode,
    retryAfterSeconds: number,
    request: OperationRequest,
    lookup: SessionLookup | undefined,
  ): Answer {
    return problemAnswer(code, endpointCallOf(request), {
      retry_after_seconds: retryAfterSeconds,
      ...(lookup || isToken(request.token)
        ? { next_request: requestAgain(request, lookup, { links, sources }) }
        : {}),
    });
  }
}

function isToken(token: string | undefined): boolean {
  return token !== undefined && sessionIdOf(token) !== undefined;
}

export type FindSession = (
  token: string | undefined,
  assistant: AssistantId,
  now: number,
) => Promise<SessionLookup>;

const MAX_CACHED_TOKENS = 5000;

/** A session of another assistant is reported as not found, so that a token reveals nothing about it. */
export function createFindSession(
  sessions: Pick<SessionStore, 'find'>,
  openings: Pick<RecentOpenings, 'forget'>,
): FindSession {
  /** For tokens that found their session: hashing one takes 2 % of the time of a result that is read. */
  const ids = new LRUCache<string, SessionId>({ max: MAX_CACHED_TOKENS });
  return async (token, assistant, now) => {
    if (token === undefined || token === '') return NO_SESSION;
    const known = ids.get(token);
    const id = known ?? sessionIdOf(token);
    const session = id === undefined ? undefined : await sessions.find(id);
    if (!session || session.assistant !== assistant) return { kind: 'not_found' };
    // A copy, because a slice of an address keeps the whole address in memory.
    if (known === undefined) ids.set(Buffer.from(token).toString('latin1'), session.id);
    // The sender has the token, even if the request fails. A later revision means that this was done already.
    if (session.revision === 0) {
      const forgetting = openings.forget(session.id);
      if (forgetting) await forgetting;
    }
    if (session.expiresAt <= now) return { kind: 'expired', session };
    return { kind: 'live', session, token };
  };
}

const RETRY_AFTER_SECONDS = 2;

/** The problem that callers get when the store fails, over every transport. */
export function storageProblem({ kind }: StorageFailure): {
  readonly code: Extract<ErrorCode, 'overloaded' | 'storage_unavailable'>;
  readonly retryAfterSeconds: number;
} {
  const code = kind === 'overloaded' ? 'overloaded' : 'storage_unavailable';
  return { code, retryAfterSeconds: RETRY_AFTER_SECONDS };
}
