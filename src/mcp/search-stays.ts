import { isPayloadField } from '../contract/payload-fields.ts';
import type { FieldRefusal } from '../contract/refusal-reasons.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import type { StayAnswer, StayRefusal, StayView } from '../contract/tools/stay-answer.ts';
import { DEFAULT_SHOWN_OPTIONS } from '../contract/tools/stay-arguments.ts';
import { counted } from '../stay/wording.ts';
import { chosenInView, comparisonAnswer } from './comparison-answer.ts';
import { hasStep, type InterfaceCalls, isResult, isSession, type SearchReply } from './interface-calls.ts';
import {
  isRefusal,
  questionAnswer,
  refusalFrom,
  refusalsOfAmenity,
  refusalsOfBody,
  sideEffectsOf,
} from './questions-and-refusals.ts';
import type { RefineArguments, SearchArguments } from './tool-arguments.ts';
import { handleAfter, problemOf } from './tool-errors.ts';

/** The outcome of `search_stays` or `refine_stays`, with the bodies it was built from. */
export type StayOutcome = {
  readonly answer: StayAnswer;
  /** For a comparison. */
  readonly result?: ResultBody;
};

/** Shorter than hosts and connections wait, so that the answer still arrives. */
const MAX_NARROWING_MS = 15_000;

export type StayCall = {
  readonly calls: InterfaceCalls;
  /** Duration of the call so far. */
  readonly tookMs: () => number;
  /** The client's own key for the whole call: each request gets a key derived from it. */
  readonly key: string | null;
  readonly now: number;
};

/** Sends all known values in one request. */
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
  const body = await calls.search(
    token,
    // With the amenities, so that the operators are asked once to complete and to narrow the search.
    amenities.length === 0 ? values : { ...values, amenities },
    keyFor(key, 'stay'),
  );
  const outcome = await narrow({ session: token, begun: body, amenities, view }, call);
  return withReminders(outcome, [...reminders, ...viewsToRepeat(outcome, view)]);
}

/** Removes filters, narrows by further amenities, or shows the current set in another view. */
export async function refineStays(
  { session, amenities, clearFilters, view }: RefineArguments,
  call: StayCall,
): Promise<StayOutcome> {
  const { calls, key } = call;
  const begun =
    clearFilters || amenities.length > 0
      ? // An empty text before the names removes the active filters.
        await calls.search(
          session,
          { amenities: clearFilters ? ['', ...amenities] : amenities },
          keyFor(key, 'stay'),
        )
      : await calls.result(session, 'full');
  return narrow({ session, begun, amenities, view }, call);
}

/**
 * `begun` is the answer to the request with all amenities. In the service they are applied together; a remote service applies one in
 * each request, so the remaining ones are sent again, each time with fresh prices.
 */
async function narrow(
  {
    session,
    begun,
    amenities,
    view,
  }: {
    readonly session: string;
    readonly begun: SearchReply;
    readonly amenities: readonly string[];
    readonly view: StayView;
  },
  { calls, key, now, tookMs }: StayCall,
): Promise<StayOutcome> {
  const refusals: StayRefusal[] = [];
  const compare = (set: ResultBody): StayOutcome => ({
    answer: comparisonAnswer(set, view, refusals, now),
    result: set,
  });
  let body = begun;
  let sent = amenities;
  let set: ResultBody | null = null;
  for (let round = 1; isResult(body); round += 1) {
    set = set === null ? body : withSideEffects(body, set);
    const { waiting, refused } = sortRefusals(body, sent);
    refusals.push(...refused);
    if (waiting.length === 0) return compare(set);
    if (tookMs() > MAX_NARROWING_MS) {
      refusals.push(...notTried(waiting));
      return compare(set);
    }
    sent = waiting;
    body = await calls.search(session, { amenities: sent }, keyFor(key, `amenity-${round}`));
  }
  if (isRefusal(body)) {
    const { waiting, refused } = sortRefusals(body, sent);
    refusals.push(...refused, ...notTried(waiting));
  } else if (set !== null && 'error' in body) {
    // The earlier set stands, even if the operators did not answer the last request.
    const [first, ...others] = sent;
    refusals.push(...refusalsOfAmenity([failureOf(body)], first), ...notTried(others));
  }
  if (set !== null) return compare(set);
  if (isOnlyTheFilter(body) || isResultCurrent(body)) {
    const stored = await calls.result(session, 'full');
    if (isResult(stored)) return compare(isOnlyTheFilter(body) ? withSideEffects(stored, body) : stored);
    body = stored;
  }
  if (hasStep(body) && (body.error === 'incomplete_payload' || isRefusal(body))) {
    return { answer: questionAnswer(body, session, refusals) };
  }
  return problem(session, body);
}

/** The set with the side effects that an earlier answer of the call reported. */
function withSideEffects(set: ResultBody, earlier: ResultBody | SearchProblem): ResultBody {
  const fulfilled = [
    ...new Set([...(earlier.fulfilled_amenities ?? []), ...(set.fulfilled_amenities ?? [])]),
  ];
  return {
    ...sideEffectsOf(earlier),
    ...set,
    ...(fulfilled.length === 0 ? {} : { fulfilled_amenities: fulfilled }),
  };
}

/** Separates amenities that need a request of their own from those that were refused. */
function sortRefusals(
  body: ResultBody | SearchProblem,
  sent: readonly string[],
): { readonly waiting: readonly string[]; readonly refused: readonly StayRefusal[] } {
  const waiting: string[] = [];
  const refused: StayRefusal[] = [];
  for (const { position, ...refusal } of refusalsOf(body)) {
    const amenity = position === undefined && sent.length > 1 ? undefined : sent[(position ?? 1) - 1];
    if (refusal.reason?.code === 'one_amenity_per_request' && amenity !== undefined) waiting.push(amenity);
    else refused.push(...refusalsOfAmenity([refusal], amenity));
  }
  return { waiting, refused };
}

function notTried(amenities: readonly string[]): readonly StayRefusal[] {
  return amenities.flatMap((amenity) => refusalsOfAmenity([NOT_TRIED], amenity));
}

const NOT_TRIED: StayRefusal = {
  field: 'amenities',
  error: 'not_tried',
  message: 'The ones before it took long or failed, so it was not tried: call refine_stays with it.',
};

/** Includes the waiting time, which a comparison states nowhere else. */
function failureOf(body: Parameters<typeof problemOf>[0]): StayRefusal {
  const { code, message, how_to_go_on, retry_after_seconds } = problemOf(body);
  const recovery =
    retry_after_seconds === undefined
      ? how_to_go_on
      : how_to_go_on.replace('retry_after_seconds', counted(retry_after_seconds, 'second'));
  return { field: 'amenities', error: code, message: `${message} ${recovery}` };
}

function refusalsOf(body: ResultBody | SearchProblem): readonly FieldRefusal[] {
  return isResult(body) ? (body.refusals ?? []).map(refusalFrom) : refusalsOfBody(body);
}

/** The search is complete and unchanged: only an amenity was refused. */
function isOnlyTheFilter(body: SearchReply): body is SearchProblem {
  return (
    isRefusal(body) &&
    body.result_ready === true &&
    [body.invalid_field, ...(body.other_refusals ?? []).map(({ field }) => field)].every(
      (field) => field === 'amenities',
    )
  );
}

/** The result is current: the remaining step would only offer filters, which the set has too. */
function isResultCurrent(body: SearchReply): boolean {
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

/** Appends reminders to those of the answer. */
function withReminders(outcome: StayOutcome, reminders: readonly string[]): StayOutcome {
  if (reminders.length === 0) return outcome;
  const { answer } = outcome;
  return { ...outcome, answer: { ...answer, reminders: [...(answer.reminders ?? []), ...reminders] } };
}

function problem(session: string | null, body: Parameters<typeof problemOf>[0]): StayOutcome {
  return { answer: { outcome: 'problem', session: handleAfter(body, session), problem: problemOf(body) } };
}

/** Requests of one call need different keys, which are the same when the call is repeated. */
export function keyFor(key: string | null, part: string): string | null {
  return key === null ? null : `${key}/${part}`;
}
