import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
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

/** Per connection. Assistants do not pipeline; proxies that do send a few. */
const MAX_UNANSWERED = 8;
/** The share of all places that approved callers leave to others, so that a new caller or a health check always gets in. */
const NEWCOMERS_SHARE = 0.25;
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
  /** In the order of the answers. */
  readonly unanswered: Map<ServerResponse, ReturnType<ServeRequest>>;
  isApproved: boolean;
  /** The answer to the latest request, until the request is received and answered. */
  latest: ServerResponse | null;
};

/**
 * Shares the connections that the process can afford. Strangers never displace an approved caller: where all places are taken, the
 * next connection replaces one on which no request was approved yet, of the address that has most of these.
 */
export function limitConnections(
  server: Server,
  { maxConnections, clock, serve, answerBroken }: ConnectionRules,
): Pick<LimitedServer, 'approved'> {
  const maxApproved = Math.max(1, maxConnections - Math.max(1, Math.floor(maxConnections * NEWCOMERS_SHARE)));
  /** Those that were used longest ago come first. */
  const connections = new Map<Socket, CallerConnection>();
  let approvedCount = 0;

  // Otherwise Node closes a half-closed connection, and its client gets no answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => {
    const connection: CallerConnection = {
      socket,
      subscriber: subscriberOf(socket.remoteAddress ?? ''),
      unanswered: new Map(),
      isApproved: false,
      latest: null,
    };
    socket.once('end', () => probeHalfClosed(connection, FIRST_PAUSE_MS));
    socket.once('close', () => forget(connection));
    if (connections.size >= maxConnections) close(newcomerToClose() ?? longestIdle());
    connections.set(socket, connection);
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    // The rest of the chunk with the request that closed the connection.
    if (socket.destroyed) return;
    response.on('error', ignore);
    const connection = connections.get(socket);
    // Tests inject requests that have no connection.
    if (!connection) return void serve(request, response);
    if (connection.unanswered.size >= MAX_UNANSWERED) return void socket.destroy();
    connection.latest = response;
    response.on('close', answered);
    connection.unanswered.set(response, serve(request, response));
  });
  // Ignore an unknown expectation, as HTTP allows: Node's own answer would not follow the contract.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  if (answerBroken) {
    server.on('clientError', (error: BrokenHttp, socket: Socket) => {
      const connection = connections.get(socket);
      // A connection without a request gets no answer: the client could take it for the answer to its next request.
      const isIdle = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && !connection?.unanswered.size;
      if (error.code === 'ECONNRESET' || isIdle || (connection && !mayAnswer(connection))) socket.destroy();
      else sendBroken(answerBroken(error, socket), socket).catch(() => socket.destroy());
    });
  }

  return {
    approved(socket) {
      const connection = connections.get(socket);
      if (!connection || connection.isApproved || socket.destroyed) return;
      if (approvedCount >= maxApproved) {
        const idle = longestIdle();
        // If every place is busy it stays new, and its request is still served.
        if (!idle) return;
        close(idle);
      }
      connection.isApproved = true;
      approvedCount += 1;
    },
  };

  function answered(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (!connection) return;
    connections.delete(connection.socket);
    connections.set(connection.socket, connection);
    connection.unanswered.get(this)?.leave();
    connection.unanswered.delete(this);
    if (this.req.complete && connection.latest === this) connection.latest = null;
  }

  function forget(connection: CallerConnection): void {
    if (connections.delete(connection.socket) && connection.isApproved) approvedCount -= 1;
    for (const client of connection.unanswered.values()) client?.leave();
  }

  /** Evicts idle connections first: a busy one may be the owner's, among those of a stranger on the same address. */
  function newcomerToClose(): CallerConnection | undefined {
    const newcomers = [...connections.values()].filter(({ isApproved }) => !isApproved);
    const counts = new Map<string, number>();
    for (const { subscriber } of newcomers) counts.set(subscriber, (counts.get(subscriber) ?? 0) + 1);
    const ofLargest = (candidates: readonly CallerConnection[]) => {
      const most = Math.max(...candidates.map(({ subscriber }) => counts.get(subscriber) ?? 0));
      return candidates.find(({ subscriber }) => counts.get(subscriber) === most);
    };
    return ofLargest(newcomers.filter((one) => !isWorkedOn(one))) ?? ofLargest(newcomers);
  }

  function longestIdle(): CallerConnection | undefined {
    return connections.values().find(({ isApproved, unanswered }) => isApproved && unanswered.size === 0);
  }

  function close(connection: CallerConnection | undefined): void {
    if (!connection) return;
    // Now, because the socket reports its end only later.
    forget(connection);
    connection.socket.destroy();
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

  /** Always closes the connection: a client that never closes its own side would otherwise hold it. */
  async function sendBroken(answering: Promise<AnswerToBrokenHttp>, socket: Socket): Promise<void> {
    const { status, headers, body } = await answering;
    if (!socket.writable) return void socket.destroy();
    const all = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    socket.once(
      'close',
      clock.after(LINGER_MS, () => socket.destroy()),
    );
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

/** For a connection that breaks while an answer is written: its `close` event reports the same. */
function ignore(): void {}
