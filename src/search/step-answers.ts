import { LRUCache } from 'lru-cache';
import type { Brand } from '../catalogue/catalogue.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { type Answer, answerWith } from '../contract/exchange.ts';
import { isPayloadField, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import { refusedFieldOf } from '../sessions/idempotency.ts';
import { type Session, withNextRevision } from '../sessions/session.ts';
import { formatDay, parseDay } from '../stay/day.ts';
import type { Links } from './answers/links.ts';
import {
  type AnswerContext,
  type AnswerForm,
  NO_SIDE_EFFECTS,
  type RefusalDetails,
  type SideEffects,
} from './answers/side-effects.ts';
import { refusedStepAnswer, type StepText, stepAnswer, stepText } from './answers/step-answer.ts';
import { retryAfterSilence } from './complete-search.ts';
import { type Decision, NOTHING_CLEARED, type Unsearchable } from './decision.ts';
import { nearestOffered } from './fields/rules.ts';
import { criteriaOf, type SearchFacts } from './payload.ts';
import { type RefusedStay, withoutImpossible } from './refuse-stay.ts';
import type { SearchEnd } from './search-observer.ts';
import {
  choicesStep,
  currentStep,
  isDeadEnd,
  refineStep,
  type Step,
  searchStep,
  standingStep,
  standingStepAskingFor,
  stepWithValuesOf,
} from './step.ts';
import type { StepEnd, StepRequest } from './step-request.ts';
import { unreadIn } from './unready-brands.ts';
import { dependsOnHomes } from './unsearchable.ts';

/** A request refused by the index, or else by every operator. */
type RefusedRequest = Extract<Decision, { kind: 'refused' }> &
  Partial<Pick<RefusedStay, 'refused' | 'impossible'>>;

/** A decision that leads to no result. */
export type StepDecision = Extract<Decision, { kind: 'incomplete' }> | RefusedRequest | Unsearchable;

/** Every answer to a search request except results. `facts` are those by which the request was decided. */
export type StepAnswers = ReturnType<typeof createStepAnswers>;

const RETRY_AFTER_NOTHING_OFFERED_SECONDS = 30;
const RETRY_AFTER_LOADING_SECONDS = 2;

export function createStepAnswers(links: Links) {
  const repeatedStep = createRepeatedSteps(links);

  /** The answer to a decision, with the change to store and the report. */
  function end(
    decision: StepDecision,
    request: StepRequest,
    facts: SearchFacts,
    search: SearchEnd | null = null,
  ): StepEnd {
    const { session: before, supplied, usedKey } = request;
    const { session } = decision;
    const isNewState = session !== before;
    const answer = to(decision, request, facts, isNewState);
    // A refusal and its key are stored only if the request also had accepted values.
    const isStored = isNewState || (answer.error === 'incomplete_payload' && usedKey !== null);
    const refusal = decision.kind === 'refused' ? decision.refusal : null;
    const isPaused =
      decision.kind === 'unsearchable' && decision.reason !== 'unread' && decision.reason !== 'loading';
    return {
      outcome: { kind: 'answered', answer },
      change: isStored ? { session, isNewState, storesKey: true } : undefined,
      carriedOut: { before, after: session, supplied, refusal, isPaused, search },
    };
  }

  /** `isSaved` when the decision's session is stored as the next state of the request's: addresses carry the revision that they continue. */
  function to(decision: StepDecision, request: StepRequest, facts: SearchFacts, isSaved = false): Answer {
    const { session: before, token, method, view, key, supplied } = request;
    const { session: after } = decision;
    const session = isSaved ? withNextRevision(after) : after;
    const sideEffects = sideEffectsOf(request, decision);
    switch (decision.kind) {
      case 'unsearchable': {
        const { mistakes, fieldToChange, reason } = decision;
        const step =
          fieldToChange === null
            ? standingStep(after, facts)
            : standingStepAskingFor(fieldToChange, after, facts);
        const isSoon = reason === 'loading' || reason === 'resuming';
        return refuseWith('nothing_on_offer', step, { ...request, session }, facts, {
          unsearchable: decision,
          sideEffects: { ...sideEffects, refusal: mistakes },
          retryAfterSeconds: isSoon ? RETRY_AFTER_LOADING_SECONDS : RETRY_AFTER_NOTHING_OFFERED_SECONDS,
        });
      }
      case 'refused': {
        const { refusal, refused = [], impossible } = decision;
        const [{ code, field }] = refusal.faults;
        const isWrongValue = code === 'invalid_value' && field !== null && isPayloadField(field);
        const step = isWrongValue ? stepWithValuesOf(field, after, facts) : currentStep(after, facts);
        return refuseWith(
          code,
          impossible ? withoutImpossible(step, impossible) : step,
          { ...request, session },
          facts,
          {
            refusal,
            sideEffects,
            refused,
            notRead: refusal.faults.some(dependsOnHomes) ? notReadBy(after, facts) : [],
          },
        );
      }
      case 'incomplete': {
        // A refine step offers what was counted for one result.
        const { step, text } = after.result?.answersPayload
          ? { step: refineStep(after), text: null }
          : repeatedStep(after, request, facts);
        if (text === null && isDeadEnd(step)) {
          return refuseWith('nothing_on_offer', step, { ...request, session }, facts, {
            sideEffects,
            notRead: notReadBy(after, facts),
            retryAfterSeconds: RETRY_AFTER_NOTHING_OFFERED_SECONDS,
          });
        }
        const isAskedAgain =
          key !== null &&
          supplied.length === 0 &&
          step.next !== null &&
          step.next === refusedFieldOf(key, before.revision);
        const isPlain =
          !sideEffects.isFromEarlierStep && !sideEffects.fulfilled && sideEffects.cleared.fields.length === 0;
        if (text && isPlain && !isAskedAgain) return { ...INCOMPLETE, body: text(token, session.revision) };
        const shown = isAskedAgain
          ? { ...step, isAskedAgain }
          : isPlain
            ? step
            : withProposal(step, before.payload, after, facts);
        return showStep(shown, { session, token, method, view }, facts, sideEffects);
      }
    }
  }

  /** For a reading after a value was refused and the old value stayed: the step that asks for the field again. */
  function askedAgain(request: StepRequest, facts: SearchFacts): Answer | undefined {
    const { session, key } = request;
    const field = refusedFieldOf(key, session.revision);
    if (field === undefined || !isPayloadField(field) || session.payload[field] === undefined)
      return undefined;
    const step = standingStepAskingFor(field, session, facts);
    return step.next === field ? showStep({ ...step, isAskedAgain: true }, request, facts) : undefined;
  }

  /** The possible values of a field, whether or not it is answered; undefined while it has none. */
  function choices(field: PayloadField, request: StepRequest, facts: SearchFacts): Answer | undefined {
    const step = choicesStep(field, request.session, facts);
    return step && showStep(step, request, facts);
  }

  function showStep(
    step: Step,
    { session, token, method, view }: AnswerContext,
    { network }: SearchFacts,
    sideEffects = NO_SIDE_EFFECTS,
  ): Answer {
    const context = { links, network, token, revision: session.revision, method, view };
    return { ...INCOMPLETE, body: stepAnswer(step, sideEffects, context) };
  }

  /** An error with the current step. */
  function refuse(
    code: ErrorCode,
    request: StepRequest,
    facts: SearchFacts,
    details: RefusalDetails = {},
  ): Answer {
    return refuseWith(code, currentStep(request.session, facts), request, facts, details);
  }

  function refuseWith(
    code: ErrorCode,
    step: Step,
    { session, token, method, view }: AnswerContext,
    { network }: SearchFacts,
    details: RefusalDetails,
  ): Answer {
    const body = refusedStepAnswer(code, step, details, { links, network, session, token, method, view });
    return answerWith(body, { error: code, retryAfterSeconds: details.retryAfterSeconds ?? null });
  }

  /** The session keeps its answers; reading the search asks the operators again. */
  function untilOperatorsAnswer(
    request: StepRequest,
    facts: SearchFacts,
    details: RefusalDetails = { retryAfterSeconds: retryAfterSilence(request.session, facts.now) },
  ): Answer {
    return refuse('upstream_unavailable', request, facts, details);
  }

  return { end, to, askedAgain, choices, refuse, untilOperatorsAnswer };
}

const INCOMPLETE = {
  error: 'incomplete_payload',
  replayed: false,
  retryAfterSeconds: null,
  tag: null,
  current: null,
} as const satisfies Omit<Answer, 'body'>;

function notReadBy(session: Session, { unready, network }: SearchFacts): readonly Brand[] {
  return unreadIn(criteriaOf(session, session.payload), unready, network);
}

/**
 * A step that asks again for a cleared answer proposes the value nearest to it: when no home takes a party of ten any more, the first value
 * on offer, one guest, would be a bad proposal.
 */
export function withProposal(step: Step, before: Payload, session: Session, facts: SearchFacts): Step {
  const { next } = step;
  if (next === null || !isPayloadField(next)) return step;
  const lost = next === 'check_out' ? departureLost(before, session.payload) : before[next];
  if (lost === undefined) return step;
  const [proposed] = nearestOffered(next, [String(lost)], { session, payload: session.payload, facts });
  return proposed === undefined ? step : { ...step, proposed };
}

/** The departure after the current arrival and as many nights as before. */
function departureLost(before: Payload, after: Payload): string | undefined {
  const [arrival, departure, arrivalNow] = [before.check_in_day, before.check_out, after.check_in_day].map(
    (text) => (text === undefined ? undefined : parseDay(text)),
  );
  if (arrival === undefined || departure === undefined || arrivalNow === undefined) return undefined;
  return formatDay(arrivalNow + departure - arrival);
}

const MAX_STEPS = 500;

/** The text is null for a step without values. */
type RepeatedStep = { readonly step: Step; readonly text: StepText | null };

/**
 * Caches steps with their text, because most sessions are at the same few. A step depends only on the kind of session, its payload and the
 * index, so it is valid until the revision of the index changes. Expects a payload without stale values.
 */
export function createRepeatedSteps(links: Links) {
  const steps = new LRUCache<string, RepeatedStep & { readonly revision: string }>({ max: MAX_STEPS });

  return (session: Session, { method, view }: AnswerForm, facts: SearchFacts): RepeatedStep => {
    const { source, onlyPlace, payload, amenities, result } = session;
    const revision = facts.index.revision(criteriaOf(session, payload), facts.now);
    const key = JSON.stringify([method, view, source, onlyPlace, payload, amenities, result === null]);
    const known = steps.get(key);
    if (known?.revision === revision) return known;
    const step = searchStep(session, payload, facts);
    const tools = { links, network: facts.network };
    const hasValues = step.next !== null && !isDeadEnd(step);
    const fresh = { step, text: hasValues ? stepText(step, { method, view }, tools) : null, revision };
    steps.set(key, fresh);
    return fresh;
  };
}

export function sideEffectsOf(
  { session, supplied, offeredAt }: StepRequest,
  decision: Decision,
): SideEffects {
  const fulfilled = decision.kind === 'unsearchable' ? undefined : decision.fulfilled;
  return {
    cleared: decision.kind === 'answered' ? NOTHING_CLEARED : decision.cleared,
    ...(fulfilled ? { fulfilled } : {}),
    refusal: decision.kind === 'quote' ? decision.refusal : null,
    // It supplies values by an address that an earlier step offered.
    isFromEarlierStep: supplied.length > 0 && offeredAt !== undefined && offeredAt < session.revision,
  };
}
