import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AccessGate } from '../access/access-gate.ts';
import type { AddressedToUs } from '../access/addressed-to-us.ts';
import { type AccessDecision, type ConnectionFacts, refusedForHost } from '../access/caller-facts.ts';
import type { ClientAddress } from '../access/client-address.ts';
import { ACCEPT_SIGNATURE } from '../access/web-bot-auth/signature-rules.ts';
import { type Clock, timeOn } from '../clock.ts';
import type { ErrorEndpoint } from '../contract/errors.ts';
import { REQUEST_FAULTS } from '../contract/errors.ts';
import type { Answer } from '../contract/exchange.ts';
import { OPERATIONS, type OperationName, operationAt } from '../contract/operations.ts';
import { BODY_LIMIT_BYTES } from '../contract/vocabulary.ts';
import type { HttpResponse } from '../limits/broken-http.ts';
import { type AnswerToBrokenHttp, createAnswerBrokenHttp } from '../limits/broken-http.ts';
import { connectionTimes, interceptRequests, shareConnections } from '../limits/connection-limits.ts';
import { ClientGone } from '../limits/deadline.ts';
import type { Random } from '../random.ts';
import type { MountedTransport } from '../requests/mounted-transport.ts';
import type { FinishedRequest, RequestObserver } from '../requests/request-observer.ts';
import type { OperationAnswer, ServeOperation } from '../requests/serve-operation.ts';
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
import { answerConnect, type OpenRequest, trackOpenRequests } from './connections.ts';
import { chooseEncoding } from './content-negotiation.ts';
import type { IncomingRequest } from './incoming-request.ts';
import {
  createRequestIds,
  endOfTurn,
  type OrdinaryRequest,
  ordinaryRequest,
  readBody,
} from './incoming-request.ts';
import {
  DISCOVERY_PATHS,
  HEALTH_PATHS,
  methodsOfPage,
  type PublicPage,
  pageResponse,
} from './public-pages.ts';

import {
  headerOf,
  keysOf,
  methodsOf,
  pathOf,
  type RequestBody,
  readRequest,
  sessionOf,
  TOO_LARGE,
  UNREADABLE,
  UNSUPPORTED_MEDIA_TYPE,
  viewOf,
} from './read-request.ts';
import { createServeMessage, receivedMessage, writeStream } from './serve-mounted.ts';
import {
  createCompressBody,
  encodedResponse,
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

const AGENT_ONLY_PREFIX = '/ai/';
const ENTRY_PATH = '/';
const MOUNTED_METHODS = ['POST'] as const;
const BODY_FAULTS: Readonly<Record<string, RequestBody>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: UNSUPPORTED_MEDIA_TYPE,
  FST_ERR_CTP_BODY_TOO_LARGE: TOO_LARGE,
};

/** Does not listen: `main` does, and tests use `inject`. */
export function buildApp(deps: AppDependencies): FastifyInstance {
  const newRequestId = createRequestIds(deps.random);
  const help = deps.links.at(DISCOVERY_PATHS.guide);
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    ...connectionTimes(deps.maxAnswerMs),
    // While closing, requests on open connections are still answered as the contract says.
    return503OnClosing: false,
    clientErrorHandler: createAnswerBrokenHttp({
      answerTo: answerBroken,
      mayAnswer: (socket) => places.mayAnswer(socket),
      isInUse: (socket) => places.isInUse(socket),
      clock: deps.clock,
    }),
    // The hook below does not run for an address that cannot be decoded, because it has no route.
    frameworkErrors: (_error, request, reply) =>
      void answerUndecodable(openAt(request, reply)).catch((fault: unknown) => giveUp(request, fault)),
  });
  const openRequests = trackOpenRequests({
    server: app.server,
    clock: deps.clock,
    finished: (open, status) => deps.observe.finished(describeFinished(open, status)),
  });
  interceptRequests(app.server, takeOrdinary);
  const places = shareConnections(app.server, deps);
  answerConnect(app.server, { isInUse: places.isInUse, clock: deps.clock });
  const compress = createCompressBody();
  const serveMessage = createServeMessage(deps);
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });

  // Bodies are not parsed here: the answer to an unreadable body depends on the operation.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, raw, done) =>
    done(null, raw),
  );
  // Read only to see whether the body is empty: many clients send a content type with an empty body.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, raw, done) =>
    done(null, raw.length === 0 ? undefined : UNSUPPORTED_MEDIA_TYPE),
  );

  // Fastify waits for the end of a body with a type, even if it has ended already.
  app.addHook('preParsing', async (_request, _reply, body) =>
    'readableEnded' in body && body.readableEnded ? Readable.from([]) : body,
  );
  app.addHook('onRequest', async (request, reply) => {
    const open = openAt(request, reply);
    const access = await checkAccess(open);
    if (open.hasGone()) return open.takeOver();
    if (access?.kind === 'refused') return refuse(open, access);
  });

  for (const [name, operation] of Object.entries(OPERATIONS)) {
    app.route({
      method: [...methodsOf(operation)],
      url: operation.path,
      handler: (request, reply) => serve(name as OperationName, openAt(request, reply)),
    });
  }
  for (const page of deps.publicPages) {
    app.route({
      method: [...methodsOfPage(page)],
      url: page.path,
      handler: (request, reply) =>
        send(openAt(request, reply), pageResponse(page, pageRequestOf(request)), {
          operation: page.path === ENTRY_PATH ? 'entry' : 'other',
        }),
    });
  }

  for (const transport of deps.mountedTransports) {
    app.route({
      method: [...MOUNTED_METHODS],
      url: transport.path,
      handler: (request, reply) => serveMounted(transport, openAt(request, reply), null),
    });
  }

  app.setNotFoundHandler((request, reply) => answerUnrouted(openAt(request, reply)));

  // For errors before a handler runs, such as a body that is too large. Operations answer later errors.
  app.setErrorHandler(async (error: Error & { code?: string }, request, reply) => {
    const open = openAt(request, reply);
    // A body that broke off with its connection is not a fault.
    if (open.hasGone()) return open.takeOver();
    const name = operationAt(open.route);
    const transport = transportAt(open.route);
    if (!name && !transport) return answerUnrouted(open);
    if (error.code?.startsWith('FST_ERR_CTP_')) {
      return name
        ? serve(name, open, BODY_FAULTS[error.code] ?? UNREADABLE)
        : transport && serveMounted(transport, open, error.code);
    }
    return answerFault(open, error);
  });

  return app;

  function describeFinished(open: OpenRequest, status: number): FinishedRequest {
    const { request, access } = open;
    return {
      requestId: request.id,
      method: request.method,
      path: knownPath(open),
      status,
      assistant: access?.kind === 'approved' ? access.assistant : null,
      operation: open.operation,
      error: open.hasGone() ? 'abandoned' : open.error,
      replayed: open.replayed,
      access,
      tools: open.tools,
      durationMs: deps.clock.elapsed() - open.startedAt,
    };
  }

  /** False leaves the request to Fastify. While closing it gets all of them, because it closes their connections. */
  function takeOrdinary(raw: IncomingMessage, response: ServerResponse<IncomingMessage>): boolean {
    const request = closing ? null : ordinaryRequest(raw, newRequestId);
    if (request) void answerOrdinary(request, response).catch((fault: unknown) => giveUp(request, fault));
    return request !== null;
  }

  async function answerOrdinary(
    request: OrdinaryRequest,
    response: ServerResponse<IncomingMessage>,
  ): Promise<void> {
    const open = openRequests.begin(request, response, OPERATIONS[request.operation].path);
    try {
      await endOfTurn();
      const access = await checkAccess(open);
      if (open.hasGone()) return;
      if (access?.kind === 'refused') return await refuse(open, access);
      request.body = await readBody(request.raw);
      await serve(request.operation, open);
    } catch (fault) {
      // A body that broke off with its connection is not a fault.
      if (!open.hasGone()) await answerFault(open, fault);
    }
  }

  function openAt(request: FastifyRequest, reply: FastifyReply): OpenRequest {
    const known = openRequests.of(request);
    if (known) return known;
    const open = openRequests.begin(request, reply.raw, request.routeOptions.url);
    open.takeOver = () => void reply.hijack();
    return open;
  }

  /** For when not even an error can be sent. */
  function giveUp({ id, socket }: IncomingRequest, fault: unknown): void {
    deps.observe.fault(fault, id);
    socket.destroy();
  }

  async function answerFault(open: OpenRequest, fault: unknown): Promise<void> {
    const { request, route } = open;
    deps.observe.fault(fault, request.id);
    const call = callAt(request);
    const operation = operationAt(route) ?? transportAt(route)?.name ?? 'other';
    return sendProblem(open, problemAnswer('internal_error', call), call.endpoint, { operation });
  }

  async function checkAccess(open: OpenRequest): Promise<AccessDecision | null> {
    const access = await accessTo(open);
    open.access = access;
    // Until its body has come, an approved request counts for the operation of its address.
    if (access?.kind === 'approved') open.operation = operationAt(open.route) ?? 'other';
    return access;
  }

  /** Null for public pages. */
  async function accessTo({ request, route }: OpenRequest): Promise<AccessDecision | null> {
    // The matched route decides, not the raw address: /%61i/v1 needs access as well.
    const path = route ?? pathOf(request);
    if (HEALTH_PATHS.includes(path)) return null;
    const peerAddress = request.socket.remoteAddress ?? '';
    if (!deps.addressedToUs(request.raw)) return refusedForHost(peerAddress);
    if (!path.startsWith(AGENT_ONLY_PREFIX) && !transportAt(path)) return null;
    const decision = await deps.gate({
      peerAddress,
      method: request.method,
      target: request.raw.url ?? '',
      headers: request.headers,
    });
    if (decision.kind === 'approved') places.approved(request.socket);
    return decision;
  }

  async function answerBroken(_error: Error, { remoteAddress = '' }: Socket): Promise<AnswerToBrokenHttp> {
    const rate = await countRequest({ assistant: null, address: remoteAddress });
    const call = { endpoint: 'any', path: '/', method: '' } as const;
    const answer = rate.allowed ? problemAnswer('invalid_request', call) : rateLimited(call, rate);
    const { status, body, headers } = responseTo(answer, call.endpoint);
    const context = { requestId: newRequestId(), rate, key: null };
    return { status, headers: { ...standardHeaders(context), ...headers }, body };
  }

  async function answerUndecodable(open: OpenRequest): Promise<void> {
    const access = await checkAccess(open);
    if (access?.kind === 'refused') await refuse(open, access);
    else await answerUnrouted(open);
  }

  async function serve(name: OperationName, open: OpenRequest, body?: RequestBody) {
    const { request } = open;
    if (open.access?.kind !== 'approved') throw new Error('an operation needs an approved caller');
    let answer: OperationAnswer;
    try {
      answer = await deps.serveOperation(readRequest(name, request, open.access, body, open));
    } catch (fault) {
      if (fault instanceof ClientGone) return open.takeOver();
      throw fault;
    }
    const { rate, key } = answer;
    open.error = answer.error;
    open.replayed = answer.replayed;
    const encoding = chooseEncoding(headerOf(request, 'accept-encoding'));
    const ifNoneMatch = headerOf(request, 'if-none-match');
    const response = responseTo(answer, OPERATIONS[name].endpoint, { ifNoneMatch, encoding });
    const context = { requestId: request.id, rate, key };
    if (encoding === null) write(open, response, context);
    else write(open, await encodedResponse(response, encoding, compress), context);
  }

  async function serveMounted(transport: MountedTransport, open: OpenRequest, bodyFault: string | null) {
    const { request } = open;
    if (open.access?.kind !== 'approved') throw new Error('a door needs an approved caller');
    open.operation = transport.name;
    const received = receivedMessage(open, open.access, bodyFault);
    if (received.kind === 'invalid') {
      const { code, ...details } = REQUEST_FAULTS[received.faults[0] ?? 'invalid_request'];
      return sendProblem(open, problemAnswer(code, callAt(request), details), 'any', {
        operation: transport.name,
      });
    }
    open.tools = transport.toolsIn(received.value.message);
    const served = await serveMessage(transport, received.value);
    if (served.kind === 'limited') {
      return sendProblem(open, rateLimited(callAt(request), served), 'any', { operation: transport.name });
    }
    const { key } = received.value;
    const context: ResponseContext = { requestId: request.id, rate: served.rate, key };
    if (served.kind === 'stream') {
      open.takeOver();
      await writeStream(open.response, served.response, standardHeaders(context), () => {
        open.error = served.error();
      });
      return served.ended();
    }
    open.error = served.error;
    const encoding = chooseEncoding(headerOf(request, 'accept-encoding'));
    const { response } = served;
    write(open, encoding === null ? response : await encodedResponse(response, encoding, compress), context);
  }

  /** Shortens an unknown address to the part that belongs to the interface, because the caller chose the rest of the text. */
  function callAt(request: IncomingRequest) {
    const path = pathOf(request);
    const name = operationAt(path);
    if (name) return { endpoint: OPERATIONS[name].endpoint, path, method: request.method } as const;
    const known = path.startsWith(AGENT_ONLY_PREFIX)
      ? AGENT_ONLY_PREFIX
      : (transportAt(path)?.path ?? ENTRY_PATH);
    return { endpoint: 'any', path: known, method: request.method } as const;
  }

  function transportAt(path: string | undefined): MountedTransport | undefined {
    return deps.mountedTransports.find((transport) => transport.path === path);
  }

  /** Does not reveal whether the address or a session exists. */
  async function refuse(open: OpenRequest, { reason }: AccessDecision & { kind: 'refused' }) {
    const call = callAt(open.request);
    const answer = accessDenied(call, help, reason === 'end_user_access');
    return sendProblem(open, answer, call.endpoint, {
      headers: { 'accept-signature': ACCEPT_SIGNATURE, link: `<${help}>; rel="help"` },
    });
  }

  async function answerUnrouted(open: OpenRequest) {
    const { request } = open;
    const call = callAt(request);
    const path = pathOf(request);
    const name = operationAt(path);
    const page = deps.publicPages.find((one) => one.path === path);
    if (!name && !page && !transportAt(path)) {
      const next_request = path.startsWith(AGENT_ONLY_PREFIX)
        ? authRequest(deps.links, null, formOf(request))
        : readPage(ENTRY_PATH);
      return sendProblem(open, problemAnswer('not_found', call, { next_request }), call.endpoint, {});
    }
    const allowed = page ? methodsOfPage(page) : name ? methodsOf(OPERATIONS[name]) : MOUNTED_METHODS;
    const answer = problemAnswer('method_not_allowed', call, {
      allowed_methods: [...allowed],
      next_request: name
        ? nextRequestAt(name, sentTo(request), deps.links)
        : readPage(page ? path : ENTRY_PATH),
    });
    return sendProblem(open, answer, call.endpoint, { headers: { allow: allowed.join(', ') } });
  }

  /** For the log. Shortens an unknown address to the part that is ours, because the caller chose the rest, which may contain a token. */
  function knownPath({ request, route }: OpenRequest): string {
    if (route !== undefined) return route;
    const path = pathOf(request);
    if (operationAt(path) || transportAt(path) || deps.publicPages.some((page) => page.path === path))
      return path;
    return path.startsWith(AGENT_ONLY_PREFIX) ? `${AGENT_ONLY_PREFIX}*` : '*';
  }

  function readPage(path: string) {
    return { url: deps.links.at(path), method: 'GET' };
  }

  function sendProblem(
    open: OpenRequest,
    answer: Answer,
    endpoint: ErrorEndpoint,
    { headers = {}, operation = 'other' as FinishedRequest['operation'] },
  ) {
    const response = responseTo(answer, endpoint);
    return send(
      open,
      { ...response, headers: { ...response.headers, ...headers } },
      { operation, error: answer.error },
    );
  }

  /** For requests that are not operations. All but health checks count for the caller's address, which limits unapproved callers. */
  async function send(
    open: OpenRequest,
    response: HttpResponse,
    outcome: Partial<Pick<OpenRequest, 'operation' | 'error'>>,
  ) {
    Object.assign(open, outcome);
    const { request, access, route = '' } = open;
    const isHealthCheck = HEALTH_PATHS.includes(route);
    const { requestLimits, clock } = deps;
    const assistant = access?.kind === 'approved' ? access.assistant : null;
    const caller = { assistant, address: access?.address ?? addressOf(request) };
    const rate = await (isHealthCheck ? requestLimits.peek(caller, timeOn(clock)) : countRequest(caller));
    const isLimited = !rate.allowed && assistant === null && !isHealthCheck;
    if (isLimited) open.error = 'rate_limited';
    const answer = isLimited ? responseTo(rateLimited(callAt(request), rate), 'any') : response;
    const key = readKey(keysOf(request));
    const encoding = chooseEncoding(headerOf(request, 'accept-encoding'));
    const sent = encoding === null ? answer : await encodedResponse(answer, encoding, compress);
    write(open, sent, { requestId: request.id, rate, key: key.kind === 'valid' ? key.value : null });
  }

  function write(open: OpenRequest, response: HttpResponse, context: ResponseContext): void {
    open.takeOver();
    if (!open.hasGone()) writeResponse(open.response, response, context, closing);
  }

  function addressOf({ socket, headers }: IncomingRequest): string {
    return deps.clientAddress({ peerAddress: socket.remoteAddress ?? '', headers }).text;
  }

  function countRequest(caller: CountedCaller): Promise<RateReading> {
    return deps.requestLimits.count(caller, null, timeOn(deps.clock));
  }
}

/** 429 at the address of the search too: only approved callers get its errors with status 200. */
function rateLimited(call: EndpointCall, { retryAfterSeconds }: { retryAfterSeconds: number }): Answer {
  const details = { retry_after_seconds: retryAfterSeconds };
  return problemAnswer('rate_limited', { ...call, endpoint: 'any' }, details);
}

function pageRequestOf(request: IncomingRequest) {
  return {
    method: request.method,
    accept: headerOf(request, 'accept'),
    query: request.query,
    ifNoneMatch: headerOf(request, 'if-none-match'),
    encoding: chooseEncoding(headerOf(request, 'accept-encoding')),
  };
}

function sentTo(request: IncomingRequest) {
  const token = sessionOf(request);
  return {
    token: token !== undefined && isSessionToken(token) ? token : null,
    source: null,
    form: formOf(request),
  };
}

function formOf(request: IncomingRequest) {
  return { method: request.method, view: viewOf(request) };
}
