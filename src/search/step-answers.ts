import type { UnsearchableBrands } from '../catalogue/catalogue.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { type Answer, answerWith } from '../contract/exchange.ts';
import {
  isPayloadField,
  type Payload,
  type PayloadField,
  type SearchField,
} from '../contract/payload-fields.ts';
import { refusedFieldOf } from '../sessions/idempotency.ts';
import type { Session } from '../sessions/session.ts';
import { withNextRevision } from '../sessions/session.ts';
import { formatDay, parseDay } from '../stay/day.ts';
import { type AnswerWriter, NO_SIDE_EFFECTS, type RefusalDetails } from './answer-writer.ts';
import { retryAfterSilence } from './complete-search.ts';
import { criteriaOf } from './criteria.ts';
import type { Decision } from './decide-step.ts';
import { nearestOffered } from './fields/rules.ts';
import { type RefusedStay, withoutImpossible } from './refuse-stay.ts';
import { createRepeatedSteps } from './repeated-steps.ts';
import type { SearchFacts } from './search-facts.ts';
import { sideEffectsOf } from './side-effects.ts';
import {
  choicesStep,
  currentStep,
  isDeadEnd,
  type Step,
  standingStep,
  standingStepWithWayOut,
  stepWithValuesOf,
} from './step.ts';
import type { StepRequest } from './step-request.ts';
import { saysThatNothingFits, type UnsearchableScope } from './undecided-scope.ts';
import { unsearchableIn } from './unsearchable-scope.ts';

/** A request that is refused by the index, or else by every operator. */
type RefusedRequest = Extract<Decision, { kind: 'refused' }> &
  Partial<Pick<RefusedStay, 'refused' | 'impossible'>>;

/** What leads to no result. */
export type Unsettled = Extract<Decision, { kind: 'incomplete' }> | RefusedRequest | UnsearchableScope;

/** Every answer to a search request that is no result. */
export type StepAnswers = {
  /** `isStep` when it leads on, and refuses nothing. */
  to(
    decision: Unsettled,
    request: StepRequest,
    /** Whether the session of the decision is stored as the next state of the request's. */
    options: { readonly isSaved: boolean },
  ): { readonly answer: Answer; readonly isStep: boolean };
  /** To a reading after a value was refused in whose place another stands: the step that asks for the field again. */
  askedAgain(request: StepRequest): Answer | undefined;
  /** What a field could be, whether or not it is answered; undefined where it has no values yet. */
  choices(field: PayloadField, request: StepRequest): Answer | undefined;
  /** An error with the current step. */
  refuse(code: ErrorCode, request: StepRequest, details?: RefusalDetails): Answer;
  /** The answers are kept; reading the search asks the operators again. */
  untilOperatorsAnswer(request: StepRequest, details?: RefusalDetails): Answer;
};

const RETRY_AFTER_NOTHING_OFFERED_SECONDS = 30;
const RETRY_AFTER_LOADING_SECONDS = 2;

export function createStepAnswers({
  answers,
  unsearchableBrands,
  facts,
}: {
  readonly answers: AnswerWriter;
  readonly unsearchableBrands: UnsearchableBrands;
  readonly facts: () => SearchFacts;
}): StepAnswers {
  const renderStep = createRepeatedSteps(answers);

  function to(
    decision: Unsettled,
    request: StepRequest,
    { isSaved }: Parameters<StepAnswers['to']>[2],
  ): ReturnType<StepAnswers['to']> {
    const { session, token, method, view } = request;
    // Addresses carry the revision of the state they lead on from.
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
    if (decision.kind === 'unread') {
      const { unsearchable, repeat, mistakes, isLoading, isPaused, isOfPlace, wayOut } = decision;
      const details = { unsearchable, repeat, isUnsearchable: true, isLoading, isPaused, isOfPlace };
      return nothingOnOffer(
        wayOut === null
          ? standingStep(decision.session, facts())
          : standingStepWithWayOut(wayOut, decision.session, facts()),
        { ...details, sideEffects: { ...sideEffects, refusal: mistakes } },
        isLoading ? RETRY_AFTER_LOADING_SECONDS : RETRY_AFTER_NOTHING_OFFERED_SECONDS,
      );
    }
    const unsearchable = () =>
      unsearchableIn(
        criteriaOf(decision.session, decision.session.payload),
        unsearchableBrands(),
        facts().network,
      );
    if (decision.kind === 'refused') {
      const { refusal, refused = [] } = decision;
      const [{ code }] = refusal.faults;
      const isOfIndex = refusal.faults.some(saysThatNothingFits);
      const details = { refusal, sideEffects, refused, unsearchable: isOfIndex ? unsearchable() : [] };
      const body = answers.refusal(code, stepAfter(decision), details, context);
      return { answer: answerWith(body, { error: code }), isStep: false };
    }
    const { step, text } = renderStep(decision.session, { method, view }, facts());
    if (isDeadEnd(step)) return nothingOnOffer(step, { sideEffects, unsearchable: unsearchable() });
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
    const step = standingStepWithWayOut(field, session, facts());
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
 * A step that asks again for an answer that was cleared proposes the value nearest to it: a party of ten that has no home any
 * more is not one person.
 */
export function withProposal(step: Step, before: Payload, session: Session, facts: SearchFacts): Step {
  const { next } = step;
  if (next === null || !isPayloadField(next)) return step;
  const lost = next === 'check_out' ? departureLost(before, session.payload) : before[next];
  if (lost === undefined) return step;
  const [proposed] = nearestOffered(next, [String(lost)], { session, payload: session.payload, facts });
  return proposed === undefined ? step : { ...step, proposed };
}

/** For the arrival that stands now, after as many nights as before. */
function departureLost(before: Payload, after: Payload): string | undefined {
  const [arrival, departure, arrivalNow] = [before.check_in_day, before.check_out, after.check_in_day].map(
    (text) => (text === undefined ? undefined : parseDay(text)),
  );
  if (arrival === undefined || departure === undefined || arrivalNow === undefined) return undefined;
  return formatDay(arrivalNow + departure - arrival);
}
