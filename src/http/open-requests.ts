import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AccessDecision } from '../access/caller-facts.ts';
import type { Clock } from '../clock.ts';
import { CLIENT_GONE } from '../contract/errors.ts';
import { ClientGone, type WaitingClient } from '../limits/deadline.ts';
import type { FinishedRequest } from '../requests/request-observer.ts';
import { probeHalfClosed } from './half-closed.ts';
import type { IncomingRequest } from './incoming-request.ts';

export type OpenRequests = {
  /** Every request, whatever becomes of it: it finishes when its answer is sent, or when its connection closes before. */
  begin(request: IncomingRequest, response: ServerResponse, route: string | undefined): OpenRequest;
  of(request: IncomingRequest): OpenRequest | undefined;
};

// Members of the objects that they belong to: looking them up in weak maps costs more, at every request.
const OPEN = Symbol('open request');
const UNANSWERED = Symbol('unanswered requests');
type TrackedRequest = IncomingRequest & { [OPEN]?: OpenRequest };
type TrackedResponse = ServerResponse & { [OPEN]?: OpenRequest | undefined };
type TrackedSocket = Socket & { [UNANSWERED]?: Map<OpenRequest, ServerResponse> };

const NO_TOOLS: FinishedRequest['tools'] = [];

/** A request and what is known of it so far. A class, because one is made for each request, and closures would cost more. */
export class OpenRequest implements WaitingClient {
  readonly request: IncomingRequest;
  readonly response: ServerResponse;
  /** The pattern of the route that it matched. Read once, because Fastify describes the whole route each time. */
  readonly route: string | undefined;
  readonly startedAt: number;
  /** Null for public pages, which need no access, and until the gate has decided. */
  access: AccessDecision | null = null;
  operation: FinishedRequest['operation'] = 'other';
  error: FinishedRequest['error'] = null;
  replayed = false;
  tools: FinishedRequest['tools'] = NO_TOOLS;
  /** Keeps Fastify from answering as well, once we do. */
  takeOver: () => void = ignore;
  #hasGone = false;
  #departure: AbortController | null = null;

  constructor(
    request: IncomingRequest,
    response: ServerResponse,
    route: string | undefined,
    startedAt: number,
  ) {
    this.request = request;
    this.response = response;
    this.route = route;
    this.startedAt = startedAt;
  }

  hasGone(): boolean {
    return this.#hasGone;
  }

  departure(): AbortSignal {
    this.#departure ??= new AbortController();
    if (this.#hasGone) this.#departure.abort(new ClientGone());
    return this.#departure.signal;
  }

  leave(): void {
    this.#hasGone = true;
    this.#departure?.abort(new ClientGone());
  }
}

/**
 * Knows which requests of a connection are not answered yet. Fastify's own hooks run only for answers that were sent, and
 * for requests that have a route.
 */
export function trackOpenRequests({
  server,
  clock,
  finished,
}: {
  readonly server: Server;
  readonly clock: Clock;
  /** Once for each request. */
  readonly finished: (open: OpenRequest, status: number) => void;
}): OpenRequests {
  // Otherwise Node closes a half-closed connection, and its client gets no answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket: Socket) => {
    const open = new Map<OpenRequest, ServerResponse>();
    (socket as TrackedSocket)[UNANSWERED] = open;
    socket.once('end', () => probeHalfClosed({ socket, clock, unanswered: () => firstOf(open) }));
    socket.once('close', () => {
      for (const request of open.keys()) {
        request.leave();
        finished(request, CLIENT_GONE);
      }
      open.clear();
    });
  });

  return {
    begin(request, response, route) {
      const open = new OpenRequest(request, response, route, clock.elapsed());
      (request as TrackedRequest)[OPEN] = open;
      (response as TrackedResponse)[OPEN] = open;
      // Injected requests have no connection to lose.
      (request.raw.socket as TrackedSocket)[UNANSWERED]?.set(open, response);
      response.on('finish', answered);
      response.on('error', ignore);
      return open;
    },
    of: (request) => (request as TrackedRequest)[OPEN],
  };

  /** One function for all, without a closure for each request. */
  function answered(this: TrackedResponse): void {
    const open = this[OPEN];
    if (!open) return;
    // Injected answers finish twice.
    this[OPEN] = undefined;
    (this.req.socket as TrackedSocket)[UNANSWERED]?.delete(open);
    finished(open, this.statusCode);
  }
}

/** Answers go out in the order of their requests, so the first is the one that can be written to. */
function firstOf(open: ReadonlyMap<OpenRequest, ServerResponse>): ServerResponse | undefined {
  const [first] = open.values();
  return first;
}

/** The connection broke while an answer was written; its closing tells the same. */
function ignore(): void {}
