import { type ErrorCode, messageOf, OK } from '../contract/errors.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { SearchProblem, SearchState, SearchStep } from '../contract/search-body.ts';
import { API_VERSION } from '../contract/version.ts';
import { MAX_AVAILABLE_REQUESTS, PATHS, TERMS_NOTICE } from '../contract/vocabulary.ts';
import type { AnswerContext, RefusalDetails, StepText } from '../search/answer-writer.ts';
import type { Step } from '../search/step.ts';
import { serviceKey } from '../sessions/idempotency.ts';
import { type Links, searchPath } from './links.ts';

/** What the addresses in a body are built from, and the method that it echoes. */
type LinkContext = {
  readonly token: string;
  readonly revision: number;
  readonly method: string;
  readonly links: Links;
};

/** Placeholders that occur nowhere else: JSON text has no raw control characters, and no session has this revision. */
const TOKEN_PLACEHOLDER = '\u0001';
const REVISION_PLACEHOLDER = -1;
const ESCAPED_TOKEN = JSON.stringify(TOKEN_PLACEHOLDER).slice(1, -1);
const KEY_PLACEHOLDER = serviceKey(REVISION_PLACEHOLDER, '');

/** The ordinary step as text, with placeholders for what differs between sessions: token and revision. */
export function stepText(
  step: Step,
  cleared: readonly SearchField[],
  method: string,
  links: Links,
): StepText {
  const text = JSON.stringify(
    stepAnswer(step, cleared, { token: TOKEN_PLACEHOLDER, revision: REVISION_PLACEHOLDER, method, links }),
  );
  const parts = text.split(ESCAPED_TOKEN).map((part) => part.split(KEY_PLACEHOLDER));
  return ({ token, session }) => {
    const key = serviceKey(session.revision, '');
    let filled = '';
    for (const [position, part] of parts.entries()) filled += (position === 0 ? '' : token) + part.join(key);
    return filled;
  };
}

/** The ordinary `incomplete_payload` body. Without a next field there is none: then a result is sent. */
export function stepAnswer(step: Step, cleared: readonly SearchField[], context: LinkContext): SearchStep {
  if (step.next === null) throw new Error('a step without a next field has no incomplete_payload body');
  const requests = offeredRequests(step, step.next, context);
  const [next] = requests;
  if (next === undefined) throw new Error(`the next field ${step.next} has no values`);
  return {
    ...requestEcho(context),
    session: context.token,
    error: 'incomplete_payload',
    message: messageOf('incomplete_payload', step.next),
    ...searchState(step, cleared, context),
    next_required: step.next,
    next_request: next,
    available_requests: step.next === 'amenities' ? [...requests, resultLink(context)] : requests,
  };
}

/** A refused request on a live session: the error and the whole step, so that the caller can continue from it. */
export function refusedStepAnswer(
  code: ErrorCode,
  step: Step,
  details: RefusalDetails,
  { session, token, method, links }: AnswerContext & { readonly links: Links },
): SearchProblem {
  const context: LinkContext = { token, revision: session.revision, method, links };
  const requests = step.next === null ? [] : offeredRequests(step, step.next, context);
  const available = session.result?.answersPayload ? [...requests, resultLink(context)] : requests;
  return {
    ...requestEcho(context),
    session: token,
    error: code,
    message: messageOf(code, details.field),
    ...(details.field === undefined ? {} : { invalid_field: details.field }),
    ...(details.candidates && details.candidates.length > 0 ? { candidates: [...details.candidates] } : {}),
    ...(details.accepted && details.accepted.length > 0 ? { accepted_fields: [...details.accepted] } : {}),
    ...(details.retryAfterSeconds === undefined ? {} : { retry_after_seconds: details.retryAfterSeconds }),
    ...searchState(step, details.cleared ?? [], context),
    ...(step.next === null ? {} : { next_required: step.next }),
    next_request: retryRequest(details.retry, context) ?? available[0] ?? readRequest(context),
    available_requests: available,
  };
}

function requestEcho({ method }: LinkContext) {
  return { api_version: API_VERSION, status: OK, endpoint: PATHS.search, method } as const;
}

function searchState(step: Step, cleared: readonly string[], { token }: LinkContext): SearchState {
  return {
    received: step.received,
    missing_fields: [...step.missing],
    allowed_values: step.allowed,
    ...(step.truncated ? { allowed_values_truncated: { destination: { ...step.truncated } } } : {}),
    field_order: [...step.order],
    depends_on: { ...step.dependsOn },
    ...(cleared.length > 0 ? { cleared_fields: [...cleared] } : {}),
    schema_url: PATHS.schema,
    terms_url: PATHS.terms,
    terms_notice: TERMS_NOTICE,
    self_url: searchPath(token),
  };
}

function offeredRequests(step: Step, field: SearchField, { links, token, revision }: LinkContext) {
  const addressOf = links.supply(token, field);
  return (step.allowed[field] ?? []).slice(0, MAX_AVAILABLE_REQUESTS).map((offered, ordinal) => {
    // Some fields are offered as plain strings, others as objects that also describe the value.
    const value = typeof offered === 'string' ? offered : String(offered.value);
    return { field, value, url: addressOf(value, serviceKey(revision, ordinal)) };
  });
}

function retryRequest(retry: RefusalDetails['retry'], context: LinkContext) {
  if (retry === undefined) return undefined;
  if (retry.kind === 'read') return readRequest(context);
  const { links, token, revision } = context;
  const { field, value } = retry;
  return { field, value, url: links.supply(token, field)(value, serviceKey(revision, 'retry')) };
}

function readRequest({ links, token, revision }: LinkContext) {
  return { method: 'GET', url: links.search(token, serviceKey(revision, 'read')) };
}

function resultLink({ links, token, revision }: LinkContext) {
  return {
    method: 'GET',
    path: PATHS.result,
    url: links.result(token, serviceKey(revision, 'result')),
  } as const;
}
