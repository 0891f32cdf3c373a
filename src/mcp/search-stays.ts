import { isPayloadField } from '../contract/payload-fields.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import type { StayAnswer, StayRefusal, StayView } from '../contract/tools/stay-answer.ts';
import { DEFAULT_SHOWN_OPTIONS } from '../contract/tools/stay-arguments.ts';
import { comparisonAnswer } from './comparison-answer.ts';
import { hasStep, isPutOff, isResult, isSession, type SearchReply } from './interface-calls.ts';
import type { ToolCalls } from './keyed-openings.ts';
import { type AskingBody, questionAnswer } from './question-answer.ts';
import { isRefusal, refusalFrom, refusalsOfAmenity, refusalsOfBody } from './refusals.ts';
import type { RefineArguments, SearchArguments } from './tool-arguments.ts';
import { chosenInView } from './view-of-options.ts';
import { handleAfter, problemOf } from './ways-on.ts';
import { countText } from './words.ts';

/** What came of a call of `search_stays` or `refine_stays`, with the bodies that it came from. */
export type StayOutcome = {
  readonly answer: StayAnswer;
  /** Of a comparison. */
  readonly result?: ResultBody;
  /** Of a question or a refusal, for whoever can ask the traveller. */
  readonly asking?: AskingBody;
};

/** A call that lasts longer than hosts and connections wait is of use to nobody. */
const MAX_NARROWING_MS = 15_000;

export type StayCall = {
  readonly calls: ToolCalls;
  /** How long the call has taken so far. */
  readonly tookMs: () => number;
  /** Of the client's own, for the whole call: each request of it gets a key derived from it. */
  readonly key: string | null;
  readonly now: number;
};

/** Supplies everything that is known in one request, and further amenities one by one. */
export async function searchStays(
  { session, source, values, amenities, view }: SearchArguments,
  call: StayCall,
): Promise<StayOutcome> {
  const { calls, key } = call;
  const reminders =
    session !== null && source !== null
      ? ['source counts only when a search begins: leave session out to search through that brand.']
      : [];
  let token = session;
  if (token === null) {
    const opened = await calls.open(source, keyFor(key, 'open'));
    if (!isSession(opened)) return problem(null, opened);
    token = opened.session;
  }
  const [first, ...others] = amenities;
  const body = await calls.search(
    token,
    // The first amenity rides along: the search is completed and narrowed with one question to the operators.
    first === undefined ? values : { ...values, amenities: first },
    keyFor(key, 'stay'),
  );
  // Whoever makes the same call again opens no further session, and nobody has two ways to this one.
  if (isPutOff(body) && calls.giveBack(token)) return problem(null, body);
  const outcome = await narrow(
    { session: token, begun: { body, amenity: first }, amenities: others, view },
    call,
  );
  return withReminders(outcome, [...reminders, ...viewsToRepeat(outcome, view)]);
}

/** Takes filters off, narrows by further amenities, or shows the set that is there by another view. */
export async function refineStays(
  { session, amenities, clearFilters, view }: RefineArguments,
  call: StayCall,
): Promise<StayOutcome> {
  const { calls, key } = call;
  const [first, ...others] = amenities;
  if (clearFilters) {
    const body = await calls.search(session, { amenities: [] }, keyFor(key, 'clear'));
    return narrow({ session, begun: { body, amenity: undefined }, amenities, view }, call);
  }
  if (first === undefined) {
    const body = await calls.result(session, 'full');
    return narrow({ session, begun: { body, amenity: undefined }, amenities: [], view }, call);
  }
  const body = await calls.search(session, { amenities: first }, keyFor(key, 'stay'));
  return narrow({ session, begun: { body, amenity: first }, amenities: others, view }, call);
}

/** The interface takes one amenity in a request, each with fresh prices. `begun` is the answer to the first of them. */
async function narrow(
  {
    session,
    begun,
    amenities,
    view,
  }: {
    readonly session: string;
    readonly begun: { readonly body: SearchReply; readonly amenity: string | undefined };
    readonly amenities: readonly string[];
    readonly view: StayView;
  },
  { calls, key, now, tookMs }: StayCall,
): Promise<StayOutcome> {
  const refusals: StayRefusal[] = [];
  let { body, amenity } = begun;
  let lastSet = isResult(body) ? body : null;
  let untried: readonly string[] = [];
  for (const [position, next] of amenities.entries()) {
    const isLate = tookMs() > MAX_NARROWING_MS;
    if (isLate || (!isResult(body) && !isOnlyTheFilter(body))) {
      untried = amenities.slice(position);
      break;
    }
    refusals.push(...refusalsOfAmenity(refusalsOf(body), amenity));
    amenity = next;
    body = await calls.search(session, { amenities: next }, keyFor(key, `amenity-${position}`));
    if (isResult(body)) lastSet = body;
  }
  if (lastSet && !isResult(body) && !isRefusal(body) && 'error' in body) {
    // What was found before stands, also where the operators were silent at last.
    refusals.push(...refusalsOfAmenity([failureOf(body)], amenity), ...notTried(untried));
    return { answer: comparisonAnswer(lastSet, { view, refusals, now }), result: lastSet };
  }
  const last = isResult(body) || isOnlyTheFilter(body) ? refusalsOf(body) : [];
  refusals.push(...refusalsOfAmenity(last, amenity));
  if (isResult(body) || isOnlyTheFilter(body)) refusals.push(...notTried(untried));
  if (isOnlyTheFilter(body) || isSettled(body)) body = await calls.result(session, 'full');
  if (isResult(body)) return { answer: comparisonAnswer(body, { view, refusals, now }), result: body };
  if (hasStep(body) && (body.error === 'incomplete_payload' || isRefusal(body))) {
    return { answer: questionAnswer(body, session, refusals), asking: body };
  }
  return problem(session, body);
}

function notTried(amenities: readonly string[]): readonly StayRefusal[] {
  return amenities.flatMap((amenity) => refusalsOfAmenity([NOT_TRIED], amenity));
}

const NOT_TRIED: StayRefusal = {
  field: 'amenities',
  error: 'not_tried',
  message: 'The ones before it took long or failed, so it was not tried: call refine_stays with it.',
};

/** In a comparison nothing but this sentence says how long to wait. */
function failureOf(body: Parameters<typeof problemOf>[0]): StayRefusal {
  const { code, message, how_to_go_on, retry_after_seconds } = problemOf(body);
  const wayOn =
    retry_after_seconds === undefined
      ? how_to_go_on
      : how_to_go_on.replace('retry_after_seconds', countText(retry_after_seconds, 'second'));
  return { field: 'amenities', error: code, message: `${message} ${wayOn}` };
}

function refusalsOf(body: ResultBody | SearchProblem): readonly StayRefusal[] {
  return isResult(body) ? (body.refusals ?? []).map(refusalFrom) : refusalsOfBody(body);
}

/** The search is complete and stands as it was: only an amenity was not taken. */
function isOnlyTheFilter(body: SearchReply): body is SearchProblem {
  return (
    isRefusal(body) &&
    body.result_ready === true &&
    [body.invalid_field, ...(body.other_refusals ?? []).map(({ field }) => field)].every(
      (field) => field === 'amenities',
    )
  );
}

/** Nothing was asked for that is not there: the step that is left would only offer filters, which the set has too. */
function isSettled(body: SearchReply): boolean {
  return (
    hasStep(body) &&
    body.error === 'incomplete_payload' &&
    body.result_ready === true &&
    !body.missing_fields.some(isPayloadField)
  );
}

function viewsToRepeat({ answer }: StayOutcome, view: StayView): readonly string[] {
  const given: readonly (keyof StayView)[] =
    view.max_options === DEFAULT_SHOWN_OPTIONS ? chosenInView(view) : [...chosenInView(view), 'max_options'];
  if (given.length === 0 || answer.outcome === 'comparison') return [];
  return [`Not kept, send again with the missing answers: ${given.join(', ')}.`];
}

/** Added to what an answer says already. */
export function withReminders(outcome: StayOutcome, reminders: readonly string[]): StayOutcome {
  if (reminders.length === 0) return outcome;
  const { answer } = outcome;
  return { ...outcome, answer: { ...answer, reminders: [...(answer.reminders ?? []), ...reminders] } };
}

function problem(session: string | null, body: Parameters<typeof problemOf>[0]): StayOutcome {
  return { answer: { outcome: 'problem', session: handleAfter(body, session), problem: problemOf(body) } };
}

/** Requests of one call must differ in their keys, and be the same when the call is repeated. */
export function keyFor(key: string | null, part: string): string | null {
  return key === null ? null : `${key}/${part}`;
}
