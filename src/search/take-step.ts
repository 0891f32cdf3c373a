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
import { createRepeatedSteps } from './repeated-steps.ts';
import type { SearchFacts } from './search-facts.ts';
import { currentStep, offersNothing, type Step, stepOffering } from './step.ts';
import { fingerprintOf, readSupplied, type Supplied } from './supplied-values.ts';

export type StepOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'session_expired' };

/** Takes the values of a request, or reads the step when there are none. */
export type TakeStep = (request: OperationRequest, found: LiveSession) => Promise<StepOutcome>;

/** A search request under way, with the session as it was last read. */
type Attempt = {
  readonly session: Session;
  readonly token: string;
  readonly method: string;
  readonly key: string | null;
  readonly supplied: readonly Supplied[];
};

type AttemptOutcome = StepOutcome | { readonly kind: 'conflict' };

const SESSION_EXPIRED: StepOutcome = { kind: 'session_expired' };
const RETRY_AFTER_NO_ANSWER_SECONDS = 5;
const RETRY_AFTER_NOTHING_OFFERED_SECONDS = 30;
const RETRY_AFTER_CONFLICTS_SECONDS = 1;
/** Another node may change the session between our read and our write. */
const MAX_ATTEMPTS = 3;

export function createTakeStep({
  sessions,
  index,
  network,
  completeSearch,
  answers,
  clock,
}: {
  readonly sessions: SessionStore;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly completeSearch: CompleteSearch;
  readonly answers: AnswerWriter;
  readonly clock: Clock;
}): TakeStep {
  const oneAtATime = createOneAtATime();
  const describeStep = createRepeatedSteps(answers);

  return async ({ values, key, method }, { session, token }) => {
    const supplied = values.kind === 'valid' ? readSupplied(values.value) : values;
    const attempt: Attempt = { session, token, method, key, supplied: [] };
    if (supplied.kind === 'invalid') {
      return answered(refuse(supplied.faults[0] ?? 'invalid_request', attempt));
    }
    if (supplied.value.length > 0) return takeInTurn({ ...attempt, supplied: supplied.value });
    const decision = decideStep(session, [], facts());
    if (decision.kind === 'answered') return answered(await storedResult(attempt));
    // Complete but not answered: no operator answered the last time, and reading is trying again.
    if (decision.kind === 'quote') return takeInTurn(attempt);
    return answered(describe(decision, attempt).answer);
  };

  /** In the order of arrival for one session: a duplicate that comes while the first is under way finds its answer recorded. */
  function takeInTurn(first: Attempt): Promise<StepOutcome> {
    return oneAtATime(first.session.id, async ({ waited }) => {
      // What was found when the request came in is still true, unless it had to wait for another request.
      let session = waited ? await sessions.find(first.session.id) : first.session;
      for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
        if (!session || session.expiresAt <= clock.now()) return SESSION_EXPIRED;
        const attempt = { ...first, session };
        const outcome = (await replay(attempt)) ?? (await carryOut(attempt));
        if (outcome.kind !== 'conflict') return outcome;
        session = await sessions.find(first.session.id);
      }
      return answered(refuse('overloaded', first, { retryAfterSeconds: RETRY_AFTER_CONFLICTS_SECONDS }));
    });
  }

  async function replay(attempt: Attempt): Promise<StepOutcome | undefined> {
    const { session, token, key, supplied } = attempt;
    if (key === null || supplied.length === 0) return undefined;
    const recorded = await sessions.answer(session.id, key);
    if (!recorded) return undefined;
    if (recorded.fingerprint === fingerprintOf(supplied)) {
      return answered(answerWith(withToken(recorded.body, token), { replayed: true }));
    }
    return isServiceKey(key) ? undefined : answered(refuse('idempotency_key_reused', attempt));
  }

  async function carryOut(attempt: Attempt): Promise<AttemptOutcome> {
    const { session, supplied } = attempt;
    const decision = decideStep(session, supplied, facts());
    if (decision.kind === 'quote') return quote(decision, attempt);
    if (decision.kind === 'answered') {
      const answer = await storedResult(attempt);
      return attempt.key === null ? answered(answer) : commit(attempt, { session, recorded: answer }, answer);
    }
    const { answer, isStep } = describe(decision, attempt);
    // A refusal that changed nothing leaves nothing to save; one that came after accepted fields keeps them, unrecorded.
    if (decision.session === session && !isStep) return answered(answer);
    return commit(attempt, { session: decision.session, recorded: isStep ? answer : null }, answer);
  }

  async function quote(decision: Decision & { kind: 'quote' }, attempt: Attempt): Promise<AttemptOutcome> {
    const completed = await completeSearch(decision.criteria, attempt.session.expiresAt);
    // The operators took their time: a price that no longer holds is not shown.
    if (attempt.session.expiresAt <= clock.now()) return SESSION_EXPIRED;
    if (completed.kind === 'nobody_answered') {
      if (decision.session === attempt.session)
        return answered(refuseUntilOperatorsAnswer(decision, attempt));
      const saved = { ...attempt, session: following(decision.session) };
      return commit(attempt, { session: decision.session }, refuseUntilOperatorsAnswer(decision, saved));
    }
    const { comparison } = completed;
    const session: Session = {
      ...decision.session,
      expiresAt: comparison.validUntil,
      result: {
        answersPayload: true,
        appliedAmenities: comparison.criteria.amenities,
        amenityOffers: comparison.amenityOffers,
      },
    };
    const body = answers.result(comparison, following(session), attempt.token);
    const answer = answerWith(body);
    return commit(
      attempt,
      {
        session,
        recorded: answer,
        result: withoutToken(body, attempt.token),
        quotes: issuedQuotes(comparison, session),
      },
      answer,
    );
  }

  /** The same request again is the way on, and the payload waits for it. */
  function refuseUntilOperatorsAnswer({ criteria }: Decision & { kind: 'quote' }, attempt: Attempt): Answer {
    const amenity = criteria.amenities.at(-1);
    return refuse('upstream_unavailable', attempt, {
      retryAfterSeconds: RETRY_AFTER_NO_ANSWER_SECONDS,
      retry:
        amenity === undefined ? { kind: 'read' } : { kind: 'supply', field: 'amenities', value: amenity },
    });
  }

  function describe(
    decision: Extract<Decision, { kind: 'incomplete' | 'refused' }>,
    { session, token, method, supplied }: Attempt,
  ): { readonly answer: Answer; readonly isStep: boolean } {
    // The addresses in the answer belong to the state that it describes: the next one when the request changes it.
    const contextAfter = (isSaved: boolean) => ({
      session: supplied.length > 0 && isSaved ? following(decision.session) : decision.session,
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
    const { step, text } = describeStep(decision.session, method, facts());
    if (offersNothing(step)) {
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
    return isWrongValue ? stepOffering(field, session, facts()) : currentStep(session, facts());
  }

  /** The step as it stands, under an error. */
  function refuse(
    code: ErrorCode,
    { session, token, method }: Attempt,
    details: RefusalDetails = {},
  ): Answer {
    const step = currentStep(session, facts());
    const body = answers.refusal(code, step, details, { session, token, method });
    return answerWith(body, { error: code, retryAfterSeconds: details.retryAfterSeconds ?? null });
  }

  async function commit(attempt: Attempt, change: Change, answer: Answer): Promise<AttemptOutcome> {
    const { session, recorded = null, result = null, quotes = [] } = change;
    const outcome = await sessions.commit({
      session: following(session),
      expectedRevision: attempt.session.revision,
      answer: recorded && record(attempt, recorded),
      result,
      quotes,
    });
    return outcome.kind === 'conflict' ? outcome : answered(answer);
  }

  async function storedResult({ session, token }: Attempt): Promise<Answer> {
    const stored = await sessions.result(session.id);
    if (!stored) throw new Error('a session with a result has its envelope stored');
    return answerWith(withToken(stored, token));
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

function record({ key, supplied, token }: Attempt, { body }: Answer): SessionChange['answer'] {
  if (key === null || supplied.length === 0) return null;
  return { key, fingerprint: fingerprintOf(supplied), body: withoutToken(String(body), token) };
}

/** The state as it is saved: every change has a revision of its own. */
function following(session: Session): Session {
  return { ...session, revision: session.revision + 1 };
}

function answered(answer: Answer): StepOutcome {
  return { kind: 'answered', answer };
}
