import { problemAnswer } from '../answers/problem-answer.ts';
import { type Clock, timeOn } from '../clock.ts';
import type { OperationRequest } from '../contract/exchange.ts';
import type { WaitingClient } from '../contract/waiting-client.ts';
import { endpointCallOf } from '../operations/perform-operation.ts';
import type { OperationAnswer, ServeOperation } from '../operations/serve-operation.ts';
import { callerWindow, type RateWindows } from '../sessions/rate-windows.ts';
import { ThreadGone } from './port-calls.ts';
import { homeOfRequest, type WorkerNumber } from './session-home.ts';

/** A request without the client that waits for its answer, as it travels to another thread. */
export type TravellingRequest = Omit<OperationRequest, 'client'>;

export type ServeElsewhere = (
  worker: WorkerNumber,
  request: TravellingRequest,
  client: WaitingClient,
) => Promise<OperationAnswer>;

/** A thread that ended is replaced within a second. */
const RETRY_AFTER_SECONDS = 1;

/** Serves each request in the thread where its session lives. */
export function createRouteOperations({
  self,
  workers,
  serveHere,
  serveElsewhere,
  rateWindows,
  clock,
}: {
  readonly self: WorkerNumber;
  readonly workers: number;
  readonly serveHere: ServeOperation;
  readonly serveElsewhere: ServeElsewhere;
  readonly rateWindows: Pick<RateWindows, 'peek'>;
  readonly clock: Clock;
}): ServeOperation {
  return async (request) => {
    const home = homeOfRequest(request, workers) ?? self;
    if (home === self) return serveHere(request);
    const { client, ...travelling } = request;
    try {
      return await serveElsewhere(home, travelling, client);
    } catch (fault) {
      if (!(fault instanceof ThreadGone)) throw fault;
      return lostAnswer(request);
    }
  };

  /** Whether the request was carried out is not known: repeated, it is taken as any repeated one is. */
  async function lostAnswer(request: OperationRequest): Promise<OperationAnswer> {
    const answer = problemAnswer('overloaded', endpointCallOf(request), {
      retry_after_seconds: RETRY_AFTER_SECONDS,
    });
    return {
      ...answer,
      key: request.key,
      rate: await rateWindows.peek(callerWindow(request.caller), timeOn(clock)),
    };
  }
}
