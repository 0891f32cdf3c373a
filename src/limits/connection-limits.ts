import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { subscriberOf } from '../parsing/ip-address.ts';

/** Protects every HTTP server of the process against slow, half-open, greedy and too many connections, and against broken HTTP. */
export type LimitedServer = {
  readonly server: Server;
  /** The gate, or a sign-in, has approved a request of this connection. */
  approved(socket: Socket): void;
  /** Resolves with the origin. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Resolves when all connections are closed. */
  close(): Promise<void>;
};

/** Starts to answer a request. `leave` is called if the connection closes before the answer is sent. */
export type ServeRequest = (
  request: IncomingMessage,
  response: ServerResponse,
) => { leave(): void } | undefined;

type BrokenHttp = Error & { readonly code?: string };

export type AnswerToBrokenHttp = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Uint8Array;
};

export type ConnectionRules = {
  readonly maxConnections: number;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly serve: ServeRequest;
  /** There is no request to refer to, but the answer has the format of the transport. Node answers if this is left out. */
  readonly answerBroken?: (error: BrokenHttp, socket: Socket) => Promise<AnswerToBrokenHttp>;
};

/** From the first byte or the connection to the end of the headers. */
const MAX_HEADERS_MS = 10_000;
/** From the first byte to the end of the body. */
const MAX_REQUEST_MS = 20_000;
/** How long an open connection waits for its next request: longer than the usual minute of load balancers, so that they close first. */
const MAX_IDLE_MS = 72_000;
/** How long a connection that awaits an answer may be silent, beyond the time limit of the answer. */
const MAX_UNREAD_MS = 30_000;

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
const MAX_GREEDY = 1000;
const HEAD_END = '\r\n\r\n';
/** Far more than the requests of an honest chunk, or the blank lines of a body. */
const MAX_HEADS_IN_CHUNK = 64;
/** Closing while the client still sends would make the system discard the answer. */
const LINGER_MS = 2_000;
/** Before the first probe of a half-closed connection: long enough for the other side to reset it. Doubled from one probe to the next. */
const FIRST_PAUSE_MS = 100;
/** A comment line, which readers of an event stream skip. */
const COMMENT = ':\n\n';

export function createLimitedServer({
  maxAnswerMs,
  options = {},
  ...rules
}: ConnectionRules & {
  /** The longest wait for an answer. */
  readonly maxAnswerMs: number;
  readonly options?: ServerOptions;
}): LimitedServer {
  const server = createServer({
    headersTimeout: MAX_HEADERS_MS,
    requestTimeout: MAX_REQUEST_MS,
    keepAliveTimeout: MAX_IDLE_MS,
    connectionsCheckingInterval: 1_000,
    // Requests without a Host are refused in the format of the transport; Node would close silently.
    requireHostHeader: false,
    // Gives requests without a body an ended one: otherwise Node waits for its end after each answer.
    optimizeEmptyRequests: true,
    ...options,
  });
  server.timeout = maxAnswerMs + MAX_UNREAD_MS;
  const { approved } = limitConnections(server, rules);
  return {
    server,
    approved,
    listen: (address) =>
      new Promise((resolve, reject) => {
        const host = address.host === 'localhost' ? '127.0.0.1' : address.host;
        server.once('error', reject);
        server.listen({ ...address, host }, () => {
          server.off('error', reject);
          resolve(originOf(server));
        });
      }),
    close: () => new Promise((resolve) => (server.listening ? server.close(() => resolve()) : resolve())),
  };
}

function originOf(server: Server): string {
  const at = server.address();
  if (at === null || typeof at === 'string') throw new TypeError('the server has no port');
  const { address, family, port } = at;
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

type CallerConnection = {
  readonly socket: Socket;
  readonly subscriber: string;
  readonly openedAt: number;
  /** In the order of the answers. */
  readonly unanswered: Map<ServerResponse, ReturnType<ServeRequest>>;
  isApproved: boolean;
  /** Grows with every request of the server: the smallest one marks the longest idle connection. */
  lastUse: number;
  /** The answer to the latest request, until the request is received and answered. */
  latest: ServerResponse | null;
};

/**
 * Shares the connections that the process can afford. A connection is new until a request on it was approved. New connections have few
 * places of their own, so that strangers never displace an approved caller. The next new connection, such as a health check or an
 * assistant, always gets a place: it replaces the oldest connection of the address that holds most, preferring those that wait for
 * their client.
 */
export function limitConnections(
  server: Server,
  { maxConnections, clock, serve, answerBroken }: ConnectionRules,
): Pick<LimitedServer, 'approved'> {
  const maxNewcomers = Math.max(1, Math.min(MAX_NEWCOMERS, Math.floor(maxConnections * NEWCOMERS_SHARE)));
  const maxApproved = Math.max(1, maxConnections - maxNewcomers);
  const connections = new Map<Socket, CallerConnection>();
  /** Both in order of arrival. */
  const newcomers = new Map<string, Set<CallerConnection>>();
  const approved = new Set<CallerConnection>();
  /** Addresses with too many unanswered requests. A listener to what they send costs others a tenth of a request. */
  const greedy = new LRUCache<string, true>({ max: MAX_GREEDY });
  let newcomerCount = 0;
  let uses = 0;
  let cancelSweep: (() => void) | null = null;

  // Otherwise Node closes a half-closed connection, and its client gets no answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => {
    const connection: CallerConnection = {
      socket,
      subscriber: subscriberOf(socket.remoteAddress ?? ''),
      openedAt: clock.elapsed(),
      unanswered: new Map(),
      isApproved: false,
      lastUse: 0,
      latest: null,
    };
    connections.set(socket, connection);
    if (greedy.has(connection.subscriber)) socket.prependListener('data', limitHeads);
    socket.once('end', () => probeHalfClosed(connection, FIRST_PAUSE_MS));
    socket.once('close', () => forget(connection));
    if (approved.size + newcomerCount >= maxConnections) close(oldestOfLargest());
    else if (newcomerCount >= maxNewcomers) closeOneTooMany();
    addNewcomer(connection);
    cancelSweep ??= clock.after(SWEEP_MS, sweep);
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    // The rest of the chunk with the request that closed the connection.
    if (socket.destroyed) return;
    response.on('error', ignore);
    const connection = connections.get(socket);
    // Tests inject requests that have no connection.
    if (!connection) return void serve(request, response);
    if (connection.unanswered.size >= MAX_UNANSWERED) {
      greedy.set(connection.subscriber, true);
      return void socket.destroy();
    }
    connection.latest = response;
    response.on('close', answered);
    connection.unanswered.set(response, serve(request, response));
  });
  // Ignore an unknown expectation, as HTTP allows: Node's own answer would not follow the contract.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', answerConnect);
  if (answerBroken) {
    server.on('clientError', (error: BrokenHttp, socket: Socket) => {
      const connection = connections.get(socket);
      // A connection without a request gets no answer: the client could take it for the answer to its next request.
      const isIdle = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && !isInUse(socket);
      if (error.code === 'ECONNRESET' || isIdle || (connection && !mayAnswer(connection))) socket.destroy();
      else sendBroken(answerBroken(error, socket), socket).catch(() => socket.destroy());
    });
  }
  server.on('close', () => {
    cancelSweep?.();
    cancelSweep = null;
  });

  return {
    approved(socket) {
      const connection = connections.get(socket);
      if (!connection || connection.isApproved || socket.destroyed) return;
      // If every place is busy it stays new, and its request is still served.
      if (approved.size >= maxApproved && !closeLongestIdle()) return;
      removeNewcomer(connection);
      connection.isApproved = true;
      approved.add(connection);
    },
  };

  function isInUse(socket: Socket): boolean {
    return (connections.get(socket)?.unanswered.size ?? 0) > 0;
  }

  function answered(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (!connection) return;
    uses += 1;
    connection.lastUse = uses;
    connection.unanswered.get(this)?.leave();
    connection.unanswered.delete(this);
    if (this.req.complete && connection.latest === this) connection.latest = null;
  }

  function forget(connection: CallerConnection): void {
    connections.delete(connection.socket);
    approved.delete(connection);
    removeNewcomer(connection);
    for (const client of connection.unanswered.values()) client?.leave();
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
      const found = ofSubscriber.values().find(mayGo);
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
      const isIdle = connection.unanswered.size === 0;
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
        if (connection.unanswered.size === 0) close(connection);
      }
    }
    while (newcomerCount > maxNewcomers && closeOneTooMany());
    cancelSweep = newcomerCount > 0 ? clock.after(SWEEP_MS, sweep) : null;
  }

  /**
   * A client that has sent everything and one that has hung up look alike: both end their side of the connection. Sending something
   * distinguishes them, because the connection of a client that has gone refuses it. Before an answer, HTTP allows an interim response;
   * HTTP/1.0 has none, so its clients count as gone. An event stream is probed between its events.
   */
  function probeHalfClosed(connection: CallerConnection, pauseMs: number): void {
    const { socket, unanswered } = connection;
    // Only the first answer can be written to.
    const [response] = unanswered.keys();
    if (socket.destroyed || !response) return;
    const isStream = response.getHeader('content-type') === 'text/event-stream';
    if (response.headersSent && !isStream) return;
    if (response.req.httpVersionMinor === 0) return void socket.destroy();
    if (isStream) response.write(COMMENT);
    else response.writeContinue();
    const cancel = clock.after(pauseMs, () => {
      socket.removeListener('close', cancel);
      probeHalfClosed(connection, pauseMs * 2);
    });
    socket.once('close', cancel);
  }

  /**
   * Treats CONNECT, which asks for a tunnel, like any other request: it is answered and logged, and no tunnel is opened. By default
   * Node closes the connection without an answer. Node hands the bare socket over, so this function has to close it.
   */
  function answerConnect(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    // An unfinished answer would have to go first, and no honest client asks for a tunnel behind it.
    if (isInUse(socket)) return void socket.destroy();
    // Discard what follows: it is meant for the other end of the tunnel.
    socket.resume();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    server.emit('request', request, response);
    response.once('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
      socket.end();
      linger(socket);
    });
  }

  function linger(socket: Socket): void {
    socket.once(
      'close',
      clock.after(LINGER_MS, () => socket.destroy()),
    );
  }

  /** Always closes the connection: a client that never closes its own side would otherwise hold it. */
  async function sendBroken(answering: Promise<AnswerToBrokenHttp>, socket: Socket): Promise<void> {
    const { status, headers, body } = await answering;
    if (!socket.writable) return void socket.destroy();
    const all = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    linger(socket);
  }
}

/** Whether the server is at work: not while the client still has to send a request or read an answer. */
function isWorkedOn({ latest }: CallerConnection): boolean {
  return latest?.req.complete === true && !latest.writableEnded;
}

/** Whether unreadable bytes may be answered: not if the client would take the answer for that to another request. */
function mayAnswer({ latest, unanswered }: CallerConnection): boolean {
  if (!latest) return unanswered.size === 0;
  return latest.req.complete ? unanswered.size === 0 : unanswered.size === 1 && !latest.headersSent;
}

/**
 * Node parses all requests of a chunk in one turn, thousands in 64 KB, also after their connection was closed. Zeros in place of the
 * rest end that: the parser stops at the first, and the connection is closed for broken HTTP.
 */
function limitHeads(chunk: Buffer): void {
  let heads = 0;
  for (let at = chunk.indexOf(HEAD_END); at !== -1; at = chunk.indexOf(HEAD_END, at + HEAD_END.length)) {
    heads += 1;
    if (heads === MAX_HEADS_IN_CHUNK) return void chunk.fill(0, at + HEAD_END.length);
  }
}

/** For a connection that breaks while an answer is written: its `close` event reports the same. */
function ignore(): void {}
