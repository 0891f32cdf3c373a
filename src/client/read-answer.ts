import type {
  ComparisonAnswer,
  ComparisonBody,
  ProblemAnswer,
  ProblemBody,
  QuestionBody,
  RefusalBody,
  SearchAnswer,
} from './answers.ts';
import { questionOfRefusal, questionOfStep, refusalsIn } from './question.ts';
import type { ReceivedJson } from './send-request.ts';
import { StaywireError, unreadableAnswer } from './staywire-error.ts';

/** What is wrong with a value, as opposed to what keeps the service from going on. */
const REFUSED_VALUE: ReadonlySet<string> = new Set([
  'invalid_value',
  'unknown_field',
  'prerequisite_missing',
  'refine_not_available',
]);

export function searchAnswerFrom(received: ReceivedJson): SearchAnswer {
  const { json } = received;
  if (json.object === 'search_result') return comparisonFrom(received);
  if (json.error === 'incomplete_payload') {
    const body = json as QuestionBody;
    return { kind: 'question', session: body.session, question: questionOfStep(body), body };
  }
  // A request that could not be read at all has the code of an unknown field too, but no step.
  if (REFUSED_VALUE.has(String(json.error)) && typeof json.session === 'string') {
    const body = json as RefusalBody;
    return {
      kind: 'refusal',
      session: json.session,
      refusals: refusalsIn(body),
      question: questionOfRefusal(body),
      body,
    };
  }
  return problemFrom(received);
}

/** There is a set, and only its filters are asked for, which is optional. */
export function asksOnlyForFilters(answer: SearchAnswer): boolean {
  if (answer.kind !== 'question' || answer.body.result_ready !== true) return false;
  return answer.body.missing_fields.every((field) => field === 'amenities');
}

export function comparisonFrom({ json, headers }: ReceivedJson): ComparisonAnswer {
  const body = json as ComparisonBody;
  return {
    kind: 'comparison',
    session: body.session,
    refusals: body.refusals ?? [],
    isCurrent: headers.get('x-result-current') !== 'false',
    body,
  };
}

/** Throws where the answer is none of Staywire's. */
export function problemFrom(received: ReceivedJson): ProblemAnswer {
  const { json, status, headers, retryAfterSeconds } = received;
  if (typeof json.error !== 'string' || typeof json.message !== 'string') throw unreadableAnswer(received);
  return {
    kind: 'problem',
    session: typeof json.session === 'string' ? json.session : null,
    code: json.error,
    status,
    message: json.message,
    retryAfterSeconds,
    requestId: headers.get('x-request-id'),
    body: json as ProblemBody,
  };
}

export function errorOf(problem: ProblemAnswer): StaywireError {
  const { code, status, retryAfterSeconds, requestId, body } = problem;
  return new StaywireError(problem.message, { code, status, retryAfterSeconds, requestId, body });
}
