import { type ErrorCode, type ErrorEndpoint, messageOf, statusOf } from '../../contract/errors.ts';
import { type Answer, answerWith } from '../../contract/exchange.ts';
import type { Problem } from '../../contract/problem-body.ts';
import type { SearchProblem } from '../../contract/search-body.ts';
import { ACCESS, API_VERSION, PATHS } from '../../contract/vocabulary.ts';
import type { AnswerForm } from '../answer-writer.ts';
import type { Links } from './links.ts';

/** The call that a problem answers; the body echoes it. */
export type EndpointCall = {
  readonly endpoint: ErrorEndpoint;
  readonly path: string;
  readonly method: string;
};

type ProblemDetails = Partial<Omit<Problem, 'api_version' | 'status' | 'endpoint' | 'method' | 'error'>> &
  Pick<SearchProblem, 'available_requests'>;

/** An error without a step to show. The status depends on the endpoint. */
export function problemAnswer(code: ErrorCode, call: EndpointCall, details: ProblemDetails = {}): Answer {
  const body: Problem & Pick<SearchProblem, 'available_requests'> = {
    api_version: API_VERSION,
    status: statusOf(code, call.endpoint),
    endpoint: call.path,
    method: call.method,
    error: code,
    message: messageOf(code),
    ...details,
    schema_url: PATHS.schema,
    terms_url: PATHS.terms,
    self_url: call.path,
  };
  return answerWith(JSON.stringify(body satisfies Problem | SearchProblem), {
    error: code,
    retryAfterSeconds: details.retry_after_seconds ?? null,
  });
}

const END_USER_MESSAGE =
  'This address is for AI assistants only. Please go back to your assistant and open the property link that it shows you.';

/** The same bytes whether or not anything exists behind the address, and whatever the caller lacks. */
export function accessDenied(call: EndpointCall, helpUrl: string, isEndUser: boolean): Answer {
  return problemAnswer('access_denied', call, {
    ...(isEndUser ? { message: END_USER_MESSAGE, reason: 'end_user_access' } : {}),
    access: ACCESS,
    help_url: helpUrl,
  });
}

/** The request that opens a new session, with the source where it is known, by the method that the caller can use. */
export function authRequest(links: Links, source: string | null, { method, view }: AnswerForm) {
  const url = links.auth(source, view);
  if (method === 'GET') return { url, method };
  return { url, method: 'POST', ...(source === null ? {} : { body: { source } }) };
}
