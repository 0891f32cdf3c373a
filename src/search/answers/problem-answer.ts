import { type ErrorCode, type ErrorEndpoint, messageOf, statusOf } from '../../contract/errors.ts';
import { type Answer, answerWith } from '../../contract/exchange.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { Problem } from '../../contract/problem-body.ts';
import type { SearchProblem } from '../../contract/search-body.ts';
import { ACCESS, API_VERSION, PATHS } from '../../contract/vocabulary.ts';
import type { Links } from './links.ts';
import type { AnswerForm } from './side-effects.ts';

/** The call that caused a problem; the body echoes it. */
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
  return answerWith(body satisfies Problem | SearchProblem, {
    error: code,
    retryAfterSeconds: details.retry_after_seconds ?? null,
  });
}

const END_USER_MESSAGE =
  'This address is for AI assistants only. Please go back to your assistant and open the property link that it shows you.';

/** The same bytes whether or not the address exists, and whatever the caller lacks. */
export function accessDenied(call: EndpointCall, helpUrl: string, isEndUser: boolean): Answer {
  return problemAnswer('access_denied', call, {
    ...(isEndUser ? { message: END_USER_MESSAGE, reason: 'end_user_access' } : {}),
    access: ACCESS,
    help_url: helpUrl,
  });
}

/** The request that opens a new session, with the source if known, by the caller's method. */
export function authRequest(links: Links, source: string | null, { method, view }: AnswerForm) {
  const url = links.auth(source, view);
  if (method === 'GET') return { url, method };
  return { url, method: 'POST', ...(source === null ? {} : { body: { source } }) };
}

/** Reading records nothing, so the key need not be that of the current state. */
const ANY_REVISION = 0;

type NextRequestFacts = {
  readonly token: string | null;
  readonly source: string | null;
  readonly form: AnswerForm;
};

/** A valid request of the operation. Without a session, search and result start at auth. */
export function nextRequestAt(
  operation: OperationName,
  { token, source, form }: NextRequestFacts,
  links: Links,
) {
  const read = (url: string) => ({ url, method: 'GET' });
  switch (operation) {
    case 'openSession':
      return authRequest(links, source, form);
    case 'search':
      return token === null
        ? authRequest(links, source, form)
        : read(links.forSession({ token, revision: ANY_REVISION, view: form.view }).read());
    case 'readResult':
      return token === null
        ? authRequest(links, source, form)
        : read(links.forSession({ token, revision: ANY_REVISION, view: form.view }).result());
    case 'readSchema':
      return read(links.at(PATHS.schema));
    case 'readTerms':
      return read(links.at(PATHS.terms));
  }
}
