import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AccessDecision } from '../access/caller-facts.ts';
import type { Clock } from '../clock.ts';
import { CLIENT_GONE } from '../contract/errors.ts';
import { ClientGone, type WaitingClient } from '../limits/deadline.ts';
import type { FinishedRequest } from '../requests/request-observer.ts';
import type { IncomingRequest } from './incoming-request.ts';

type OpenRequests = {
  /** Tracks a request until its answer is sent, or until its connection closes before that. */
  begin(request: IncomingRequest, response: ServerResponse, route: string | undefined): OpenRequest;
  of(request: IncomingRequest): OpenRequest | undefined;
};

// Stored on the objects themselves: weak maps cost more at every request.
const OPEN = Symbol('open request');
const UNANSWERED = Symbol('unanswered requests');
type TrackedRequest = IncomingRequest & { [OPEN]?: OpenRequest };
type TrackedResponse = ServerResponse & { [OPEN]?: OpenRequest | undefined };
type TrackedSocket = Socket & { [UNANSWERED]?: Map<OpenRequest, ServerResponse> };

const NO_TOOLS: FinishedRequest['tools'] = [];

/** A request with its access decision and outcome so far. A class, because closures would cost more for each request. */
export class OpenRequest implements WaitingClient {
  readonly request: IncomingRequest;
  readonly response: ServerResponse;
  /** The pattern of the matched route. Read once, because Fastify builds the whole route description each time. */
  readonly route: string | undefined;
  readonly startedAt: number;
  /** Null until the gate has decided, and for public pages, which need no access. */
  access: AccessDecision | null = null;
  operation: FinishedRequest['operation'] = 'other';
  error: FinishedRequest['error'] = null;
  replayed = false;
  tools: FinishedRequest['tools'] = NO_TOOLS;
  /** Keeps Fastify from answering too. */
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
 * Tracks the unanswered requests of each connection. Fastify's own hooks run only for answers that were sent, and only for requests
 * that have a route.
 */
export function trackOpenRequests({
  server,
  clock,
  finished,
}: {
  readonly server: Server;
  readonly clock: Clock;
  /** Called once for each request. */
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

  /** One listener for all requests, without a closure for each. */
  function answered(this: TrackedResponse): void {
    const open = this[OPEN];
    if (!open) return;
    // Injected responses emit `finish` twice.
    this[OPEN] = undefined;
    (this.req.socket as TrackedSocket)[UNANSWERED]?.delete(open);
    finished(open, this.statusCode);
  }
}

/** Answers go out in the order of their requests, so only the first can be written to. */
function firstOf(open: ReadonlyMap<OpenRequest, ServerResponse>): ServerResponse | undefined {
  const [first] = open.values();
  return first;
}

/** For a connection that breaks while an answer is written: its `close` event reports the same. */
function ignore(): void {}

/** Long enough for the other side to reset the connection; doubled from one probe to the next. */
const FIRST_PAUSE_MS = 100;

/** A comment line, which readers of an event stream skip. */
const COMMENT = ':\n\n';
const eventStreams = new WeakSet<ServerResponse>();

/** From now on the response is probed with comments. */
export function beginsEventStream(response: ServerResponse): void {
  eventStreams.add(response);
}

/**
 * A client that has sent everything and one that has hung up look alike: both end their side of the connection. Sending something
 * distinguishes them, because the connection of a client that has gone refuses it. Before an answer, HTTP allows an interim response;
 * HTTP/1.0 has none, so its clients count as gone. An event stream is probed between its events.
 */
function probeHalfClosed({
  socket,
  clock,
  unanswered,
}: {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly unanswered: () => ServerResponse | undefined;
}): void {
  probe(FIRST_PAUSE_MS);

  function probe(pauseMs: number): void {
    const response = unanswered();
    if (socket.destroyed || !response) return;
    const isStream = eventStreams.has(response);
    if (response.headersSent && !isStream) return;
    if (response.req.httpVersionMinor === 0) {
      socket.destroy();
      return;
    }
    if (isStream) response.write(COMMENT);
    else response.writeContinue();
    const cancel = clock.after(pauseMs, () => {
      socket.removeListener('close', cancel);
      probe(pauseMs * 2);
    });
    socket.once('close', cancel);
  }
}

const LINGER_MS = 2_000;

/**
 * Treats CONNECT, which asks for a tunnel, like any other request: it is answered and logged, and no tunnel is opened. By default
 * Node closes the connection without an answer. Node hands the bare socket over, so this function has to close it.
 */
export function answerConnect(
  server: Server,
  { isInUse, clock }: { readonly isInUse: (socket: Socket) => boolean; readonly clock: Pick<Clock, 'after'> },
): void {
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    // An unfinished answer would have to go first, and no honest client asks for a tunnel behind it.
    if (isInUse(socket)) return void socket.destroy();
    // Discard what follows: it is meant for the other end of the tunnel.
    socket.resume();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
      socket.end();
      // Linger: closing while the client still sends would make the system discard the answer.
      socket.once(
        'close',
        clock.after(LINGER_MS, () => socket.destroy()),
      );
    });
    server.emit('request', request, response);
  });
}
