import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { subscriberOf } from '../parsing/ip-address.ts';

/**
 * Shares the connections that the process can afford. A connection is a newcomer's until the gate has approved a request on it.
 * Newcomers have few places of their own, so strangers never take one from an approved caller, and there is always a place for
 * the next newcomer, be it a health check or an assistant: it takes that of the oldest connection of whoever holds most,
 * and of those first that are waited for.
 */
export type ConnectionPlaces = {
  approved(socket: Socket): void;
  /** Whether bytes that cannot be read may be answered; not when they would be taken for the answer to another request. */
  mayAnswer(socket: Socket): boolean;
  /** Whether a request is being received or answered. */
  isInUse(socket: Socket): boolean;
};

const MAX_NEWCOMERS = 256;
/** The part of all places that newcomers have, where it is smaller than that. */
const NEWCOMERS_SHARE = 0.25;
/**
 * How long a newcomer keeps its place even when there are too many, while any place is free: an assistant's platform may open
 * hundreds of connections in one moment, before the first request of them is read.
 */
const MIN_NEWCOMER_AGE_MS = 1_000;
/** Enough for a request with a slow body, and for the next check of a load balancer. */
const MAX_NEWCOMER_AGE_MS = 30_000;
const SWEEP_MS = 5_000;
/** Of one connection. Assistants do not pipeline; a proxy that does sends a few. */
const MAX_UNANSWERED = 8;

// A member of the socket: looking it up in a map costs more, at every request.
const CONNECTION = Symbol('caller connection');
type PlacedSocket = Socket & { [CONNECTION]?: CallerConnection };

const NO_HTTP_FOLLOWS = 2;
type ParsedSocket = Socket & {
  readonly parser?: {
    onIncoming?: ((request: IncomingMessage, isKeptAlive: boolean) => number) | null;
  } | null;
};

function connectionOf(socket: Socket): CallerConnection | undefined {
  return (socket as PlacedSocket)[CONNECTION];
}

type CallerConnection = {
  readonly socket: Socket;
  readonly subscriber: string;
  readonly openedAt: number;
  isApproved: boolean;
  inFlight: number;
  /** Grows with every request of the server, so that the connection with the smallest one is idle for longest. */
  lastUse: number;
  /** The answer to the latest request, until that request has been received and answered. */
  latest: ServerResponse<IncomingMessage> | null;
};

/** Whether it is our turn: not while its client has yet to send the rest of a request, or to read the answer. */
function isWorkedOn({ latest }: CallerConnection): boolean {
  return latest?.req.complete === true && !latest.writableEnded;
}

function firstWhere<Item>(items: Iterable<Item>, matches: (item: Item) => boolean): Item | undefined {
  for (const item of items) if (matches(item)) return item;
  return undefined;
}

export function shareConnections(
  server: Server,
  { maxConnections, clock }: { readonly maxConnections: number; readonly clock: Clock },
): ConnectionPlaces {
  const maxNewcomers = Math.max(1, Math.min(MAX_NEWCOMERS, Math.floor(maxConnections * NEWCOMERS_SHARE)));
  const maxApproved = Math.max(1, maxConnections - maxNewcomers);
  /** Both in the order in which they came. */
  const newcomers = new Map<string, Set<CallerConnection>>();
  const approved = new Set<CallerConnection>();
  let newcomerCount = 0;
  let uses = 0;
  let cancelSweep: (() => void) | null = null;

  server.on('connection', (socket) => {
    const connection: CallerConnection = {
      socket,
      subscriber: subscriberOf(socket.remoteAddress ?? ''),
      openedAt: clock.elapsed(),
      isApproved: false,
      inFlight: 0,
      lastUse: 0,
      latest: null,
    };
    (socket as PlacedSocket)[CONNECTION] = connection;
    socket.on('close', forget);
    stopParserWithSocket(socket);
    if (approved.size + newcomerCount >= maxConnections) close(oldestOfLargest());
    else if (newcomerCount >= maxNewcomers) closeOneTooMany();
    addNewcomer(connection);
    cancelSweep ??= clock.after(SWEEP_MS, sweep);
  });
  // Others get only what is worked for.
  interceptRequests(server, (request, response) => {
    const connection = connectionOf(request.socket);
    return connection !== undefined && !takes(connection, response);
  });
  // An expectation that we do not know is ignored, as HTTP allows: Node's own answer would not be in the shape of the contract.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('close', () => {
    cancelSweep?.();
    cancelSweep = null;
  });

  return {
    approved(socket) {
      const connection = connectionOf(socket);
      if (!connection || connection.isApproved || connection.socket.destroyed) return;
      // Where every place is busy it stays a newcomer, and its request is served all the same.
      if (approved.size >= maxApproved && !closeLongestIdle()) return;
      removeNewcomer(connection);
      connection.isApproved = true;
      approved.add(connection);
    },
    mayAnswer(socket) {
      const connection = connectionOf(socket);
      if (!connection) return true;
      const { latest, inFlight } = connection;
      if (!latest) return inFlight === 0;
      return latest.req.complete ? inFlight === 0 : inFlight === 1 && !latest.headersSent;
    },
    isInUse: (socket) => (connectionOf(socket)?.inFlight ?? 0) > 0,
  };

  /**
   * Node reads all requests of a chunk in one turn, hundreds in 64 KB, and nobody else is served meanwhile. A connection with
   * more than a few that are not answered yet is closed, whoever it belongs to.
   */
  function takes(connection: CallerConnection, response: ServerResponse<IncomingMessage>): boolean {
    // What was read along with the request that closed the connection is not worked for either.
    if (connection.socket.destroyed) return false;
    if (connection.inFlight >= MAX_UNANSWERED) {
      connection.socket.destroy();
      return false;
    }
    connection.inFlight += 1;
    connection.latest = response;
    response.on('close', answered);
    return true;
  }

  function answered(this: ServerResponse<IncomingMessage>): void {
    const connection = connectionOf(this.req.socket);
    if (!connection) return;
    uses += 1;
    connection.lastUse = uses;
    connection.inFlight -= 1;
    if (this.req.complete && connection.latest === this) connection.latest = null;
  }

  function forget(this: Socket): void {
    const connection = connectionOf(this);
    if (!connection) return;
    approved.delete(connection);
    removeNewcomer(connection);
  }

  function addNewcomer(connection: CallerConnection): void {
    const ofSubscriber = newcomers.get(connection.subscriber);
    if (ofSubscriber) ofSubscriber.add(connection);
    else newcomers.set(connection.subscriber, new Set([connection]));
    newcomerCount += 1;
  }

  function removeNewcomer(connection: CallerConnection): void {
    const ofSubscriber = newcomers.get(connection.subscriber);
    if (!ofSubscriber?.delete(connection)) return;
    newcomerCount -= 1;
    if (ofSubscriber.size === 0) newcomers.delete(connection.subscriber);
  }

  /** A request that is worked on goes only where nobody is waited for: it may be the owner's, among those of a stranger on the same address. */
  function oldestOfLargest(): CallerConnection | undefined {
    return oldestOfLargestWhere((connection) => !isWorkedOn(connection)) ?? oldestOfLargestWhere(() => true);
  }

  function oldestOfLargestWhere(
    mayGo: (connection: CallerConnection) => boolean,
  ): CallerConnection | undefined {
    let oldest: CallerConnection | undefined;
    let most = 0;
    for (const ofSubscriber of newcomers.values()) {
      if (ofSubscriber.size <= most) continue;
      const found = firstWhere(ofSubscriber, mayGo);
      if (!found) continue;
      oldest = found;
      most = ofSubscriber.size;
    }
    return oldest;
  }

  /** False when those who would have to go came only a moment ago. */
  function closeOneTooMany(): boolean {
    const oldest = oldestOfLargest();
    if (!oldest || clock.elapsed() - oldest.openedAt < MIN_NEWCOMER_AGE_MS) return false;
    close(oldest);
    return true;
  }

  function close(newcomer: CallerConnection | undefined): void {
    if (!newcomer) return;
    // At once, because its socket reports that it has closed only later.
    removeNewcomer(newcomer);
    newcomer.socket.destroy();
  }

  function closeLongestIdle(): boolean {
    let longest: CallerConnection | undefined;
    for (const connection of approved) {
      const isIdle = connection.inFlight === 0;
      if (isIdle && (!longest || connection.lastUse < longest.lastUse)) longest = connection;
    }
    if (!longest) return false;
    approved.delete(longest);
    longest.socket.destroy();
    return true;
  }

  function sweep(): void {
    const limit = clock.elapsed() - MAX_NEWCOMER_AGE_MS;
    for (const ofSubscriber of newcomers.values()) {
      for (const connection of ofSubscriber) {
        if (connection.openedAt > limit) break;
        if (connection.inFlight === 0) close(connection);
      }
    }
    while (newcomerCount > maxNewcomers && closeOneTooMany());
    cancelSweep = newcomerCount > 0 ? clock.after(SWEEP_MS, sweep) : null;
  }
}

/**
 * Destroying a socket does not stop the parser, which would make requests and responses of all that is left of the chunk: 3,600
 * of them hold the event loop for a tenth of a second and more. There is no documented way to stop it. Its hook may say that
 * what follows is no HTTP; where a version of Node has no such hook, the parser goes on to the end of the chunk.
 */
function stopParserWithSocket(socket: ParsedSocket): void {
  const { parser } = socket;
  const read = parser?.onIncoming;
  if (!parser || !read) return;
  parser.onIncoming = (request, isKeptAlive) =>
    socket.destroyed ? NO_HTTP_FOLLOWS : read(request, isKeptAlive);
}

/** From the first byte, or from the connection, to the end of the headers. */
const MAX_HEADERS_MS = 10_000;
/** From the first byte to the end of the body. */
const MAX_REQUEST_MS = 20_000;
/** How long an open connection may wait for its next request. Longer than the usual minute of load balancers, so that they close first. */
const MAX_IDLE_MS = 72_000;
/** How long a connection on which an answer is due may be silent, beyond the time that the answer itself may take. */
const MAX_UNREAD_MS = 30_000;
const CHECK_EVERY_MS = 1_000;

/** Options of the server that end requests which never do, and answers that nobody reads. */
export function connectionTimes(maxAnswerMs: number) {
  return {
    requestTimeout: MAX_REQUEST_MS,
    keepAliveTimeout: MAX_IDLE_MS,
    connectionTimeout: maxAnswerMs + MAX_UNREAD_MS,
    http: {
      headersTimeout: MAX_HEADERS_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      // Without a Host we refuse in the shape of the contract; Node would close without a word.
      requireHostHeader: false,
      // Requests without a body come with one that has ended: otherwise Node waits for the end of each after its answer.
      optimizeEmptyRequests: true,
    },
  } as const;
}

/** `take` gets every request before those who listen already; they get the ones that it leaves to them. */
export function interceptRequests(
  server: Server,
  take: (request: IncomingMessage, response: ServerResponse<IncomingMessage>) => boolean,
): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (take(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}
