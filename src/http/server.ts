import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { AccessGate } from '../access/access-gate.ts';
import {
  type AccessDecision,
  type AddressedToUs,
  type ClientAddress,
  type ConnectionFacts,
  refusedForHost,
} from '../access/caller-facts.ts';
import { ACCEPT_SIGNATURE } from '../access/web-bot-auth/signature-rules.ts';
import { type Clock, timeOn } from '../clock.ts';
import { CLIENT_GONE, type ErrorEndpoint, REQUEST_FAULTS } from '../contract/errors.ts';
import type { Answer } from '../contract/exchange.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { BODY_LIMIT_BYTES } from '../contract/vocabulary.ts';
import { createLimitedServer, type LimitedServer } from '../limits/connection-limits.ts';
import { ClientGone } from '../limits/deadline.ts';
import type { Random } from '../random.ts';
import type { MountedTransport } from '../requests/mounted-transport.ts';
import type { FinishedRequest, RequestObserver } from '../requests/request-observer.ts';
import type { ServeOperation } from '../requests/serve-operation.ts';
import type { Links } from '../search/answers/links.ts';
import {
  accessDenied,
  authRequest,
  type EndpointCall,
  nextRequestAt,
  problemAnswer,
} from '../search/answers/problem-answer.ts';
import { readKey } from '../sessions/idempotency.ts';
import type { CountedCaller, RateReading, RequestLimits } from '../sessions/rate-windows.ts';
import { isSessionToken } from '../sessions/session-token.ts';
import { IncomingRequest, rawPath, readBody } from './incoming-request.ts';
import {
  DISCOVERY_PATHS,
  HEALTH_PATHS,
  methodsOfPage,
  type PublicPage,
  pageResponse,
} from './public-pages.ts';
import { keysOf, readRequest, sessionOf, viewOf } from './read-request.ts';
import { createServeMessage, receivedMessage, writeStream } from './serve-mounted.ts';
import {
  chooseEncoding,
  createCompressBody,
  encodedResponse,
  type HttpResponse,
  type ResponseContext,
  responseTo,
  standardHeaders,
  writeResponse,
} from './write-response.ts';

export type AppDependencies = {
  readonly gate: AccessGate;
  readonly addressedToUs: AddressedToUs;
  readonly clientAddress: (facts: ConnectionFacts) => Pick<ClientAddress, 'text'>;
  readonly serveOperation: ServeOperation;
  readonly publicPages: readonly PublicPage[];
  /** Only for approved assistants, as everything under `/ai/`. */
  readonly mountedTransports: readonly MountedTransport[];
  readonly links: Links;
  readonly requestLimits: RequestLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: RequestObserver;
  readonly maxConnections: number;
  /** The longest wait for an answer; a connection may be silent for longer than that only. */
  readonly maxAnswerMs: number;
};

export type App = {
  readonly server: Server;
  /** Every path, with its methods. */
  readonly routes: ReadonlyMap<string, { readonly methods: readonly string[] }>;
  readonly listen: LimitedServer['listen'];
  /** Answers the requests that have come, and resolves when all connections are closed. */
  close(): Promise<void>;
};

type Route = { readonly path: string; readonly methods: readonly string[] } & (
  | { readonly kind: 'operation'; readonly name: OperationName }
  | { readonly kind: 'page'; readonly page: PublicPage }
  | { readonly kind: 'transport'; readonly transport: MountedTransport }
);

type AppRequest = IncomingRequest<Route>;

const AGENT_ONLY_PREFIX = '/ai/';
const ENTRY_PATH = '/';
const BODY = { type: 'application/json', maxBytes: BODY_LIMIT_BYTES };

/** The one way of every request over HTTP. Does not listen: `main` does, and tests inject requests. */
export function buildApp(deps: AppDependencies): App {
  const help = deps.links.at(DISCOVERY_PATHS.guide);
  const routes = new Map(routesOf(deps).map((route) => [route.path, route]));
  const compress = createCompressBody();
  const serveMessage = createServeMessage(deps);
  let closing = false;
  let turn: Promise<void> | null = null;
  const { server, approved, listen, close } = createLimitedServer({ ...deps, serve: begin, answerBroken });

  return {
    server,
    routes,
    listen,
    close() {
      closing = true;
      return close();
    },
  };

  function begin(raw: IncomingMessage, response: ServerResponse): { leave(): void } {
    const request: AppRequest = new IncomingRequest(raw, response, newRequestId(), deps.clock.elapsed());
    const route = request.path === null ? undefined : routes.get(request.path);
    if (route?.methods.includes(request.method)) request.route = route;
    let isOver = false;
    response.on('finish', () => {
      if (!isOver) observeFinished(request, response.statusCode);
      isOver = true;
    });
    serve(request).catch((fault: unknown) => {
      // Not even an error can be sent.
      deps.observe.fault(fault, request.id);
      raw.socket.destroy();
    });
    return {
      leave() {
        if (isOver) return;
        isOver = true;
        request.leave();
        observeFinished(request, CLIENT_GONE);
      },
    };
  }

  async function serve(request: AppRequest): Promise<void> {
    try {
      // All requests of a turn of the event loop run stage by stage, each stage while its code is warm: 30 to 44 % less processor time.
      turn ??= setImmediate();
      await turn;
      turn = null;
      const access = await accessTo(request);
      if (request.isGone) return;
      request.access = access;
      if (access?.kind === 'refused') return await refuse(request, access);
      if (access) approved(request.raw.socket);
      const { raw, route } = request;
      // Until its body has come, an approved request counts for the operation of its address.
      if (access && route?.kind === 'operation') request.operation = route.name;
      // A path that cannot be decoded has no method that takes a body.
      if (request.path !== null) request.body = await readBody(request, BODY);
      if (access && route?.kind === 'operation') {
        const answer = await deps.serveOperation(readRequest(route.name, request, access));
        request.error = answer.error;
        request.replayed = answer.replayed;
        const encoding = chooseEncoding(raw.headers['accept-encoding']);
        const preferences = { ifNoneMatch: raw.headers['if-none-match'], encoding };
        const response = responseTo(answer, OPERATIONS[route.name].endpoint, preferences);
        const sent = encoding === null ? response : await encodedResponse(response, encoding, compress);
        const context = { requestId: request.id, rate: answer.rate, key: answer.key };
        if (!request.isGone) writeResponse(request.response, sent, context, closing);
      } else if (access && route?.kind === 'transport') await serveMounted(request, route.transport, access);
      else if (route?.kind === 'page' && !isFault(request.body)) await servePage(request, route.page);
      else await answerUnrouted(request);
    } catch (fault) {
      // A body that broke off with its connection is not a fault.
      if (!(fault instanceof ClientGone) && !request.isGone) await answerFault(request, fault);
    }
  }

  /** Null for public pages. */
  function accessTo({
    raw,
    route,
    url,
    method,
  }: AppRequest): Promise<AccessDecision> | AccessDecision | null {
    // The matched route decides, not the raw address: /%61i/v1 needs access as well.
    const path = route?.path ?? rawPath(url);
    if (HEALTH_PATHS.includes(path)) return null;
    const peerAddress = raw.socket.remoteAddress ?? '';
    if (!deps.addressedToUs(raw)) return refusedForHost(peerAddress);
    if (!path.startsWith(AGENT_ONLY_PREFIX) && routes.get(path)?.kind !== 'transport') return null;
    return deps.gate({ peerAddress, method, target: url, headers: raw.headers });
  }

  async function servePage(request: AppRequest, page: PublicPage): Promise<void> {
    const { method, query, raw } = request;
    const { accept, 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = raw.headers;
    const encoding = chooseEncoding(acceptEncoding);
    const response = pageResponse(page, { method, accept, query, ifNoneMatch, encoding });
    await send(request, response, { operation: page.path === ENTRY_PATH ? 'entry' : 'other' });
  }

  async function serveMounted(
    request: AppRequest,
    transport: MountedTransport,
    access: AccessDecision & { kind: 'approved' },
  ): Promise<void> {
    const { raw } = request;
    request.operation = transport.name;
    const received = receivedMessage(request, access, transport.path);
    if (received.kind === 'invalid') {
      const { code, ...details } = REQUEST_FAULTS[received.faults[0] ?? 'invalid_request'];
      return sendProblem(request, problemAnswer(code, callAt(request), details), 'any', {
        operation: transport.name,
      });
    }
    request.tools = transport.toolsIn(received.value.message);
    const served = await serveMessage(transport, received.value);
    if (served.kind === 'limited') {
      return sendProblem(request, rateLimited(callAt(request), served), 'any', { operation: transport.name });
    }
    const { key } = received.value;
    const context: ResponseContext = { requestId: request.id, rate: served.rate, key };
    if (served.kind === 'stream') {
      await writeStream(request.response, served.response, standardHeaders(context), () => {
        request.error = served.error();
      });
      return served.ended();
    }
    request.error = served.error;
    const encoding = chooseEncoding(raw.headers['accept-encoding']);
    const { response } = served;
    write(
      request,
      encoding === null ? response : await encodedResponse(response, encoding, compress),
      context,
    );
  }

  async function answerFault(request: AppRequest, fault: unknown): Promise<void> {
    deps.observe.fault(fault, request.id);
    const call = callAt(request);
    return sendProblem(request, problemAnswer('internal_error', call), call.endpoint, {
      operation: operationOf(request.route),
    });
  }

  async function answerBroken(_error: Error, { remoteAddress = '' }: IncomingMessage['socket']) {
    const rate = await countRequest({ assistant: null, address: remoteAddress });
    const call = { endpoint: 'any', path: '/', method: '' } as const;
    const answer = rate.allowed ? problemAnswer('invalid_request', call) : rateLimited(call, rate);
    const { status, body, headers } = responseTo(answer, call.endpoint);
    const context = { requestId: newRequestId(), rate, key: null };
    return { status, headers: { ...standardHeaders(context), ...headers }, body };
  }

  /** Does not reveal whether the address or a session exists. */
  async function refuse(request: AppRequest, { reason }: AccessDecision & { kind: 'refused' }) {
    const call = callAt(request);
    const answer = accessDenied(call, help, reason === 'end_user_access');
    return sendProblem(request, answer, call.endpoint, {
      headers: { 'accept-signature': ACCEPT_SIGNATURE, link: `<${help}>; rel="help"` },
    });
  }

  async function answerUnrouted(request: AppRequest): Promise<void> {
    const call = callAt(request);
    const { method } = request;
    const path = rawPath(request.url);
    const route = routes.get(path);
    const form = { method, view: viewOf(request) };
    if (!route) {
      const next_request = path.startsWith(AGENT_ONLY_PREFIX)
        ? authRequest(deps.links, null, form)
        : readPage(ENTRY_PATH);
      return sendProblem(request, problemAnswer('not_found', call, { next_request }), call.endpoint, {});
    }
    const { methods } = route;
    const answer = problemAnswer('method_not_allowed', call, {
      allowed_methods: [...methods],
      next_request:
        route.kind === 'operation'
          ? nextRequestAt(route.name, { token: tokenIn(request), source: null, form }, deps.links)
          : readPage(route.kind === 'page' ? path : ENTRY_PATH),
    });
    return sendProblem(request, answer, call.endpoint, { headers: { allow: methods.join(', ') } });
  }

  function readPage(path: string) {
    return { url: deps.links.at(path), method: 'GET' };
  }

  /** Shortens an unknown address to the part that belongs to the interface, because the caller chose the rest of the text. */
  function callAt({ url, method }: AppRequest) {
    const path = rawPath(url);
    const route = routes.get(path);
    if (route?.kind === 'operation')
      return { endpoint: OPERATIONS[route.name].endpoint, path, method } as const;
    const known = route?.kind === 'transport' ? path : ENTRY_PATH;
    return {
      endpoint: 'any',
      path: path.startsWith(AGENT_ONLY_PREFIX) ? AGENT_ONLY_PREFIX : known,
      method,
    } as const;
  }

  function sendProblem(
    request: AppRequest,
    answer: Answer,
    endpoint: ErrorEndpoint,
    { headers = {}, operation = 'other' as FinishedRequest['operation'] },
  ): Promise<void> {
    const response = responseTo(answer, endpoint);
    return send(
      request,
      { ...response, headers: { ...response.headers, ...headers } },
      { operation, error: answer.error },
    );
  }

  /** For requests that are not operations. All but health checks count for the caller's address, which limits unapproved callers. */
  async function send(
    request: AppRequest,
    response: HttpResponse,
    outcome: Partial<Pick<AppRequest, 'operation' | 'error'>>,
  ): Promise<void> {
    Object.assign(request, outcome);
    const { access, raw } = request;
    const isHealthCheck = HEALTH_PATHS.includes(request.route?.path ?? '');
    const { requestLimits, clock } = deps;
    const assistant = access?.kind === 'approved' ? access.assistant : null;
    const peer = { peerAddress: raw.socket.remoteAddress ?? '', headers: raw.headers };
    const caller = { assistant, address: access?.address ?? deps.clientAddress(peer).text };
    const rate = await (isHealthCheck ? requestLimits.peek(caller, timeOn(clock)) : countRequest(caller));
    const isLimited = !rate.allowed && assistant === null && !isHealthCheck;
    if (isLimited) request.error = 'rate_limited';
    const answer = isLimited ? responseTo(rateLimited(callAt(request), rate), 'any') : response;
    const key = readKey(keysOf(request));
    const encoding = chooseEncoding(raw.headers['accept-encoding']);
    const sent = encoding === null ? answer : await encodedResponse(answer, encoding, compress);
    write(request, sent, { requestId: request.id, rate, key: key.kind === 'valid' ? key.value : null });
  }

  function write(request: AppRequest, response: HttpResponse, context: ResponseContext): void {
    if (!request.isGone) writeResponse(request.response, response, context, closing);
  }

  function countRequest(caller: CountedCaller): Promise<RateReading> {
    return deps.requestLimits.count(caller, null, timeOn(deps.clock));
  }

  function observeFinished(request: AppRequest, status: number): void {
    const { access, route, url } = request;
    const path = route?.path ?? rawPath(url);
    // The caller chose the text of an unknown path, which may contain a token.
    const known = routes.has(path)
      ? path
      : path.startsWith(AGENT_ONLY_PREFIX)
        ? `${AGENT_ONLY_PREFIX}*`
        : '*';
    deps.observe.finished({
      requestId: request.id,
      method: request.method,
      path: known,
      status,
      assistant: access?.kind === 'approved' ? access.assistant : null,
      operation: request.operation,
      error: request.isGone ? 'abandoned' : request.error,
      replayed: request.replayed,
      access,
      tools: request.tools,
      durationMs: deps.clock.elapsed() - request.startedAt,
    });
  }

  /** In base64url, 12 bytes are exactly 16 characters, so that identifiers share no bits. */
  function newRequestId(): string {
    return `req_${deps.random.bytes(12).toString('base64url')}`;
  }
}

function routesOf({ publicPages, mountedTransports }: AppDependencies): readonly Route[] {
  return [
    ...(Object.keys(OPERATIONS) as OperationName[]).map((name): Route => {
      const { path, methods } = OPERATIONS[name];
      // HEAD is allowed where GET is the only method, because then GET changes nothing.
      const isReadOnly = methods.length === 1 && methods[0] === 'GET';
      return { kind: 'operation', name, path, methods: isReadOnly ? ['GET', 'HEAD'] : methods };
    }),
    ...publicPages.map(
      (page): Route => ({ kind: 'page', page, path: page.path, methods: methodsOfPage(page) }),
    ),
    ...mountedTransports.map(
      (transport): Route => ({ kind: 'transport', transport, path: transport.path, methods: ['POST'] }),
    ),
  ];
}

function operationOf(route: Route | null): FinishedRequest['operation'] {
  if (route?.kind === 'operation') return route.name;
  return route?.kind === 'transport' ? route.transport.name : 'other';
}

function isFault(body: AppRequest['body']): boolean {
  return body === 'too_large' || body === 'invalid_type';
}

function tokenIn(request: AppRequest): string | null {
  const token = sessionOf(request);
  return token !== undefined && isSessionToken(token) ? token : null;
}

/** 429 at the address of the search too: only approved callers get its errors with status 200. */
function rateLimited(call: EndpointCall, { retryAfterSeconds }: { retryAfterSeconds: number }): Answer {
  const details = { retry_after_seconds: retryAfterSeconds };
  return problemAnswer('rate_limited', { ...call, endpoint: 'any' }, details);
}
