import type { AvailabilityIndex } from '../availability/availability-index.ts';
import type { Network, UnsearchableBrands } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { REQUEST_FAULTS, type RequestFault } from '../contract/errors.ts';
import type { Answer, OperationRequest } from '../contract/exchange.ts';
import { MAX_OWN_KEYS_PER_SESSION } from '../contract/vocabulary.ts';
import { type Reading, valid } from '../parsing/reading.ts';
import { isServiceKey } from '../sessions/idempotency.ts';
import type { LiveSession, Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { type AnswerWriter, NO_SIDE_EFFECTS, type SideEffects } from './answer-writer.ts';
import { askedFields } from './asked-fields.ts';
import { createCommitStep } from './commit-step.ts';
import type { CompleteSearch } from './complete-search.ts';
import { type Decision, decideStep } from './decide-step.ts';
import { withDeparture } from './intended-nights.ts';
import { withoutFalseReason } from './paused-place.ts';
import { createQuoteStep } from './quote-step.ts';
import type { ReadResult } from './read-result.ts';
import type { SearchFacts } from './search-facts.ts';
import { type CarriedOut, NOBODY_COUNTS, type SearchEnd, type SearchObserver } from './search-observer.ts';
import { sideEffectsOf } from './side-effects.ts';
import { createStepAnswers, type Unsettled } from './step-answers.ts';
import {
  type AttemptOutcome,
  answered,
  SESSION_EXPIRED,
  SESSION_GONE,
  SESSION_USED_UP,
  type StepOutcome,
  type StepRequest,
} from './step-request.ts';
import { choicesAskedFor, readSupplied, type SuppliedValue } from './supplied-values.ts';
import { createTakeInTurn } from './take-in-turn.ts';
import { type UnsearchableScope, unsearchableScope } from './undecided-scope.ts';
import { followedKey, usedKeyOf } from './used-keys.ts';

/** Takes the values of a request, or reads the step when there are none, or the choices of a field. */
export type TakeStep = (request: OperationRequest, found: LiveSession) => Promise<StepOutcome>;

const RETRY_AFTER_CONFLICTS_SECONDS = 1;
const NOT_SAVED = { isSaved: false };
const NO_VALUES: Reading<readonly SuppliedValue[], RequestFault> = valid([]);
/** Beyond the deadline of prices, until their answer is written and stored. */
const CLAIM_GRACE_MS = 3000;

export function createTakeStep({
  sessions,
  index,
  network,
  unsearchableBrands,
  completeSearch,
  readResult,
  answers,
  clock,
  quoteDeadlineMs,
  observe = NOBODY_COUNTS,
  onContended = () => {},
}: {
  readonly sessions: SessionStore;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly unsearchableBrands: UnsearchableBrands;
  readonly completeSearch: CompleteSearch;
  readonly readResult: ReadResult;
  readonly answers: AnswerWriter;
  readonly clock: Clock;
  /** How long operators may take. */
  readonly quoteDeadlineMs: number;
  readonly observe?: Pick<SearchObserver, 'carriedOut'> | undefined;
  /** Another change of the session came first, perhaps on another node. */
  readonly onContended?: (outcome: 'conflict' | 'taken') => void;
}): TakeStep {
  const claimMs = quoteDeadlineMs + CLAIM_GRACE_MS;
  const facts = (): SearchFacts => ({ index, network, now: clock.now() });
  const stepAnswers = createStepAnswers({ answers, unsearchableBrands, facts });
  const commit = createCommitStep(sessions);
  const quote = createQuoteStep({
    sessions,
    completeSearch,
    answers,
    stepAnswers,
    commit,
    settle,
    tell,
    facts,
    clock,
    claimMs,
  });
  const takeInTurn = createTakeInTurn({
    sessions,
    clock,
    claimMs,
    attempt: async (request) => (await replay(request)) ?? carryOutIfRemembered(request),
    giveUp: (request) =>
      answered(
        stepAnswers.refuse('overloaded', request, { retryAfterSeconds: RETRY_AFTER_CONFLICTS_SECONDS }),
      ),
    onContended,
  });

  return async (received, { session, token }) => {
    const { values, caller, client, key, method, view, faultyParameter } = received;
    const named = values.kind === 'valid' ? choicesAskedFor(values.value) : undefined;
    const field = askedFields(session).order.find((one) => one === named);
    const supplied =
      field !== undefined
        ? NO_VALUES
        : values.kind === 'valid'
          ? readSupplied(values.value, received)
          : values;
    const request: StepRequest = {
      session,
      caller,
      client,
      token,
      method,
      view,
      key,
      usedKey: null,
      supplied: [],
    };
    if (supplied.kind === 'invalid') {
      const { code, message } = REQUEST_FAULTS[supplied.faults[0] ?? 'invalid_request'];
      return answered(stepAnswers.refuse(code, request, { message, faultyParameter }));
    }
    if (supplied.value.length > 0) {
      return takeInTurn({
        ...request,
        usedKey: usedKeyOf(session, key, supplied.value),
        supplied: supplied.value,
      });
    }
    const choices = field === undefined ? undefined : stepAnswers.choices(field, request);
    if (choices) return answered(choices);
    const askedAgain = stepAnswers.askedAgain(request);
    if (askedAgain) return answered(askedAgain);
    const decision = decide(session, []);
    if (decision.kind === 'answered') {
      const answer = await storedResult(request);
      return answer ? answered(answer) : withoutResult(request);
    }
    // Complete, but no operator answered last time: reading the step tries again.
    if (decision.kind === 'quote') return takeInTurn(request);
    return answered(stepAnswers.to(decision, request, NOT_SAVED).answer);
  };

  /** Its result is no longer there: it has ended, or the store has forgotten all of it. */
  async function withoutResult({ session }: StepRequest): Promise<StepOutcome> {
    return (await sessions.find(session.id)) ? SESSION_EXPIRED : SESSION_GONE;
  }

  /**
   * A repeated request is answered with the search as it stands, never with a past state. A key of the client's own is never
   * carried out twice; an offered address that is followed again after other changes is a change of mind.
   */
  async function replay(request: StepRequest): Promise<AttemptOutcome | undefined> {
    const { session, key, usedKey } = request;
    if (key === null || usedKey === null) return undefined;
    const used = isServiceKey(key)
      ? followedKey(session, usedKey.id)
      : await sessions.usedKey(session.id, usedKey.id);
    if (!used) return undefined;
    // The session was read before the request with this key was saved.
    if (used.revision > session.revision) return { kind: 'conflict' };
    if (used.fingerprint !== usedKey.fingerprint) {
      return isServiceKey(key) ? undefined : answered(stepAnswers.refuse('idempotency_key_reused', request));
    }
    const isUnchanged = used.revision === session.revision;
    if (isServiceKey(key) && !isUnchanged) return undefined;
    const answer =
      (isUnchanged ? await repeatedAnswer(request) : undefined) ?? (await currentAnswer(request));
    return answer ? answered({ ...answer, replayed: true }) : withoutResult(request);
  }

  /** What a request refused beside what it took, or found fulfilled, is said again; its values stand already, so nothing changes. */
  async function repeatedAnswer(request: StepRequest): Promise<Answer | undefined> {
    const decision = decide(request.session, request.supplied);
    if (decision.kind === 'answered')
      return storedResult(request, { ...sideEffectsOf(request, decision), isFromEarlierStep: false });
    if (request.session.result?.answersPayload) return undefined;
    const isRefused = decision.kind === 'refused' && decision.session === request.session;
    return isRefused ? stepAnswers.to(decision, { ...request, key: null }, NOT_SAVED).answer : undefined;
  }

  /** The result if it answers the search, otherwise the step. */
  async function currentAnswer(request: StepRequest): Promise<Answer | undefined> {
    if (request.session.result?.answersPayload) return storedResult(request);
    const decision = decide(request.session, []);
    // Complete without a result: the operators were silent. A replay does not ask them again.
    return decision.kind === 'incomplete' || decision.kind === 'unread'
      ? stepAnswers.to(decision, { ...request, supplied: [] }, NOT_SAVED).answer
      : stepAnswers.untilOperatorsAnswer(request);
  }

  /** What cannot be remembered is not carried out: a repeat of it would be carried out again. */
  async function carryOutIfRemembered(request: StepRequest): Promise<AttemptOutcome> {
    const isOwn = request.usedKey !== null && request.key !== null && !isServiceKey(request.key);
    const isUsedUp = isOwn && (await sessions.countUsedKeys(request.session.id)) >= MAX_OWN_KEYS_PER_SESSION;
    return isUsedUp ? SESSION_USED_UP : carryOut(request);
  }

  async function carryOut(request: StepRequest): Promise<AttemptOutcome> {
    const { session, supplied } = request;
    const decision = decide(session, supplied);
    if (decision.kind === 'quote') return quote(decision, request);
    if (decision.kind === 'answered') {
      const sideEffects = sideEffectsOf(request, decision);
      const answer = await storedResult(request, sideEffects);
      if (!answer) return withoutResult(request);
      // An address of an earlier step is none of this one, so following it again is no repeat either.
      return request.usedKey && !sideEffects.isFromEarlierStep
        ? commit(request, { session }, answer)
        : answered(answer);
    }
    return settle(decision, request);
  }

  async function settle(
    decision: Unsettled,
    request: StepRequest,
    search: SearchEnd | null = null,
  ): Promise<AttemptOutcome> {
    const { session, supplied } = request;
    const isSaved = decision.session !== session;
    const { answer, isStep } = stepAnswers.to(decision, request, { isSaved });
    // A refusal is saved, and its key remembered, only if the request also had values that were taken.
    const outcome =
      isSaved || (isStep && request.usedKey)
        ? await commit(request, { session: decision.session }, answer)
        : answered(answer);
    const refusal = decision.kind === 'refused' ? decision.refusal : null;
    const isPaused = decision.kind === 'unread' && decision.isPaused;
    return tell({ before: session, after: decision.session, supplied, refusal, isPaused, search }, outcome);
  }

  /** What another change of the session came before is tried again, and told then. */
  function tell(step: CarriedOut, outcome: AttemptOutcome): AttemptOutcome {
    if (outcome.kind !== 'conflict') observe.carriedOut(step);
    return outcome;
  }

  /** An index that knows no home of the brands in scope must not say that nothing is free: then nothing is decided. */
  function decide(session: Session, given: readonly SuppliedValue[]): Decision | UnsearchableScope {
    const known = facts();
    const supplied = withDeparture(given, session.payload);
    const decision = decideStep(session, supplied, known);
    if (decision.kind === 'answered') return decision;
    const unsearchable = unsearchableBrands();
    if (unsearchable.length === 0) return decision;
    const undecided = unsearchableScope({ session, supplied, decision, unsearchable, facts: known });
    // What a search has found can be read as long as nobody changes it.
    if (undecided && supplied.length === 0 && session.result?.answersPayload)
      return { kind: 'answered', session };
    if (undecided) return undecided;
    return decision.kind === 'incomplete'
      ? decision
      : withoutFalseReason(decision, supplied, unsearchable, known);
  }

  /** Undefined when it was deleted: the session has ended, at least for a while, by the wall clock. What is stored stays as it is. */
  async function storedResult(
    { session, token, view }: StepRequest,
    sideEffects: SideEffects = NO_SIDE_EFFECTS,
  ): Promise<Answer | undefined> {
    const reading = await readResult({ session, token }, view);
    if (reading.kind !== 'result') return undefined;
    const { answer } = reading;
    if (!sideEffects.fulfilled && !sideEffects.isFromEarlierStep) return answer;
    return { ...answer, body: answers.withSideEffects(answer.body.toString(), sideEffects) };
  }
}
