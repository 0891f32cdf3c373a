import type { Links } from '../answers/links.ts';
import { authRequest, type EndpointCall, problemAnswer } from '../answers/problem-answer.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Answer, OperationRequest } from '../contract/exchange.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import { formatTimestamp } from '../contract/scalars.ts';
import type { OpenSession } from '../search/open-session.ts';
import type { ReadResult } from '../search/read-result.ts';
import type { TakeStep } from '../search/take-step.ts';
import { serviceKey } from '../sessions/idempotency.ts';
import type { SessionLookup } from './find-session.ts';

/** Carries out an admitted request. */
export type PerformOperation = (request: OperationRequest, lookup: SessionLookup) => Promise<Answer>;

const SESSION_PROBLEMS = {
  no_token: 'session_required',
  not_found: 'session_not_found',
  expired: 'session_expired',
} as const satisfies Record<string, ErrorCode>;

/** Maps each operation to its use case, and each outcome to an answer. A missing operation does not compile. */
export function createPerformOperation({
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
  readonly schemaDocument: Answer;
  readonly termsDocument: Answer;
}): PerformOperation {
  const performers: Readonly<Record<OperationName, PerformOperation>> = {
    async openSession(request) {
      const outcome = await openSession(request);
      switch (outcome.kind) {
        case 'opened':
          return outcome.answer;
        case 'unreadable':
          return unreadable(request);
        case 'unknown_source': {
          const details = { sources: [...sources], next_request: authRequest(links) };
          return problemAnswer(outcome.kind, endpointCallOf(request), details);
        }
        case 'idempotency_key_reused':
          return problemAnswer(outcome.kind, endpointCallOf(request), { next_request: authRequest(links) });
      }
    },

    async search(request, lookup) {
      if (lookup.kind !== 'live') {
        return request.values.kind === 'invalid' ? unreadable(request) : withoutSession(request, lookup);
      }
      const outcome = await takeStep(request, lookup);
      return outcome.kind === 'answered'
        ? outcome.answer
        : withoutSession(request, { kind: 'expired', session: lookup.session });
    },

    async readResult(request, lookup) {
      if (request.values.kind === 'invalid') return unreadable(request);
      if (lookup.kind !== 'live') return withoutSession(request, lookup);
      const reading = await readResult(lookup);
      if (reading.kind === 'result') return reading.answer;
      const { missing, next } = reading.step;
      const read = links.search(lookup.token, serviceKey(lookup.session.revision, 'read'));
      return problemAnswer('result_not_ready', endpointCallOf(request), {
        missing_fields: [...missing],
        ...(next === null ? {} : { next_required: next }),
        next_request: { url: read, method: 'GET' },
      });
    },

    readSchema: async () => schemaDocument,
    readTerms: async () => termsDocument,
  };

  return (request, lookup) => performers[request.operation](request, lookup);

  function unreadable(request: OperationRequest): Answer {
    const code = request.values.kind === 'invalid' ? request.values.faults[0] : undefined;
    return problemAnswer(code ?? 'invalid_request', endpointCallOf(request), {
      next_request: authRequest(links),
    });
  }

  function withoutSession(
    request: OperationRequest,
    lookup: Exclude<SessionLookup, { kind: 'live' }>,
  ): Answer {
    const session = lookup.kind === 'expired' ? lookup.session : null;
    return problemAnswer(SESSION_PROBLEMS[lookup.kind], endpointCallOf(request), {
      ...(session ? { expired_at: formatTimestamp(session.expiresAt) } : {}),
      next_request: authRequest(links, session?.source ?? null),
    });
  }
}

export function endpointCallOf({ operation, method }: OperationRequest): EndpointCall {
  const { endpoint, path } = OPERATIONS[operation];
  return { endpoint, path, method };
}
