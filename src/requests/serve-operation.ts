import { type Clock, timeOn } from '../clock.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Answer, OperationRequest } from '../contract/exchange.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { SUPPORTED_VERSIONS } from '../contract/vocabulary.ts';
import { ClientGone, stopIfGone } from '../limits/deadline.ts';
import type { LoadShedder, WorkKind } from '../limits/load-shedding.ts';
import type { Links } from '../search/answers/links.ts';
import { problemAnswer } from '../search/answers/problem-answer.ts';
import type { RateReading, RequestLimits } from '../sessions/rate-windows.ts';
import { callerPath } from '../sessions/rate-windows.ts';
import { sessionIdOf } from '../sessions/session-token.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import type { FindSession, SessionLookup } from './find-session.ts';
import { endpointCallOf, type PerformOperation, requestAgain } from './perform-operation.ts';
import type { OperationObserver } from './request-observer.ts';

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
/** Looks up a session only where it has a meaning, so that it cannot bypass the caller's own limit. */
const TAKE_SESSION: ReadonlySet<OperationName> = new Set(
  (Object.keys(OPERATIONS) as OperationName[]).filter((operation) =>
    OPERATIONS[operation].query.some(({ name }) => name === 'session'),
  ),
);
/** Whether requests for the operation name a session. */
function takesSession(operation: OperationName): boolean {
  return TAKE_SESSION.has(operation);
}

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
    const { operation, caller, key } = request;
    const time = timeOn(clock);
    let rate: RateReading | undefined;
    let answer: Answer;
    let lookup: SessionLookup | undefined;
    try {
      const found = await lookUp(request, time.now);
      lookup = found instanceof StorageFailure ? undefined : found;
      // A session that cannot be looked up counts for its caller: otherwise an outage would bypass the limits.
      rate = await requestLimits.count(caller, lookup?.kind === 'live' ? lookup.session.id : null, time);
      if (!rate.allowed) answer = refuseForNow('rate_limited', rate.retryAfterSeconds, request, lookup);
      else if (found instanceof StorageFailure) throw found;
      else answer = await performIfAdmitted(request, found);
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

  async function lookUp(
    { operation, token, caller }: OperationRequest,
    now: number,
  ): Promise<SessionLookup | StorageFailure> {
    if (!takesSession(operation)) return NO_SESSION;
    try {
      return await findSession(token, caller.assistant, now);
    } catch (fault) {
      if (fault instanceof StorageFailure) return fault;
      throw fault;
    }
  }

  async function performIfAdmitted(request: OperationRequest, lookup: SessionLookup): Promise<Answer> {
    stopIfGone(request.client);
    const session = lookup.kind === 'live' ? lookup.session.id : null;
    const admission = loadShedder.admit(WORK[request.operation], callerPath(request.caller, session));
    if (admission.kind === 'shed') {
      return refuseForNow('overloaded', admission.retryAfterSeconds, request, lookup);
    }
    try {
      if (!servesVersions(request, lookup)) {
        return problemAnswer('unsupported_version', endpointCallOf(request), {
          supported_versions: [...SUPPORTED_VERSIONS],
          next_request: requestAgain(request, lookup, { links, sources }),
        });
      }
      return await perform(request, lookup);
    } finally {
      admission.release();
    }
  }

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

/** A session keeps the version that it was opened with. */
function servesVersions({ versions }: OperationRequest, lookup: SessionLookup): boolean {
  const served = lookup.kind === 'live' ? [lookup.session.apiVersion] : SUPPORTED_VERSIONS;
  return versions.every((version) => served.includes(version));
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
