import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { subscriberOf } from '../parsing/ip-address.ts';

/**
 * Shares the connections that the process can afford. A connection is new until the gate has approved a request on it. New connections
 * have few places of their own, so that strangers never displace an approved caller. The next new connection, such as a health check or
 * an assistant, always gets a place: it replaces the oldest connection of the address that holds most, preferring those that wait for
 * their client.
 */
export type ConnectionPlaces = {
  approved(socket: Socket): void;
  /** Whether unreadable bytes may be answered: not if the client would take the answer for that to another request. */
  mayAnswer(socket: Socket): boolean;
  /** Whether a request is being received or answered. */
  isInUse(socket: Socket): boolean;
};

const MAX_NEWCOMERS = 256;
/** The share of all places for new connections, if it is smaller than that. */
const NEWCOMERS_SHARE = 0.25;
/**
 * How long a new connection holds its place even when there are too many, while any place is free: an assistant's platform may open
 * hundreds of connections in one moment, before their first request is read.
 */
const MIN_NEWCOMER_AGE_MS = 1_000;
/** Long enough for a request with a slow body, and for the next check of a load balancer. */
const MAX_NEWCOMER_AGE_MS = 30_000;
const SWEEP_MS = 5_000;
/** Per connection. Assistants do not pipeline; proxies that do send a few. */
const MAX_UNANSWERED = 8;

// A member of the socket: a map lookup at every request would cost more.
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
  /** Grows with every request of the server: the smallest one marks the longest idle connection. */
  lastUse: number;
  /** The answer to the latest request, until the request is received and answered. */
  latest: ServerResponse<IncomingMessage> | null;
};

/** Whether the server is at work: not while the client still has to send a request or read an answer. */
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
  /** Both in order of arrival. */
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
  // The others get only requests that are processed.
  interceptRequests(server, (request, response) => {
    const connection = connectionOf(request.socket);
    return connection !== undefined && !takes(connection, response);
  });
  // Ignore an unknown expectation, as HTTP allows: Node's own answer would not follow the contract.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('close', () => {
    cancelSweep?.();
    cancelSweep = null;
  });

  return {
    approved(socket) {
      const connection = connectionOf(socket);
      if (!connection || connection.isApproved || connection.socket.destroyed) return;
      // If every place is busy it stays new, and its request is still served.
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
   * Node parses all requests of a chunk in one turn, hundreds in 64 KB, and serves no other connection meanwhile. Close any connection
   * with more than a few unanswered requests.
   */
  function takes(connection: CallerConnection, response: ServerResponse<IncomingMessage>): boolean {
    // Requests of the same chunk as the one that closed the connection are not processed either.
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

  /** Evicts idle connections first: a busy one may be the owner's, among those of a stranger on the same address. */
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

  /** False when the candidates for eviction arrived only a moment ago. */
  function closeOneTooMany(): boolean {
    const oldest = oldestOfLargest();
    if (!oldest || clock.elapsed() - oldest.openedAt < MIN_NEWCOMER_AGE_MS) return false;
    close(oldest);
    return true;
  }

  function close(newcomer: CallerConnection | undefined): void {
    if (!newcomer) return;
    // Now, because the socket reports its end only later.
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
 * Destroying a socket does not stop the parser: it would create requests and responses from the rest of the chunk, and 3,600 of them
 * hold the event loop for a tenth of a second and more. There is no documented way to stop it. Its hook can report that the rest is not
 * HTTP; in a version of Node without the hook, the parser continues to the end of the chunk.
 */
function stopParserWithSocket(socket: ParsedSocket): void {
  const { parser } = socket;
  const read = parser?.onIncoming;
  if (!parser || !read) return;
  parser.onIncoming = (request, isKeptAlive) =>
    socket.destroyed ? NO_HTTP_FOLLOWS : read(request, isKeptAlive);
}

/** From the first byte or the connection to the end of the headers. */
const MAX_HEADERS_MS = 10_000;
/** From the first byte to the end of the body. */
const MAX_REQUEST_MS = 20_000;
/** How long an open connection waits for its next request: longer than the usual minute of load balancers, so that they close first. */
const MAX_IDLE_MS = 72_000;
/** How long a connection that awaits an answer may be silent, beyond the time limit of the answer. */
const MAX_UNREAD_MS = 30_000;
const CHECK_EVERY_MS = 1_000;

/** Server options that end requests that never finish, and answers that the client never reads. */
export function connectionTimes(maxAnswerMs: number) {
  return {
    requestTimeout: MAX_REQUEST_MS,
    keepAliveTimeout: MAX_IDLE_MS,
    connectionTimeout: maxAnswerMs + MAX_UNREAD_MS,
    http: {
      headersTimeout: MAX_HEADERS_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      // Requests without a Host are refused in the format of the contract; Node would close silently.
      requireHostHeader: false,
      // Gives requests without a body an ended one: otherwise Node waits for its end after each answer.
      optimizeEmptyRequests: true,
    },
  } as const;
}

/** `take` gets every request before the existing listeners; they get those that it does not take. */
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
