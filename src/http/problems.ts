import type { Links } from '../answers/links.ts';
import { type ErrorCode, type ErrorEndpoint, messageOf, statusOf } from '../contract/errors.ts';
import type { Problem } from '../contract/problem-body.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import { API_VERSION, SUPPORTED_VERSIONS } from '../contract/version.ts';
import { ACCESS, PATHS } from '../contract/vocabulary.ts';
import type { HttpAnswer } from './http-answer.ts';

export type Called = { readonly endpoint: ErrorEndpoint; readonly path: string; readonly method: string };

type Extras = Partial<Omit<Problem, 'api_version' | 'status' | 'endpoint' | 'method' | 'error'>>;

/** An error in the shape of the endpoint that was called, where there is no step to show with it. */
export function problem(code: ErrorCode, called: Called, extras: Extras = {}): HttpAnswer {
  const status = statusOf(code, called.endpoint);
  const body: Problem = {
    api_version: API_VERSION,
    status,
    endpoint: called.path,
    method: called.method,
    error: code,
    message: messageOf(code),
    ...extras,
    schema_url: PATHS.schema,
    terms_url: PATHS.terms,
    self_url: called.path,
  };
  return {
    status,
    body: JSON.stringify(body satisfies Problem | SearchProblem),
    error: code,
    headers: retryHeader(extras.retry_after_seconds),
  };
}

export function retryHeader(seconds: number | null | undefined): Record<string, string> {
  return seconds === null || seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** How to begin again, with the source where it is known. */
export function authRequest(links: Links, source: string | null = null) {
  return { url: links.auth(), method: 'POST', ...(source === null ? {} : { body: { source } }) };
}

/** Asks for a signature, as the drafts of Web Bot Auth do it: an assistant that can sign learns here that it should. */
const ACCEPT_SIGNATURE =
  'sig1=("@authority" "signature-agent";key="sig1");created;expires;keyid;tag="web-bot-auth"';
const END_USER_MESSAGE =
  'This address is for AI assistants only. Please go back to your assistant and open the property link that it shows you.';

/** The same bytes whether or not anything exists behind the address. */
export function accessDenied(called: Called, endUser: boolean): HttpAnswer {
  const answer = problem('access_denied', called, {
    ...(endUser ? { message: END_USER_MESSAGE, reason: 'end_user_access' } : {}),
    access: ACCESS,
  });
  return { ...answer, headers: { 'accept-signature': ACCEPT_SIGNATURE } };
}

export function unsupportedVersion(called: Called): HttpAnswer {
  return problem('unsupported_version', called, { supported_versions: [...SUPPORTED_VERSIONS] });
}
