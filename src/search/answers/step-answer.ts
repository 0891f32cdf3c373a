import type { Network } from '../../catalogue/catalogue.ts';
import { type ErrorCode, messageOf, OK } from '../../contract/errors.ts';
import type { View, WrittenBody } from '../../contract/exchange.ts';
import { FIELDS, type SearchField } from '../../contract/payload-fields.ts';
import type { AllowedValues, SearchProblem, SearchState, SearchStep } from '../../contract/search-body.ts';
import {
  API_VERSION,
  MAX_ALLOWED_VALUES,
  MAX_AVAILABLE_REQUESTS,
  PATHS,
  TERMS_NOTICE,
} from '../../contract/vocabulary.ts';
import { serviceKey } from '../../sessions/idempotency.ts';
import type { CarriedValues, Correction, Refusal } from '../refusal.ts';
import type { Step } from '../step.ts';
import {
  nothingSearchable,
  notRead,
  refusedHomes,
  silentBrands,
  storedValuesSentence,
} from './coverage-text.ts';
import { type Links, type SessionLinks, searchPath } from './links.ts';
import { authRequest } from './problem-answer.ts';
import {
  correctedRequest,
  refusalBodies,
  refusalMembers,
  refusalMessage,
  refusedFields,
  suggestedStays,
} from './refusal-answer.ts';
import { membersOfSideEffects } from './result-answer.ts';
import {
  type AnswerContext,
  type AnswerForm,
  NO_SIDE_EFFECTS,
  type RefusalDetails,
  type SideEffects,
} from './side-effects.ts';

/** What the writers of all search bodies need. */
export type StepTools = { readonly links: Links; readonly network: Network };

/** The session and revision for the addresses, and the method that the body echoes. */
type StepContext = StepTools & AnswerForm & { readonly token: string; readonly revision: number };

/** Follows the name of a field. */
const CHANGE =
  'Its answer in received stands until another value is chosen; the last of available_requests returns to the result.';

/** These placeholders occur nowhere else: JSON text has no raw control characters, and no session has this revision. */
const TOKEN_PLACEHOLDER = '\u0001';
const REVISION_PLACEHOLDER = -1;
const ESCAPED_TOKEN = JSON.stringify(TOKEN_PLACEHOLDER).slice(1, -1);
const KEY_PLACEHOLDER = serviceKey(REVISION_PLACEHOLDER, '');

/** The specification reports the optional step as a missing field. */
const SEARCH_IS_COMPLETE =
  'It is optional: the search is complete and its result is ready; the last of available_requests returns it.';

/** Completes the text of a step for one session. */
export type StepText = (token: string, revision: number) => WrittenBody;

/** The ordinary step of a plain reading as text, to be completed with token and revision. */
export function stepText(step: Step, form: AnswerForm, tools: StepTools): StepText {
  const bodyFor = (token: string, revision: number) =>
    stepAnswer(step, NO_SIDE_EFFECTS, { ...tools, ...form, token, revision });
  const text = JSON.stringify(bodyFor(TOKEN_PLACEHOLDER, REVISION_PLACEHOLDER));
  const parts: { readonly text: string; readonly isBeforeToken: boolean }[] = [];
  for (const untilToken of text.split(ESCAPED_TOKEN)) {
    const untilKeys = untilToken.split(KEY_PLACEHOLDER);
    for (const [position, part] of untilKeys.entries())
      parts.push({ text: part, isBeforeToken: position === untilKeys.length - 1 });
  }
  const last = parts.pop()?.text ?? '';
  // Every step is written here: one loop over a flat list takes two thirds of the time of joining nested lists.
  return (token, revision) => {
    const key = serviceKey(revision, '');
    let filled = '';
    for (const part of parts) filled += part.text + (part.isBeforeToken ? token : key);
    return { text: filled + last, read: () => bodyFor(token, revision) };
  };
}

function stepMessage(step: Step, next: SearchField): string {
  const message = messageOf('incomplete_payload', next);
  const more = [
    ...(step.isAskedAgain || step.proposed !== undefined ? askFirst(step) : []),
    ...(next === 'amenities' ? [SEARCH_IS_COMPLETE] : []),
    ...(step.isChange ? [CHANGE] : []),
  ];
  return more.length === 0 ? message : `${message}. ${more.join(' ')}`;
}

/** Asks the model to consult the traveller before it takes a value that was not requested. */
function askFirst(step: Step): readonly string[] {
  const { isAskedAgain } = step;
  if (proposesChange(step))
    return [
      'Ask the traveller before you follow next_request: its value is near the one that was cleared, but another.',
    ];
  return isAskedAgain
    ? [
        'What was sent for it was refused: ask the traveller before you follow next_request, which is only the first value on offer.',
      ]
    : [];
}

/** The ordinary `incomplete_payload` body, for a step with a next field. */
export function stepAnswer(step: Step, sideEffects: SideEffects, context: StepContext): SearchStep {
  if (step.next === null) throw new Error('a step without a next field has no incomplete_payload body');
  const links = context.links.forSession(context);
  const isOfResult = linksBackToResult(step);
  const { requests, truncated } = offeredRequests(step, step.next, context.view, links);
  const [next] = requests;
  if (next === undefined) throw new Error(`the next field ${step.next} has no values`);
  return {
    ...requestEcho(context),
    session: context.token,
    error: 'incomplete_payload',
    message: stepMessage(step, step.next),
    ...searchState(step, sideEffects, context, links),
    next_required: step.next,
    next_request:
      (step.proposed === undefined ? undefined : proposedRequest(step, step.next, links)) ??
      (step.isAskedAgain ? { ...next, changes: [step.next] } : next),
    available_requests: isOfResult ? [...requests, resultLink(links)] : requests,
    ...truncated,
  };
}

/** A step of a complete search also links back to its result. */
function linksBackToResult({ next, isChange }: Step): boolean {
  return next === 'amenities' || isChange === true;
}

/** A refused request on a live session: the error and the whole step, so that the caller can continue from it. */
export function refusedStepAnswer(
  code: ErrorCode,
  step: Step,
  {
    refusal,
    sideEffects = NO_SIDE_EFFECTS,
    retryAfterSeconds,
    silent = [],
    notRead: missed = [],
    unsearchable,
    refused = [],
    message = messageOf(code),
    faultyParameter = null,
  }: RefusalDetails,
  { session, ...context }: AnswerContext & StepTools,
): SearchProblem {
  const state: StepContext = { ...context, revision: session.revision };
  const { repeat = [], reason } = unsearchable ?? {};
  const isLoading = reason === 'loading' || reason === 'resuming';
  const links = context.links.forSession(state);
  const { requests, truncated } =
    step.next === null
      ? { requests: [], truncated: {} }
      : offeredRequests(step, step.next, context.view, links, refusal?.carried ?? alongWith(repeat, step));
  const isAnswered = session.result?.answersPayload === true;
  return {
    ...requestEcho(context),
    session: context.token,
    error: code,
    message: [
      refusal
        ? refusalMessage(refusal, step.received)
        : unsearchable
          ? nothingSearchable(unsearchable)
          : silent.length > 0
            ? silentBrands(silent)
            : message,
      ...(refused.length > 0 ? [refusedHomes(refused)] : []),
      ...(missed.length > 0 ? [notRead(missed)] : []),
      ...(unsearchable ? [storedValuesSentence({ isRepeated: repeat.length > 0 })] : []),
      ...(unsearchable && !isLoading ? adviceOnScope(step) : []),
    ].join(' '),
    ...(refusal ? { ...refusalMembers(refusal), ...suggestedStays(refusal, links) } : {}),
    ...(sideEffects.refusal ? refusedAlong(sideEffects.refusal) : {}),
    ...(faultyParameter === null ? {} : { invalid_field: faultyParameter }),
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    ...searchState(step, sideEffects, state, links),
    ...(step.next === null ? {} : { next_required: step.next }),
    next_request:
      correctedRequest(refusal ?? { corrections: repeat }, links) ??
      elsewhereRequest(refusal, context) ??
      // After a refusal do not lead to the result: it answers the earlier values.
      (isAnswered && !refusal ? resultLink(links) : readRequest(links, refusal)),
    available_requests: isAnswered ? [...requests, resultLink(links)] : requests,
    ...truncated,
  };
}

/** Adds the supplied values to each value on offer of the next field. */
function alongWith(repeat: readonly Correction[], { next, allowed }: Step): readonly CarriedValues[] {
  const values = repeat.filter(({ field }) => field !== next);
  if (next === null || values.length === 0) return [];
  return (allowed[next] ?? []).map((one) => ({ with: { field: next, value: offeredValue(one) }, values }));
}

/** Advice on what can still be searched. */
function adviceOnScope({ next, allowed }: Step): readonly string[] {
  if (next === null || (allowed[next]?.length ?? 0) === 0) return [];
  if (next === 'brand_locked') return ['With brand_locked false every brand is searched.'];
  return next === 'destination' ? ['Other destinations can be searched.'] : [];
}

/** The refused part of a request that failed for another reason. */
function refusedAlong(refusal: Refusal): Partial<SearchProblem> {
  return { refused_fields: refusedFields(refusal), other_refusals: refusalBodies(refusal) };
}

function requestEcho({ method }: AnswerForm) {
  return { api_version: API_VERSION, status: OK, endpoint: PATHS.search, method } as const;
}

function searchState(
  step: Step,
  sideEffects: SideEffects,
  context: StepContext,
  links: SessionLinks,
): SearchState {
  return {
    received: step.received,
    missing_fields: [...step.missing],
    ...allowedValues(step, context.view),
    ...placesOf(step, context),
    ...hintsOf(step),
    field_order: [...step.order],
    depends_on: { ...step.dependsOn },
    ...(sideEffects === NO_SIDE_EFFECTS ? {} : membersOfSideEffects(sideEffects)),
    ...(step.resultReady ? { result_ready: true as const } : {}),
    url_template: links.template(step.given),
    schema_url: PATHS.schema,
    terms_url: PATHS.terms,
    terms_notice: TERMS_NOTICE,
    self_url: searchPath(context.token),
  };
}

/** Lists of dates can be longer than a model needs. Every value on offer remains acceptable. */
function allowedValues({ allowed, truncated }: Step, view: View) {
  const cut: Record<string, { shown: number; total: number }> = {};
  if (truncated) cut.destination = { ...truncated };
  const max = MAX_ALLOWED_VALUES[view];
  const shown: Record<string, unknown> = {};
  for (const [field, values] of Object.entries(allowed)) {
    shown[field] = values.length > max ? values.slice(0, max) : values;
    if (values.length > max) cut[field] = { shown: max, total: cut[field]?.total ?? values.length };
  }
  return {
    allowed_values: shown as AllowedValues,
    ...(Object.keys(cut).length > 0 ? { allowed_values_truncated: cut } : {}),
  };
}

/** The compact view names only the places that have an address in it. */
function placesOf(step: Step, { network, view }: StepContext): Pick<SearchState, 'places'> {
  const offered = step.allowed.destination ?? [];
  const named = view === 'full' ? offered : offered.slice(0, MAX_AVAILABLE_REQUESTS[view]);
  const places = new Map<string, NonNullable<SearchState['places']>[string]>();
  for (const id of named) {
    const place = network.places.get(id);
    if (place) places.set(id, { name: place.name, kind: place.kind, within: place.parent });
  }
  return places.size === 0 ? {} : { places: Object.fromEntries(places) };
}

function hintsOf({ missing }: Step): Pick<SearchState, 'field_hints'> {
  const hints: Record<string, string> = {};
  for (const field of missing) {
    const { hint } = FIELDS[field].description;
    if (hint !== undefined) hints[field] = hint;
  }
  return Object.keys(hints).length === 0 ? {} : { field_hints: hints };
}

/** Some fields are offered as plain strings, others as objects that also describe the value. */
function offeredValue(offered: NonNullable<AllowedValues[SearchField]>[number]): string {
  return typeof offered === 'string' ? offered : String(offered.value);
}

function offeredRequests(
  step: Step,
  field: SearchField,
  view: View,
  links: SessionLinks,
  carried: readonly CarriedValues[] = [],
) {
  const { supply } = links;
  const offered = step.allowed[field] ?? [];
  const max = MAX_AVAILABLE_REQUESTS[view] - (linksBackToResult(step) ? 1 : 0);
  const requests: { field: SearchField; value: string; url: string }[] = [];
  for (const [ordinal, one] of offered.slice(0, max).entries()) {
    const value = typeof one === 'string' ? one : offeredValue(one);
    const carrying =
      carried.length > 0 && carried.find((each) => each.with.field === field && each.with.value === value);
    const url = carrying
      ? links.supplyAll([carrying.with, ...carrying.values], ordinal)
      : supply(field, value, ordinal);
    requests.push({ field, value, url });
  }
  const total = field === 'destination' && step.truncated ? step.truncated.total : offered.length;
  if (total <= requests.length) return { requests, truncated: {} };
  const url_template = links.valueTemplate(field);
  return {
    requests,
    truncated: { available_requests_truncated: { shown: requests.length, total, url_template } },
  };
}

function proposedRequest(step: Step, field: SearchField, links: SessionLinks) {
  const { proposed } = step;
  if (proposed === undefined) return undefined;
  const request = { field, value: proposed, url: links.supply(field, proposed, 'suggested') };
  return proposesChange(step) ? { ...request, changes: [field] } : request;
}

/** Whether the proposed value differs from the received one. The choices of a field propose the received value. */
function proposesChange({ proposed, next, received }: Step): boolean {
  return proposed !== undefined && next !== null && String(received[next]) !== proposed;
}

/** A brand with one location has no other destination, so link to a new session of the whole network. */
function elsewhereRequest(refusal: Refusal | undefined, context: StepTools & AnswerForm) {
  const { code = null, field = null } = refusal?.faults[0] ?? {};
  return code === 'unknown_field' && field === 'destination'
    ? authRequest(context.links, null, context)
    : undefined;
}

function readRequest(links: SessionLinks, refusal: Refusal | undefined) {
  const { code, field = null } = refusal?.faults[0] ?? {};
  const isRefused = code === 'invalid_value' && field !== null;
  return { method: 'GET', url: isRefused ? links.readAfterRefusal(field) : links.read() };
}

function resultLink(links: SessionLinks) {
  return { method: 'GET', path: PATHS.result, url: links.result() } as const;
}
