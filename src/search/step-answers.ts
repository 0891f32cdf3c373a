import { LRUCache } from 'lru-cache';
import type { ErrorCode } from '../contract/errors.ts';
import { type Answer, answerWith } from '../contract/exchange.ts';
import {
  isPayloadField,
  type Payload,
  type PayloadField,
  type SearchField,
} from '../contract/payload-fields.ts';
import { refusedFieldOf, revisionOfServiceKey } from '../sessions/idempotency.ts';
import { type Session, withNextRevision } from '../sessions/session.ts';
import { formatDay, parseDay } from '../stay/day.ts';
import {
  type AnswerForm,
  type AnswerWriter,
  NO_SIDE_EFFECTS,
  type RefusalDetails,
  type SideEffects,
  type StepText,
} from './answer-writer.ts';
import { retryAfterSilence } from './complete-search.ts';
import { type Decision, NOTHING_CLEARED } from './decide-step.ts';
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
import { answered, type StepEnd, type StepRequest } from './step-request.ts';
import { unreadIn } from './unready-brands.ts';
import { dependsOnHomes, type Unsearchable } from './unsearchable.ts';

/** A request refused by the index, or else by every operator. */
type RefusedRequest = Extract<Decision, { kind: 'refused' }> &
  Partial<Pick<RefusedStay, 'refused' | 'impossible'>>;

/** A decision that leads to no result. */
export type StepDecision = Extract<Decision, { kind: 'incomplete' }> | RefusedRequest | Unsearchable;

/** Writes every answer to a search request except results. */
export type StepAnswers = {
  /** `isStep` when the answer is a step that refuses nothing. */
  to(
    decision: StepDecision,
    request: StepRequest,
    /** The decision's session is stored as the next state of the request's. */
    isSaved?: boolean,
  ): { readonly answer: Answer; readonly isStep: boolean };
  /** The answer together with the change to store and the report. */
  end(decision: StepDecision, request: StepRequest, search?: SearchEnd | null): StepEnd;
  /** For a reading after a value was refused and the old value stayed: the step that asks for the field again. */
  askedAgain(request: StepRequest): Answer | undefined;
  /** The possible values of a field, whether or not it is answered; undefined while it has none. */
  choices(field: PayloadField, request: StepRequest): Answer | undefined;
  /** An error with the current step. */
  refuse(code: ErrorCode, request: StepRequest, details?: RefusalDetails): Answer;
  /** The session keeps its answers; reading the search asks the operators again. */
  untilOperatorsAnswer(request: StepRequest, details?: RefusalDetails): Answer;
};

const RETRY_AFTER_NOTHING_OFFERED_SECONDS = 30;
const RETRY_AFTER_LOADING_SECONDS = 2;

export function createStepAnswers({
  answers,
  facts,
}: {
  readonly answers: AnswerWriter;
  readonly facts: () => SearchFacts;
}): StepAnswers {
  const renderStep = createRepeatedSteps(answers);

  function end(decision: StepDecision, request: StepRequest, search: SearchEnd | null = null): StepEnd {
    const { session: before, supplied, usedKey } = request;
    const { session } = decision;
    const isNewState = session !== before;
    const { answer, isStep } = to(decision, request, isNewState);
    // A refusal and its key are stored only if the request also had accepted values.
    const isStored = isNewState || (isStep && usedKey !== null);
    const refusal = decision.kind === 'refused' ? decision.refusal : null;
    const isPaused =
      decision.kind === 'unsearchable' && decision.reason !== 'unread' && decision.reason !== 'loading';
    return {
      outcome: answered(answer),
      change: isStored ? { session, isNewState, storesKey: true } : undefined,
      carriedOut: { before, after: session, supplied, refusal, isPaused, search },
    };
  }

  function to(decision: StepDecision, request: StepRequest, isSaved = false): ReturnType<StepAnswers['to']> {
    const { session, token, method, view } = request;
    // Addresses carry the revision of the state that they continue.
    const context = {
      session: isSaved ? withNextRevision(decision.session) : decision.session,
      token,
      method,
      view,
    };
    const sideEffects = sideEffectsOf(request, decision);
    const nothingOnOffer = (
      step: Step,
      details: RefusalDetails,
      retryAfterSeconds = RETRY_AFTER_NOTHING_OFFERED_SECONDS,
    ) => {
      const body = answers.refusal('nothing_on_offer', step, { ...details, retryAfterSeconds }, context);
      const answer = answerWith(body, { error: 'nothing_on_offer', retryAfterSeconds });
      return { answer, isStep: false };
    };
    if (decision.kind === 'unsearchable') {
      const { mistakes, fieldToChange } = decision;
      return nothingOnOffer(
        fieldToChange === null
          ? standingStep(decision.session, facts())
          : standingStepAskingFor(fieldToChange, decision.session, facts()),
        { unsearchable: decision, sideEffects: { ...sideEffects, refusal: mistakes } },
        decision.reason === 'loading' || decision.reason === 'resuming'
          ? RETRY_AFTER_LOADING_SECONDS
          : RETRY_AFTER_NOTHING_OFFERED_SECONDS,
      );
    }
    const notRead = () => {
      const { unready, network } = facts();
      return unreadIn(criteriaOf(decision.session, decision.session.payload), unready, network);
    };
    if (decision.kind === 'refused') {
      const { refusal, refused = [] } = decision;
      const [{ code }] = refusal.faults;
      const isOfIndex = refusal.faults.some(dependsOnHomes);
      const details = { refusal, sideEffects, refused, notRead: isOfIndex ? notRead() : [] };
      const body = answers.refusal(code, stepAfter(decision), details, context);
      return { answer: answerWith(body, { error: code }), isStep: false };
    }
    const { step, text } = renderStep(decision.session, { method, view }, facts());
    if (isDeadEnd(step)) return nothingOnOffer(step, { sideEffects, notRead: notRead() });
    if (isReadAfterRefusal(request, step.next)) {
      const write = answers.step({ ...step, isAskedAgain: true }, sideEffects, { method, view });
      return { answer: answerWith(write(context), { error: 'incomplete_payload' }), isStep: true };
    }
    const isPlain =
      !sideEffects.isFromEarlierStep && !sideEffects.fulfilled && sideEffects.cleared.fields.length === 0;
    const write = isPlain
      ? text
      : answers.step(withProposal(step, session.payload, decision.session, facts()), sideEffects, {
          method,
          view,
        });
    return { answer: answerWith(write(context), { error: 'incomplete_payload' }), isStep: true };
  }

  function askedAgain(request: StepRequest): Answer | undefined {
    const { session, token, method, view } = request;
    const field = refusedFieldOf(request.key, session.revision);
    if (field === undefined || !isPayloadField(field) || session.payload[field] === undefined)
      return undefined;
    const step = standingStepAskingFor(field, session, facts());
    if (step.next !== field) return undefined;
    const write = answers.step({ ...step, isAskedAgain: true }, NO_SIDE_EFFECTS, { method, view });
    return answerWith(write({ session, token }), { error: 'incomplete_payload' });
  }

  function stepAfter({ session, refusal, impossible }: RefusedRequest): Step {
    const [{ code, field }] = refusal.faults;
    const isWrongValue = code === 'invalid_value' && field !== null && isPayloadField(field);
    const step = isWrongValue ? stepWithValuesOf(field, session, facts()) : currentStep(session, facts());
    return impossible ? withoutImpossible(step, impossible) : step;
  }

  function choices(field: PayloadField, { session, token, method, view }: StepRequest): Answer | undefined {
    const step = choicesStep(field, session, facts());
    if (!step) return undefined;
    const write = answers.step(step, NO_SIDE_EFFECTS, { method, view });
    return answerWith(write({ session, token }), { error: 'incomplete_payload' });
  }

  function refuse(
    code: ErrorCode,
    { session, token, method, view }: StepRequest,
    details: RefusalDetails = {},
  ): Answer {
    const step = currentStep(session, facts());
    const body = answers.refusal(code, step, details, { session, token, method, view });
    return answerWith(body, { error: code, retryAfterSeconds: details.retryAfterSeconds ?? null });
  }

  return {
    to,
    end,
    askedAgain,
    choices,
    refuse,
    untilOperatorsAnswer: (
      request,
      details = { retryAfterSeconds: retryAfterSilence(request.session, facts().now) },
    ) => refuse('upstream_unavailable', request, details),
  };
}

function isReadAfterRefusal({ session, key, supplied }: StepRequest, field: SearchField | null): boolean {
  return supplied.length === 0 && field !== null && field === refusedFieldOf(key, session.revision);
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

type RenderedStep = { readonly step: Step; readonly text: StepText };

/** Expects a payload without stale values. */
type RenderStep = (session: Session, form: AnswerForm, facts: SearchFacts) => RenderedStep;

/**
 * Caches steps, because most sessions are at the same few. A step depends only on the kind of session, its payload and the index, so it is
 * valid until the revision of the index changes.
 */
export function createRepeatedSteps(answers: Pick<AnswerWriter, 'step'>): RenderStep {
  const steps = new LRUCache<string, RenderedStep & { readonly revision: string }>({ max: MAX_STEPS });

  return (session, form, facts) => {
    // Not cached: a refine step offers what was counted for one result.
    if (session.result?.answersPayload) return rendered(refineStep(session), form);
    const revision = facts.index.revision(criteriaOf(session, session.payload), facts.now);
    const { source, onlyPlace, payload, amenities, result } = session;
    const { method, view } = form;
    const key = JSON.stringify([method, view, source, onlyPlace, payload, amenities, result === null]);
    const known = steps.get(key);
    if (known?.revision === revision) return known;
    const fresh = { ...rendered(searchStep(session, payload, facts), form), revision };
    steps.set(key, fresh);
    return fresh;
  };

  function rendered(step: Step, form: AnswerForm): RenderedStep {
    let text: StepText | undefined;
    return {
      step,
      // Lazy, because a step without values has no text.
      text: (context) => {
        text ??= answers.step(step, NO_SIDE_EFFECTS, form);
        return text(context);
      },
    };
  }
}

export function sideEffectsOf(request: StepRequest, decision: Decision): SideEffects {
  const fulfilled = decision.kind === 'unsearchable' ? undefined : decision.fulfilled;
  return {
    cleared: decision.kind === 'answered' ? NOTHING_CLEARED : decision.cleared,
    ...(fulfilled ? { fulfilled } : {}),
    refusal: decision.kind === 'quote' ? decision.refusal : null,
    isFromEarlierStep: isFromEarlierStep(request),
  };
}

/** Whether the request supplies values by an address that an earlier step offered. */
function isFromEarlierStep({ session, key, supplied }: StepRequest): boolean {
  const offeredAt = key === null || supplied.length === 0 ? undefined : revisionOfServiceKey(key);
  return offeredAt !== undefined && offeredAt < session.revision;
}
