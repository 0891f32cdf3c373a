import { type ErrorCode, messageOf, OK } from '../contract/errors.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { SearchProblem, SearchStanding, SearchStep } from '../contract/search-body.ts';
import { API_VERSION } from '../contract/version.ts';
import { MAX_AVAILABLE_REQUESTS, PATHS, TERMS_NOTICE } from '../contract/vocabulary.ts';
import type { Step } from '../search/step.ts';
import type { AnswerAbout, RefusalDetails } from '../search/written-answers.ts';
import { serviceKey } from '../sessions/idempotency.ts';
import { type Links, searchPath } from './links.ts';

/** What a body about a session needs besides its facts. */
type AnswerContext = AnswerAbout & { readonly links: Links };

/** The ordinary `incomplete_payload` body. A step without a next field is not a step: the caller has a result to send. */
export function stepAnswer(step: Step, cleared: readonly string[], context: AnswerContext): SearchStep {
  if (step.next === null) throw new Error('a step without a next field has no incomplete_payload body');
  const requests = offeredRequests(step, step.next, context);
  const [next] = requests;
  if (next === undefined) throw new Error(`the next field ${step.next} has no values`);
  return {
    ...called(context),
    session: context.token,
    error: 'incomplete_payload',
    message: messageOf('incomplete_payload', step.next),
    ...standing(step, cleared, context),
    next_required: step.next,
    next_request: next,
    available_requests: step.next === 'amenities' ? [...requests, resultLink(context)] : requests,
  };
}

/** A refused request on a live session: the error, and the whole step, so that the caller can go on from here. */
export function refusedStepAnswer(
  code: ErrorCode,
  step: Step,
  details: RefusalDetails,
  context: AnswerContext,
): SearchProblem {
  const requests = step.next === null ? [] : offeredRequests(step, step.next, context);
  const available = context.session.result?.answersPayload ? [...requests, resultLink(context)] : requests;
  return {
    ...called(context),
    session: context.token,
    error: code,
    message: messageOf(code, details.field),
    ...(details.field === undefined ? {} : { invalid_field: details.field }),
    ...(details.candidates && details.candidates.length > 0 ? { candidates: [...details.candidates] } : {}),
    ...(details.accepted && details.accepted.length > 0 ? { accepted_fields: [...details.accepted] } : {}),
    ...(details.retryAfterSeconds === undefined ? {} : { retry_after_seconds: details.retryAfterSeconds }),
    ...standing(step, details.cleared ?? [], context),
    ...(step.next === null ? {} : { next_required: step.next }),
    next_request: retryRequest(details.retry, context) ?? available[0] ?? readRequest(context),
    available_requests: available,
  };
}

function called({ method }: AnswerContext) {
  return { api_version: API_VERSION, status: OK, endpoint: PATHS.search, method } as const;
}

function standing(step: Step, cleared: readonly string[], context: AnswerContext): SearchStanding {
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
    self_url: searchPath(context.token),
  };
}

function offeredRequests(step: Step, field: SearchField, { links, token, session }: AnswerContext) {
  const addressOf = links.supply(token, field);
  return valuesOf(step, field)
    .slice(0, MAX_AVAILABLE_REQUESTS)
    .map((value, ordinal) => ({
      field,
      value,
      url: addressOf(value, serviceKey(session.revision, ordinal)),
    }));
}

function valuesOf(step: Step, field: SearchField): string[] {
  if (field === 'brand_locked') return (step.allowed.brand_locked ?? []).map(({ value }) => String(value));
  if (field === 'amenities') return (step.allowed.amenities ?? []).map(({ value }) => value);
  return step.allowed[field] ?? [];
}

function retryRequest(retry: RefusalDetails['retry'], context: AnswerContext) {
  if (retry === undefined) return undefined;
  if (retry === 'read') return readRequest(context);
  const { links, token, session } = context;
  return {
    ...retry,
    url: links.supply(token, retry.field)(retry.value, serviceKey(session.revision, 'retry')),
  };
}

function readRequest({ links, token, session }: AnswerContext) {
  return { method: 'GET', url: links.search(token, serviceKey(session.revision, 'read')) };
}

function resultLink({ links, token, session }: AnswerContext) {
  return {
    method: 'GET',
    path: PATHS.result,
    url: links.result(token, serviceKey(session.revision, 'result')),
  } as const;
}
