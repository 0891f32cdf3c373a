import type {
  ComparisonAnswer,
  ComparisonBody,
  ProblemAnswer,
  ProblemBody,
  QuestionBody,
  RefusalBody,
  SearchAnswer,
  SearchChoice,
  SearchQuestion,
  SearchRefusal,
} from './answers.ts';
import type { ReceivedJson } from './send-request.ts';
import { StaywireError, unreadableAnswer } from './staywire-error.ts';

/** Codes that refuse a value; all other codes are problems of the whole request. */
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
  // An unreadable request also has the code `unknown_field`, but no session.
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

/** Whether there is a set, and only optional filters are left to answer. */
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

/** Throws for an answer that is not from Staywire. */
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

type StepState = Pick<
  RefusalBody,
  | 'allowed_values'
  | 'allowed_values_truncated'
  | 'field_hints'
  | 'missing_fields'
  | 'next_required'
  | 'places'
>;

function questionOfStep(body: QuestionBody): SearchQuestion {
  return questionAbout(body.next_required, body, null);
}

/** A question about the refused field if it has choices, otherwise about the next missing field. */
function questionOfRefusal(body: RefusalBody): SearchQuestion {
  const refusals = refusalsIn(body);
  const refused = questionAbout(body.invalid_field ?? '', body, refusals[0] ?? null);
  if (refused.choices.length > 0 || body.next_required === undefined) return refused;
  const next = body.next_required;
  return questionAbout(next, body, refusals.find(({ field }) => field === next) ?? null);
}

/** All refusals of an answer, with its main one first. */
function refusalsIn(body: RefusalBody): SearchRefusal[] {
  const { invalid_field: field, error, message, reason, did_you_mean, suggestions } = body;
  const first: SearchRefusal = {
    ...(field === undefined ? {} : { field }),
    error,
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(did_you_mean === undefined ? {} : { did_you_mean }),
    ...(suggestions === undefined ? {} : { suggestions }),
  };
  return [first, ...(body.other_refusals ?? [])];
}

function questionAbout(field: string, state: StepState, refusal: SearchRefusal | null): SearchQuestion {
  const { allowed_values, allowed_values_truncated, field_hints, missing_fields = [], places = {} } = state;
  const offered = allowed_values
    ? (Object.entries(allowed_values).find(([name]) => name === field)?.[1] ?? [])
    : [];
  // Before its month is known, a day has no values on offer, but its refusal suggests days nearby.
  const values = offered.length > 0 ? offered : (refusal?.suggestions ?? []);
  const choices = values.map((offer): SearchChoice => {
    if (typeof offer === 'string') return { value: offer, label: places[offer]?.name ?? offer };
    if ('description' in offer) return { value: String(offer.value), label: offer.description };
    return { value: offer.value, label: offer.value, matchCount: offer.match_count, of: offer.of };
  });
  return {
    field,
    choices,
    total: allowed_values_truncated?.[field]?.total ?? choices.length,
    hint: field_hints?.[field] ?? null,
    refusal,
    missing: missing_fields,
  };
}
