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
import { createCommitStep, followedKey, usedKeyOf } from './commit-step.ts';
import type { CompleteSearch } from './complete-search.ts';
import { type Decision, decideStep } from './decide-step.ts';
import { withDeparture } from './intended-stay.ts';
import { askedFields, type SearchFacts } from './payload.ts';
import { createQuoteStep } from './quote-step.ts';
import type { ReadResult } from './read-result.ts';
import { type CarriedOut, NO_OBSERVER, type SearchEnd, type SearchObserver } from './search-observer.ts';
import { createStepAnswers, type StepDecision, sideEffectsOf } from './step-answers.ts';
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
import { withoutFalseNothingFree } from './unsearchable-scope.ts';

/** Takes the values of a request. Without values it reads the step, or the choices of a field. */
export type TakeStep = (request: OperationRequest, found: LiveSession) => Promise<StepOutcome>;

const RETRY_AFTER_CONFLICTS_SECONDS = 1;
const NOT_SAVED = { isSaved: false };
const NO_VALUES: Reading<readonly SuppliedValue[], RequestFault> = valid([]);
/** Time after the deadline of prices to write and store their answer. */
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
  observe = NO_OBSERVER,
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
  /** Called when another change of the session came first, perhaps on another node. */
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
    answerAndCommit,
    report,
    facts,
    clock,
    claimMs,
  });
  const takeInTurn = createTakeInTurn({
    sessions,
    clock,
    claimMs,
    attempt: async (request) => (await replay(request)) ?? carryOutUnlessKeysAreFull(request),
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

  /** The result was deleted: with an expired session, or with the whole session. */
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

  /** Repeats the refusals and fulfilled amenities of the first answer; the accepted values are set already, so nothing changes. */
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
    return decision.kind === 'incomplete' || decision.kind === 'unsearchable'
      ? stepAnswers.to(decision, { ...request, supplied: [] }, NOT_SAVED).answer
      : stepAnswers.untilOperatorsAnswer(request);
  }

  /** Refuses when the session's key table is full: the key could not protect a retry. */
  async function carryOutUnlessKeysAreFull(request: StepRequest): Promise<AttemptOutcome> {
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
      // Do not note the key of an earlier step's address: following it again is not a repeat.
      return request.usedKey && !sideEffects.isFromEarlierStep
        ? commit(request, { session }, answer)
        : answered(answer);
    }
    return answerAndCommit(decision, request);
  }

  async function answerAndCommit(
    decision: StepDecision,
    request: StepRequest,
    search: SearchEnd | null = null,
  ): Promise<AttemptOutcome> {
    const { session, supplied } = request;
    const isSaved = decision.session !== session;
    const { answer, isStep } = stepAnswers.to(decision, request, { isSaved });
    // A refusal and its key are stored only if the request also had accepted values.
    const outcome =
      isSaved || (isStep && request.usedKey)
        ? await commit(request, { session: decision.session }, answer)
        : answered(answer);
    const refusal = decision.kind === 'refused' ? decision.refusal : null;
    const isPaused = decision.kind === 'unsearchable' && decision.isPaused;
    return report({ before: session, after: decision.session, supplied, refusal, isPaused, search }, outcome);
  }

  /** Reports the step, unless another change came first: then the retry reports it. */
  function report(step: CarriedOut, outcome: AttemptOutcome): AttemptOutcome {
    if (outcome.kind !== 'conflict') observe.carriedOut(step);
    return outcome;
  }

  /** Decides the step, unless the index knows no home of the brands in scope: then "nothing is free" could be false. */
  function decide(session: Session, given: readonly SuppliedValue[]): Decision | UnsearchableScope {
    const known = facts();
    const supplied = withDeparture(given, session.payload);
    const decision = decideStep(session, supplied, known);
    if (decision.kind === 'answered') return decision;
    const unsearchable = unsearchableBrands();
    if (unsearchable.length === 0) return decision;
    const undecided = unsearchableScope({ session, supplied, decision, unsearchable, facts: known });
    // A current result stays readable.
    if (undecided && supplied.length === 0 && session.result?.answersPayload)
      return { kind: 'answered', session };
    if (undecided) return undecided;
    return decision.kind === 'incomplete'
      ? decision
      : withoutFalseNothingFree(decision, supplied, unsearchable, known);
  }

  /** Undefined when it was deleted with the expired session. Side effects are added to the answer, not to the stored result. */
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
