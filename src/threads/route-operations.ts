import { type Clock, timeOn } from '../clock.ts';
import type { OperationRequest } from '../contract/exchange.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import type { FindSession } from '../requests/find-session.ts';
import { endpointCallOf } from '../requests/perform-operation.ts';
import { type OperationAnswer, type ServeOperation, takesSession } from '../requests/serve-operation.ts';
import { problemAnswer } from '../search/answers/problem-answer.ts';
import type { RequestLimits } from '../sessions/rate-windows.ts';
import { isSessionToken } from '../sessions/session-token.ts';
import { ThreadGone } from './port-calls.ts';
import { textHash } from './shared-tables.ts';

/** A request for another thread, without the waiting client. */
export type SentRequest = Omit<OperationRequest, 'client'>;

export type ServeElsewhere = (
  worker: WorkerNumber,
  request: SentRequest,
  client: WaitingClient,
) => Promise<OperationAnswer>;

/** A thread that ended is replaced within a second. */
const RETRY_AFTER_SECONDS = 1;

/** Serves each request in the thread of its session; requests that only read are served where they arrive. */
export function createRouteOperations({
  self,
  workers,
  serveHere,
  serveElsewhere,
  findSession,
  requestLimits,
  clock,
}: {
  readonly self: WorkerNumber;
  readonly workers: number;
  readonly serveHere: ServeOperation;
  readonly serveElsewhere: ServeElsewhere;
  /** Looks the session up without recording its use. */
  readonly findSession: FindSession;
  readonly requestLimits: Pick<RequestLimits, 'peek'>;
  readonly clock: Clock;
}): ServeOperation {
  return async (request) => {
    const home = homeOfRequest(request, workers) ?? self;
    if (home === self || (await canBeReadHere(request))) return serveHere(request);
    try {
      const { client, ...sent } = request;
      return await serveElsewhere(home, sent, client);
    } catch (fault) {
      if (!(fault instanceof ThreadGone)) throw fault;
      return lostAnswer(request);
    }
  };

  /**
   * Passing a request on takes nearly as long as reading does. But the first request of a session ends its opening, which its own
   * thread stores, and reading one whose operators did not answer asks them again.
   */
  async function canBeReadHere(request: OperationRequest): Promise<boolean> {
    if (!isReading(request)) return false;
    // If it cannot be found, its own thread answers.
    const lookup = await findSession(request.token, request.caller.assistant, clock.now()).catch(() => null);
    return lookup?.kind === 'live' && lookup.session.revision > 0 && !lookup.session.operatorsSilent;
  }

  /** Whether the request was carried out is unknown. Repeating it is handled like any repeat. */
  async function lostAnswer(request: OperationRequest): Promise<OperationAnswer> {
    const answer = problemAnswer('overloaded', endpointCallOf(request), {
      retry_after_seconds: RETRY_AFTER_SECONDS,
    });
    return {
      ...answer,
      key: request.key,
      rate: await requestLimits.peek(request.caller, timeOn(clock)),
    };
  }
}

/** Whether a request has no values that could change the search. */
function isReading({ operation, values }: OperationRequest): boolean {
  if (operation === 'readResult') return true;
  return operation === 'search' && values.kind === 'valid' && values.value.size === 0;
}

/** The number of a thread that serves. */
export type WorkerNumber = number;

/**
 * Each session belongs to one thread, which follows from its token: its state in memory exists once, and its requests wait for each
 * other as in a service of one thread.
 */
export function homeOf(token: string, workers: number): WorkerNumber {
  return textHash(token) % workers;
}

/** The thread that serves a request; null for any. */
export function homeOfRequest(
  { operation, token, key, caller }: Pick<OperationRequest, 'operation' | 'token' | 'key' | 'caller'>,
  workers: number,
): WorkerNumber | null {
  if (takesSession(operation)) {
    return token !== undefined && isSessionToken(token) ? homeOf(token, workers) : null;
  }
  // A repeated opening has to find the session that the first one opened.
  if (operation === 'openSession' && key !== null) {
    return homeOf(`${caller.assistant}\n${caller.address}\n${key}`, workers);
  }
  return null;
}
