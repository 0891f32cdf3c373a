import { isPayloadField } from '../contract/payload-fields.ts';
import type { FieldRefusal } from '../contract/refusal-reasons.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import type { StayAnswer, StayRefusal, StayView } from '../contract/tools/stay-answer.ts';
import { DEFAULT_SHOWN_OPTIONS } from '../contract/tools/stay-arguments.ts';
import { handleAfter, problemOf } from './alternatives.ts';
import { comparisonAnswer } from './comparison-answer.ts';
import { hasStep, isPutOff, isResult, isSession, type SearchReply } from './interface-calls.ts';
import type { ToolCalls } from './keyed-openings.ts';
import { type AskingBody, questionAnswer } from './question-answer.ts';
import { isRefusal, refusalFrom, refusalsOfAmenity, refusalsOfBody } from './refusals.ts';
import type { RefineArguments, SearchArguments } from './tool-arguments.ts';
import { chosenInView } from './view-of-options.ts';
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

/** Supplies everything that is known in one request. */
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
    // Amenities ride along: the search is completed and narrowed with one question to the operators.
    amenities.length === 0 ? values : { ...values, amenities },
    keyFor(key, 'stay'),
  );
  // Whoever makes the same call again opens no further session, and nobody has two ways to this one.
  if (isPutOff(body) && calls.giveBack(token)) return problem(null, body);
  const outcome = await narrow({ session: token, begun: body, amenities, view }, call);
  return withReminders(outcome, [...reminders, ...viewsToRepeat(outcome, view)]);
}

/** Takes filters off, narrows by further amenities, or shows the set that is there by another view. */
export async function refineStays(
  { session, amenities, clearFilters, view }: RefineArguments,
  call: StayCall,
): Promise<StayOutcome> {
  const { calls, key } = call;
  const begun =
    clearFilters || amenities.length > 0
      ? // An empty text before the names takes the filters off that are on.
        await calls.search(
          session,
          { amenities: clearFilters ? ['', ...amenities] : amenities },
          keyFor(key, 'stay'),
        )
      : await calls.result(session, 'full');
  return narrow({ session, begun, amenities, view }, call);
}

/**
 * `begun` is the answer to the request with all amenities. In the service they are applied at once; the interface of a service
 * elsewhere applies one in a request, so those that wait are sent again, each with fresh prices.
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
    answer: comparisonAnswer(set, { view, refusals, now }),
    result: set,
  });
  let body = begun;
  let sent = amenities;
  let set: ResultBody | null = null;
  for (let round = 1; isResult(body); round += 1) {
    set = set === null ? body : alsoSaying(body, set);
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
    // What was found before stands, also where the operators were silent at last.
    const [first, ...others] = sent;
    refusals.push(...refusalsOfAmenity([failureOf(body)], first), ...notTried(others));
  }
  if (set !== null) return compare(set);
  if (isOnlyTheFilter(body) || isSettled(body)) {
    const stored = await calls.result(session, 'full');
    if (isResult(stored)) return compare(isOnlyTheFilter(body) ? alsoSaying(stored, body) : stored);
    body = stored;
  }
  if (hasStep(body) && (body.error === 'incomplete_payload' || isRefusal(body))) {
    return { answer: questionAnswer(body, session, refusals), asking: body };
  }
  return problem(session, body);
}

/** What an earlier answer of the call said beside its set. */
function alsoSaying(set: ResultBody, earlier: ResultBody | SearchProblem): ResultBody {
  const { cleared_fields, cleared_amenities, fulfilled_amenities = [] } = earlier;
  const fulfilled = [...new Set([...fulfilled_amenities, ...(set.fulfilled_amenities ?? [])])];
  return {
    ...(cleared_fields === undefined ? {} : { cleared_fields }),
    ...(cleared_amenities === undefined ? {} : { cleared_amenities }),
    ...set,
    ...(fulfilled.length === 0 ? {} : { fulfilled_amenities: fulfilled }),
  };
}

/** The amenities that only wait for a request of their own, and everything that was refused. */
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

/** In a comparison nothing but this sentence says how long to wait. */
function failureOf(body: Parameters<typeof problemOf>[0]): StayRefusal {
  const { code, message, how_to_go_on, retry_after_seconds } = problemOf(body);
  const wayOn =
    retry_after_seconds === undefined
      ? how_to_go_on
      : how_to_go_on.replace('retry_after_seconds', countText(retry_after_seconds, 'second'));
  return { field: 'amenities', error: code, message: `${message} ${wayOn}` };
}

function refusalsOf(body: ResultBody | SearchProblem): readonly FieldRefusal[] {
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
