import type { Clock } from '../clock.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { type Answer, answerWith, type OperationRequest } from '../contract/exchange.ts';
import type { AvailabilityIndex } from '../inventory/availability-index/availability-index.ts';
import type { Network } from '../inventory/catalogue.ts';
import { isServiceKey } from '../sessions/idempotency.ts';
import { createOneAtATime } from '../sessions/one-at-a-time.ts';
import type { LiveSession, Session } from '../sessions/session.ts';
import type { SessionChange, SessionStore } from '../sessions/session-store.ts';
import { withoutToken, withToken } from '../sessions/session-token.ts';
import type { AnswerWriter, RefusalDetails } from './answer-writer.ts';
import type { CompleteSearch } from './complete-search.ts';
import { type Decision, decideStep } from './decide-step.ts';
import { issuedQuotes } from './issued-quotes.ts';
import type { ReadResult } from './read-result.ts';
import { createRepeatedSteps } from './repeated-steps.ts';
import type { SearchFacts } from './search-facts.ts';
import { currentStep, isDeadEnd, type Step, stepWithValuesOf } from './step.ts';
import { fingerprintOf, readSupplied, type SuppliedValue } from './supplied-values.ts';

export type StepOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'session_expired' };

/** Takes the values of a request, or reads the step when there are none. */
export type TakeStep = (request: OperationRequest, found: LiveSession) => Promise<StepOutcome>;

/** A search request with the session as last read. */
type StepRequest = {
  readonly session: Session;
  readonly token: string;
  readonly method: string;
  readonly key: string | null;
  readonly supplied: readonly SuppliedValue[];
};

type AttemptOutcome = StepOutcome | { readonly kind: 'conflict' };

const SESSION_EXPIRED: StepOutcome = { kind: 'session_expired' };
const RETRY_AFTER_NO_ANSWER_SECONDS = 5;
const RETRY_AFTER_NOTHING_OFFERED_SECONDS = 30;
const RETRY_AFTER_CONFLICTS_SECONDS = 1;
/** Another process may change the session between reading and writing it. */
const MAX_ATTEMPTS = 3;

export function createTakeStep({
  sessions,
  index,
  network,
  completeSearch,
  readResult,
  answers,
  clock,
}: {
  readonly sessions: SessionStore;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly completeSearch: CompleteSearch;
  readonly readResult: ReadResult;
  readonly answers: AnswerWriter;
  readonly clock: Clock;
}): TakeStep {
  const oneAtATime = createOneAtATime();
  const renderStep = createRepeatedSteps(answers);

  return async ({ values, key, method }, { session, token }) => {
    const supplied = values.kind === 'valid' ? readSupplied(values.value) : values;
    const request: StepRequest = { session, token, method, key, supplied: [] };
    if (supplied.kind === 'invalid') {
      return answered(refuse(supplied.faults[0] ?? 'invalid_request', request));
    }
    if (supplied.value.length > 0) return takeInTurn({ ...request, supplied: supplied.value });
    const decision = decideStep(session, [], facts());
    if (decision.kind === 'answered') return answered(await storedResult(request));
    // Complete, but no operator answered last time: reading the step tries again.
    if (decision.kind === 'quote') return takeInTurn(request);
    return answered(answerTo(decision, request).answer);
  };

  /** One at a time for each session, in order of arrival, so that a concurrent duplicate finds the recorded answer. */
  function takeInTurn(request: StepRequest): Promise<StepOutcome> {
    return oneAtATime(request.session.id, async ({ waited }) => {
      // Another request may have changed the session while this one waited. If one did so before, the commit conflicts.
      let session = waited ? await sessions.find(request.session.id) : request.session;
      for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
        if (!session || session.expiresAt <= clock.now()) return SESSION_EXPIRED;
        const current = { ...request, session };
        const outcome = (await replay(current)) ?? (await carryOut(current));
        if (outcome.kind !== 'conflict') return outcome;
        session = await sessions.find(request.session.id);
      }
      return answered(refuse('overloaded', request, { retryAfterSeconds: RETRY_AFTER_CONFLICTS_SECONDS }));
    });
  }

  async function replay(request: StepRequest): Promise<StepOutcome | undefined> {
    const { session, token, key, supplied } = request;
    if (key === null || supplied.length === 0) return undefined;
    const recorded = await sessions.answer(session.id, key);
    if (!recorded) return undefined;
    if (recorded.fingerprint === fingerprintOf(supplied)) {
      return answered(answerWith(withToken(recorded.body, token), { replayed: true }));
    }
    return isServiceKey(key) ? undefined : answered(refuse('idempotency_key_reused', request));
  }

  async function carryOut(request: StepRequest): Promise<AttemptOutcome> {
    const { session, supplied } = request;
    const decision = decideStep(session, supplied, facts());
    if (decision.kind === 'quote') return quote(decision, request);
    if (decision.kind === 'answered') {
      const answer = await storedResult(request);
      return request.key === null ? answered(answer) : commit(request, { session, recorded: answer }, answer);
    }
    const { answer, isStep } = answerTo(decision, request);
    // A refusal is not recorded. It is saved only if the request also had values that were accepted.
    if (decision.session === session && !isStep) return answered(answer);
    return commit(request, { session: decision.session, recorded: isStep ? answer : null }, answer);
  }

  async function quote(
    decision: Decision & { kind: 'quote' },
    request: StepRequest,
  ): Promise<AttemptOutcome> {
    const completed = await completeSearch(decision.criteria, request.session.expiresAt);
    // The session may have expired while the operators answered, and the prices with it.
    if (request.session.expiresAt <= clock.now()) return SESSION_EXPIRED;
    if (completed.kind === 'no_operator_answered') {
      if (decision.session === request.session)
        return answered(refuseUntilOperatorsAnswer(decision, request));
      const saved = { ...request, session: withNextRevision(decision.session) };
      return commit(request, { session: decision.session }, refuseUntilOperatorsAnswer(decision, saved));
    }
    const { comparison } = completed;
    const session: Session = {
      ...decision.session,
      result: {
        answersPayload: true,
        appliedAmenities: comparison.criteria.amenities,
        amenityOffers: comparison.amenityOffers,
      },
    };
    const body = answers.result(comparison, withNextRevision(session), request.token);
    const answer = answerWith(body);
    return commit(
      request,
      {
        session,
        recorded: answer,
        result: withoutToken(body, request.token),
        quotes: issuedQuotes(comparison, session),
      },
      answer,
    );
  }

  /** The payload is kept; the caller repeats the request. */
  function refuseUntilOperatorsAnswer(
    { criteria }: Decision & { kind: 'quote' },
    request: StepRequest,
  ): Answer {
    const amenity = criteria.amenities.at(-1);
    return refuse('upstream_unavailable', request, {
      retryAfterSeconds: RETRY_AFTER_NO_ANSWER_SECONDS,
      retry:
        amenity === undefined ? { kind: 'read' } : { kind: 'supply', field: 'amenities', value: amenity },
    });
  }

  function answerTo(
    decision: Extract<Decision, { kind: 'incomplete' | 'refused' }>,
    { session, token, method, supplied }: StepRequest,
  ): { readonly answer: Answer; readonly isStep: boolean } {
    // Addresses carry the revision of the state they lead on from: the next one if this request is saved.
    const contextAfter = (isSaved: boolean) => ({
      session: supplied.length > 0 && isSaved ? withNextRevision(decision.session) : decision.session,
      token,
      method,
    });
    const isChanged = decision.session !== session;
    if (decision.kind === 'refused') {
      const { code, field, accepted, cleared, candidates } = decision;
      const details = { field: field ?? undefined, accepted, cleared, candidates };
      const body = answers.refusal(code, stepAfter(decision), details, contextAfter(isChanged));
      return { answer: answerWith(body, { error: code }), isStep: false };
    }
    const { step, text } = renderStep(decision.session, method, facts());
    if (isDeadEnd(step)) {
      const retryAfterSeconds = RETRY_AFTER_NOTHING_OFFERED_SECONDS;
      const details = { retryAfterSeconds, retry: { kind: 'read' } } as const;
      const body = answers.refusal('upstream_unavailable', step, details, contextAfter(isChanged));
      return {
        answer: answerWith(body, { error: 'upstream_unavailable', retryAfterSeconds }),
        isStep: false,
      };
    }
    const write = decision.cleared.length === 0 ? text : answers.step(step, decision.cleared, method);
    return {
      answer: answerWith(write(contextAfter(true)), { error: 'incomplete_payload' }),
      isStep: true,
    };
  }

  function stepAfter({ session, code, field }: Decision & { kind: 'refused' }): Step {
    const isWrongValue = code === 'invalid_value' && field !== null && field !== 'amenities';
    return isWrongValue ? stepWithValuesOf(field, session, facts()) : currentStep(session, facts());
  }

  /** An error with the current step. */
  function refuse(
    code: ErrorCode,
    { session, token, method }: StepRequest,
    details: RefusalDetails = {},
  ): Answer {
    const step = currentStep(session, facts());
    const body = answers.refusal(code, step, details, { session, token, method });
    return answerWith(body, { error: code, retryAfterSeconds: details.retryAfterSeconds ?? null });
  }

  async function commit(request: StepRequest, change: Change, answer: Answer): Promise<AttemptOutcome> {
    const { session, recorded = null, result = null, quotes = [] } = change;
    const outcome = await sessions.commit({
      session: withNextRevision(session),
      expectedRevision: request.session.revision,
      answer: recorded && record(request, recorded),
      result,
      quotes,
    });
    return outcome.kind === 'conflict' ? outcome : answered(answer);
  }

  async function storedResult(request: StepRequest): Promise<Answer> {
    const reading = await readResult(request);
    if (reading.kind === 'not_ready') throw new Error('the session has a result, but none is stored');
    return reading.answer;
  }

  function facts(): SearchFacts {
    return { index, network, now: clock.now() };
  }
}

type Change = Pick<SessionChange, 'session'> &
  Partial<Pick<SessionChange, 'result' | 'quotes'>> & {
    /** The answer to record under the request's key. */
    readonly recorded?: Answer | null;
  };

function record({ key, supplied, token }: StepRequest, { body }: Answer): SessionChange['answer'] {
  if (key === null || supplied.length === 0) return null;
  return { key, fingerprint: fingerprintOf(supplied), body: withoutToken(String(body), token) };
}

/** Every saved change has its own revision. */
function withNextRevision(session: Session): Session {
  return { ...session, revision: session.revision + 1 };
}

function answered(answer: Answer): StepOutcome {
  return { kind: 'answered', answer };
}
