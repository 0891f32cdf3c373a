import { type ErrorCode, messageOf, OK } from '../contract/errors.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { SearchProblem, SearchStanding, SearchStep } from '../contract/search-body.ts';
import { API_VERSION } from '../contract/version.ts';
import { MAX_AVAILABLE_REQUESTS, PATHS, TERMS_NOTICE } from '../contract/vocabulary.ts';
import type { AnswerContext, RefusalDetails, StepText } from '../search/answer-writer.ts';
import type { Step } from '../search/step.ts';
import { serviceKey } from '../sessions/idempotency.ts';
import { type Links, searchPath } from './links.ts';

/** Whose addresses a body holds, and what its request was. */
type Addressee = {
  readonly token: string;
  readonly revision: number;
  readonly method: string;
  readonly links: Links;
};

/** Stand where token and revision belong. JSON text holds no raw control character, and no session has this revision. */
const NO_TOKEN = '\u0001';
const NO_REVISION = -1;
const TOKEN_GAP = JSON.stringify(NO_TOKEN).slice(1, -1);
const KEY_GAP = serviceKey(NO_REVISION, '');

/** The ordinary step as text, with gaps for what differs from session to session. */
export function stepText(
  step: Step,
  cleared: readonly SearchField[],
  method: string,
  links: Links,
): StepText {
  const text = JSON.stringify(
    stepAnswer(step, cleared, { token: NO_TOKEN, revision: NO_REVISION, method, links }),
  );
  const parts = text.split(TOKEN_GAP).map((part) => part.split(KEY_GAP));
  return ({ token, session }) => {
    const key = serviceKey(session.revision, '');
    let filled = '';
    for (const [position, part] of parts.entries()) filled += (position === 0 ? '' : token) + part.join(key);
    return filled;
  };
}

/** The ordinary `incomplete_payload` body. A step without a next field is not a step: the caller has a result to send. */
export function stepAnswer(step: Step, cleared: readonly SearchField[], addressee: Addressee): SearchStep {
  if (step.next === null) throw new Error('a step without a next field has no incomplete_payload body');
  const requests = offeredRequests(step, step.next, addressee);
  const [next] = requests;
  if (next === undefined) throw new Error(`the next field ${step.next} has no values`);
  return {
    ...called(addressee),
    session: addressee.token,
    error: 'incomplete_payload',
    message: messageOf('incomplete_payload', step.next),
    ...standing(step, cleared, addressee),
    next_required: step.next,
    next_request: next,
    available_requests: step.next === 'amenities' ? [...requests, resultLink(addressee)] : requests,
  };
}

/** A refused request on a live session: the error, and the whole step, so that the caller can go on from here. */
export function refusedStepAnswer(
  code: ErrorCode,
  step: Step,
  details: RefusalDetails,
  { session, token, method, links }: AnswerContext & { readonly links: Links },
): SearchProblem {
  const addressee: Addressee = { token, revision: session.revision, method, links };
  const requests = step.next === null ? [] : offeredRequests(step, step.next, addressee);
  const available = session.result?.answersPayload ? [...requests, resultLink(addressee)] : requests;
  return {
    ...called(addressee),
    session: token,
    error: code,
    message: messageOf(code, details.field),
    ...(details.field === undefined ? {} : { invalid_field: details.field }),
    ...(details.candidates && details.candidates.length > 0 ? { candidates: [...details.candidates] } : {}),
    ...(details.accepted && details.accepted.length > 0 ? { accepted_fields: [...details.accepted] } : {}),
    ...(details.retryAfterSeconds === undefined ? {} : { retry_after_seconds: details.retryAfterSeconds }),
    ...standing(step, details.cleared ?? [], addressee),
    ...(step.next === null ? {} : { next_required: step.next }),
    next_request: retryRequest(details.retry, addressee) ?? available[0] ?? readRequest(addressee),
    available_requests: available,
  };
}

function called({ method }: Addressee) {
  return { api_version: API_VERSION, status: OK, endpoint: PATHS.search, method } as const;
}

function standing(step: Step, cleared: readonly string[], { token }: Addressee): SearchStanding {
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

function offeredRequests(step: Step, field: SearchField, { links, token, revision }: Addressee) {
  const addressOf = links.supply(token, field);
  return (step.allowed[field] ?? []).slice(0, MAX_AVAILABLE_REQUESTS).map((offered, ordinal) => {
    // Some fields are offered as plain texts, others as entries that say more about a value.
    const value = typeof offered === 'string' ? offered : String(offered.value);
    return { field, value, url: addressOf(value, serviceKey(revision, ordinal)) };
  });
}

function retryRequest(retry: RefusalDetails['retry'], addressee: Addressee) {
  if (retry === undefined) return undefined;
  if (retry.kind === 'read') return readRequest(addressee);
  const { links, token, revision } = addressee;
  const { field, value } = retry;
  return { field, value, url: links.supply(token, field)(value, serviceKey(revision, 'retry')) };
}

function readRequest({ links, token, revision }: Addressee) {
  return { method: 'GET', url: links.search(token, serviceKey(revision, 'read')) };
}

function resultLink({ links, token, revision }: Addressee) {
  return {
    method: 'GET',
    path: PATHS.result,
    url: links.result(token, serviceKey(revision, 'result')),
  } as const;
}
