import { Compile } from 'typebox/compile';
import type { Links } from '../answers/links.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { OK } from '../contract/errors.ts';
import type { OperationName } from '../contract/operations.ts';
import { formatTimestamp } from '../contract/scalars.ts';
import { AuthRequest } from '../contract/session-body.ts';
import type { OpenSession } from '../search/open-session.ts';
import type { ReadResult } from '../search/read-result.ts';
import type { StepAnswer, StepCall, TakeStep } from '../search/take-step.ts';
import type { SessionFinding } from '../sessions/find-session.ts';
import { serviceKey } from '../sessions/idempotency.ts';
import type { AssistantId } from '../sessions/session.ts';
import type { CachedDocument } from './cached-document.ts';
import type { HttpAnswer } from './http-answer.ts';
import { authRequest, type Called, problem, retryHeader } from './problems.ts';
import { type BodyReading, type RequestFault, UNREADABLE } from './read-body.ts';
import type { Query } from './read-query.ts';
import { suppliedValues } from './supplied-values.ts';

/** A request that has passed the gate, the limits and the version. */
export type Call = {
  readonly called: Called;
  readonly assistant: AssistantId;
  readonly query: Query;
  readonly body: BodyReading;
  readonly key: string | null;
  readonly finding: SessionFinding;
  /** The ETag that the caller has, for documents. */
  readonly ifNoneMatch: string | undefined;
};

export type Handler = (call: Call) => HttpAnswer | Promise<HttpAnswer>;
export type Handlers = Readonly<Record<OperationName, Handler>>;

const isAuthRequest = Compile(AuthRequest);
const REPLAYED = { 'idempotent-replayed': 'true' };

export function createHandlers({
  openSession,
  takeStep,
  readResult,
  links,
  sources,
  schemaDocument,
  termsDocument,
}: {
  readonly openSession: OpenSession;
  readonly takeStep: TakeStep;
  readonly readResult: ReadResult;
  readonly links: Links;
  readonly sources: readonly string[];
  readonly schemaDocument: CachedDocument;
  readonly termsDocument: CachedDocument;
}): Handlers {
  return {
    async openSession({ called, assistant, body, key }) {
      if (body.kind === 'fault') return unreadable(body, called, links);
      const request = Object.fromEntries(body.members);
      if (!isAuthRequest.Check(request)) return unreadable(UNREADABLE, called, links);
      const opened = await openSession({ assistant, request, key });
      if (opened.kind === 'unknown_source') {
        return problem('unknown_source', called, { sources: [...sources], next_request: authRequest(links) });
      }
      if (opened.kind === 'idempotency_key_reused')
        return problem('idempotency_key_reused', called, { next_request: authRequest(links) });
      return {
        status: OK,
        body: opened.body,
        error: null,
        ...(opened.replayed ? { headers: REPLAYED } : {}),
      };
    },

    async search({ called, query, body, key, finding }) {
      if (finding.kind !== 'live') {
        return body.kind === 'fault'
          ? unreadable(body, called, links)
          : withoutSession(finding, called, links);
      }
      const call: StepCall = {
        session: finding.session,
        token: finding.token,
        method: called.method,
        supplied: [],
        key,
      };
      if (body.kind === 'fault') return searchAnswer(takeStep.refuse(call, body.code));
      const supplied = suppliedValues(body.members, query);
      if (supplied === undefined) return searchAnswer(takeStep.refuse(call, 'invalid_request'));
      const answer = await takeStep.take({ ...call, supplied });
      if (answer === 'session_expired')
        return withoutSession({ kind: 'expired', session: finding.session }, called, links);
      return searchAnswer(answer);
    },

    async readResult({ called, body, finding }) {
      if (body.kind === 'fault') return unreadable(body, called, links);
      if (finding.kind !== 'live') return withoutSession(finding, called, links);
      const { session, token } = finding;
      const reading = await readResult(session, token);
      if (reading.kind === 'result') return { status: OK, body: reading.body, error: null };
      return problem('result_not_ready', called, {
        missing_fields: [...reading.step.missing],
        ...(reading.step.next === null ? {} : { next_required: reading.step.next }),
        next_request: { url: links.search(token, serviceKey(session.revision, 'read')), method: 'GET' },
      });
    },

    readSchema: ({ ifNoneMatch }) => schemaDocument.answer(ifNoneMatch),
    readTerms: ({ ifNoneMatch }) => termsDocument.answer(ifNoneMatch),
  };
}

function searchAnswer({ body, error, replayed, retryAfterSeconds }: StepAnswer): HttpAnswer {
  return { status: OK, body, error, headers: replayed ? REPLAYED : retryHeader(retryAfterSeconds) };
}

function unreadable({ code }: RequestFault, called: Called, links: Links): HttpAnswer {
  return problem(code, called, { next_request: authRequest(links) });
}

const SESSION_PROBLEMS = {
  not_given: 'session_required',
  not_found: 'session_not_found',
  expired: 'session_expired',
} as const satisfies Record<string, ErrorCode>;

function withoutSession(
  finding: Exclude<SessionFinding, { kind: 'live' }>,
  called: Called,
  links: Links,
): HttpAnswer {
  const session = finding.kind === 'expired' ? finding.session : null;
  return problem(SESSION_PROBLEMS[finding.kind], called, {
    ...(session ? { expired_at: formatTimestamp(session.expiresAt) } : {}),
    next_request: authRequest(links, session?.source ?? null),
  });
}
