import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AccessGate } from '../access/access-gate.ts';
import type { AccessDecision } from '../access/caller-facts.ts';
import type { Clock } from '../clock.ts';
import { type ErrorCode, NOT_MODIFIED } from '../contract/errors.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { BODY_LIMIT_BYTES } from '../contract/vocabulary.ts';
import type { Random } from '../random.ts';
import { callerOf, type RateReading, type RateWindows } from '../sessions/rate-windows.ts';
import { createAnswerBrokenHttp } from './broken-http.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { OpenPage } from './open-page.ts';
import { accessDenied, problem } from './problems.ts';
import { type BodyReading, OTHER_MEDIA_TYPE, UNREADABLE } from './read-body.ts';
import { allowedMethods, bodyOf, calledBy, keyOf, methodsOf, operationAt, pathOf } from './request-facts.ts';
import type { FinishedRequest, RequestObserver } from './request-observer.ts';
import type { ServeOperation } from './serve-operation.ts';
import { standardHeaders } from './standard-headers.ts';

export type AppDependencies = {
  readonly gate: AccessGate;
  readonly serveOperation: ServeOperation;
  readonly openPages: readonly OpenPage[];
  readonly rateWindows: RateWindows;
  readonly clock: Clock;
  readonly random: Random;
  readonly observe: RequestObserver;
};

type Visit = {
  readonly startedAt: number;
  readonly verdict: AccessDecision | null;
  operation: FinishedRequest['operation'];
  error: ErrorCode | null;
};

const AGENT_ONLY_PREFIX = '/ai/';

/** The whole HTTP surface, without listening: `main` does that, and tests call it through `inject`. */
export function buildApp(deps: AppDependencies): FastifyInstance {
  const newRequestId = () => `req_${deps.random.bytes(12).toString('base64url')}`;
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    // What arrives on an open connection while we close is still answered, and by us.
    return503OnClosing: false,
    clientErrorHandler: createAnswerBrokenHttp({
      newRequestId,
      rateOf: (address) => deps.rateWindows.take(` ${callerOf(address)}`, deps.clock.now()),
    }),
    // An address that cannot be decoded has no route, so it does not come through the hook below.
    frameworkErrors: (_error, request, reply) =>
      void answerUndecodable(request, reply).catch((fault: unknown) => {
        deps.observe.fault(fault, request.id);
        request.raw.destroy();
      }),
  });
  const visits = new WeakMap<FastifyRequest, Visit>();
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });

  // Bodies stay bytes here: what a body that cannot be read means depends on the operation.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, raw, done) =>
    done(null, raw),
  );
  // Read only to see whether there is a body at all: many clients put a type on an empty one.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, raw, done) =>
    done(null, raw.length === 0 ? undefined : OTHER_MEDIA_TYPE),
  );

  app.addHook('onRequest', async (request, reply) => {
    const verdict = await judge(request);
    if (verdict?.kind === 'refused') return refuse(request, reply, verdict);
  });

  for (const [name, operation] of Object.entries(OPERATIONS) as [
    OperationName,
    (typeof OPERATIONS)[OperationName],
  ][]) {
    app.route({
      method: [...methodsOf(operation)],
      url: operation.path,
      handler: (request, reply) => serve(name, request, reply, bodyOf(request)),
    });
  }
  for (const page of deps.openPages) {
    app.route({
      method: ['GET', 'HEAD'],
      url: page.path,
      handler: async (request, reply) => {
        const answer = page.answer({ accept: request.headers.accept, query: request.query });
        return send(
          request,
          reply,
          page.path === '/' ? 'entry' : 'other',
          answer,
          await rateOf(request),
          keyOf(request),
        );
      },
    });
  }

  app.setNotFoundHandler((request, reply) => nothingHere(request, reply));

  // Reached before a handler: a body that is too large or of another media type. Everything later is answered by `serveOperation`.
  app.setErrorHandler(async (error: Error & { code?: string }, request, reply) => {
    const name = operationAt(request);
    if (!name) return nothingHere(request, reply);
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
      return serve(name, request, reply, OTHER_MEDIA_TYPE);
    }
    if (error.code?.startsWith('FST_ERR_CTP_')) return serve(name, request, reply, UNREADABLE);
    deps.observe.fault(error, request.id);
    const { endpoint, path } = OPERATIONS[name];
    return send(
      request,
      reply,
      name,
      problem('internal_error', { endpoint, path, method: request.method }),
      await rateOf(request),
      keyOf(request),
    );
  });

  app.addHook('onResponse', async (request, reply) => {
    const visit = visits.get(request);
    if (!visit) return;
    deps.observe.finished({
      requestId: request.id,
      operation: visit.operation,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      error: visit.error,
      assistant: visit.verdict?.kind === 'approved' ? visit.verdict.assistant : null,
      milliseconds: deps.clock.now() - visit.startedAt,
    });
  });

  return app;

  /** Null where no gate stands. */
  async function judge(request: FastifyRequest): Promise<AccessDecision | null> {
    const startedAt = deps.clock.now();
    // The matched route decides, not the spelling of the address: /%61i/v1 is behind the gate as well.
    const verdict = (request.routeOptions.url ?? request.url).startsWith(AGENT_ONLY_PREFIX)
      ? await deps.gate({ peerAddress: request.socket.remoteAddress ?? '', headers: request.headers })
      : null;
    visits.set(request, { startedAt, verdict, operation: 'other', error: null });
    return verdict;
  }

  async function answerUndecodable(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const verdict = await judge(request);
    if (verdict?.kind === 'refused') await refuse(request, reply, verdict);
    else await nothingHere(request, reply);
  }

  async function serve(name: OperationName, request: FastifyRequest, reply: FastifyReply, body: BodyReading) {
    const verdict = visits.get(request)?.verdict;
    if (verdict?.kind !== 'approved') throw new Error('an operation is served only behind the gate');
    const { answer, rate, key } = await deps.serveOperation(name, {
      method: request.method,
      query: request.query,
      body,
      headers: request.headers,
      assistant: verdict.assistant,
      address: verdict.address,
      onFault: (fault) => deps.observe.fault(fault, request.id),
    });
    return send(request, reply, name, answer, rate, key);
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    verdict: AccessDecision & { kind: 'refused' },
  ) {
    const answer = accessDenied(calledBy(request), verdict.reason === 'end_user_access');
    return send(request, reply, 'other', answer, await rateOf(request), keyOf(request));
  }

  async function nothingHere(request: FastifyRequest, reply: FastifyReply) {
    const allowed = allowedMethods(pathOf(request), deps.openPages);
    const answer = problem(allowed ? 'method_not_allowed' : 'not_found', calledBy(request));
    const headers = allowed ? { allow: allowed.join(', ') } : {};
    return send(request, reply, 'other', { ...answer, headers }, await rateOf(request), keyOf(request));
  }

  /** Requests outside the operations count against the address that they come from. */
  async function rateOf(request: FastifyRequest): Promise<RateReading> {
    const verdict = visits.get(request)?.verdict;
    const address = verdict?.address ?? request.socket.remoteAddress ?? '';
    return deps.rateWindows.take(
      `${verdict?.kind === 'approved' ? verdict.assistant : ''} ${callerOf(address)}`,
      deps.clock.now(),
    );
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: FinishedRequest['operation'],
    answer: HttpAnswer,
    rate: RateReading,
    key: string | null,
  ) {
    const visit = visits.get(request);
    if (visit) {
      visit.operation = operation;
      visit.error = answer.error;
    }
    // Straight to Node: there is nothing left for Fastify to serialise, and head and text then leave in one piece.
    reply.hijack();
    reply.raw.writeHead(answer.status, {
      ...standardHeaders(request.id, rate, key),
      ...(answer.status === NOT_MODIFIED ? {} : { 'content-length': Buffer.byteLength(answer.body) }),
      ...answer.headers,
      // Otherwise a connection that is kept alive would hold up the end until its client lets go.
      ...(closing ? { connection: 'close' } : {}),
    });
    reply.raw.end(answer.body);
  }
}
