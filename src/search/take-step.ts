import type { Clock } from '../clock.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { AvailabilityIndex } from '../inventory/availability-index/availability-index.ts';
import type { Network } from '../inventory/catalogue.ts';
import { isServiceKey } from '../sessions/idempotency.ts';
import { createOneAtATime } from '../sessions/one-at-a-time.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionChange, SessionStore } from '../sessions/session-store.ts';
import { withoutToken, withToken } from '../sessions/token-free-body.ts';
import type { CompleteSearch } from './complete-search.ts';
import { currentStep, type Decision, decideStep } from './decide-step.ts';
import { fingerprintOf } from './fingerprint.ts';
import { issuedQuotes } from './issued-quotes.ts';
import type { SearchFacts, Supplied } from './take-values.ts';
import type { AnswerAbout, RefusalDetails, WrittenAnswers } from './written-answers.ts';

export type StepCall = {
  /** As it was found when the request came in: alive, and the caller's own. */
  readonly session: Session;
  readonly token: string;
  readonly method: string;
  readonly supplied: readonly Supplied[];
  readonly key: string | null;
};

export type StepAnswer = {
  readonly body: string | Uint8Array;
  /** Null for a result. */
  readonly error: ErrorCode | null;
  readonly replayed: boolean;
  readonly retryAfterSeconds: number | null;
};

export type TakeStep = {
  /** Takes the values of a request, or reads the step when there are none. */
  take(call: StepCall): Promise<StepAnswer | 'session_expired'>;
  /** The step as it stands, under an error that was found before the values were looked at. */
  refuse(call: StepCall, code: ErrorCode, details?: RefusalDetails): StepAnswer;
};

const RETRY_AFTER_SILENCE_SECONDS = 5;
const RETRY_AFTER_NO_STOCK_SECONDS = 30;
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
  readonly answers: WrittenAnswers;
  readonly clock: Clock;
}): TakeStep {
  const oneAtATime = createOneAtATime();
  return { take, refuse };

  async function take(call: StepCall): Promise<StepAnswer | 'session_expired'> {
    if (call.supplied.length === 0) {
      const decision = decideStep(call.session, [], facts());
      if (decision.kind === 'answered') return storedResult(call);
      if (decision.kind !== 'quote') return describe(decision, call);
      // Complete but not answered: the operators were silent the last time. Reading is trying again.
    }
    // In the order of arrival for one session: a duplicate that comes while the first is under way finds its answer recorded.
    return oneAtATime(call.session.id, async () => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const session = await sessions.find(call.session.id);
        if (!session || session.expiresAt <= clock.now()) return 'session_expired';
        const current = { ...call, session };
        const answer = (await replay(current)) ?? (await carryOut(current));
        if (answer !== 'conflict') return answer;
      }
      return refuse(call, 'overloaded', { retryAfterSeconds: 1 });
    });
  }

  function refuse(call: StepCall, code: ErrorCode, details: RefusalDetails = {}): StepAnswer {
    const body = answers.refusal(
      code,
      currentStep(call.session, facts()),
      details,
      about(call, call.session),
    );
    return answerWith(code, body, details.retryAfterSeconds);
  }

  async function replay(call: StepCall): Promise<StepAnswer | undefined> {
    if (call.key === null || call.supplied.length === 0) return undefined;
    const recorded = await sessions.answer(call.session.id, call.key);
    if (!recorded) return undefined;
    if (recorded.fingerprint === fingerprintOf(call.supplied)) {
      return {
        body: withToken(recorded.body, call.token),
        error: null,
        replayed: true,
        retryAfterSeconds: null,
      };
    }
    return isServiceKey(call.key) ? undefined : refuse(call, 'idempotency_key_reused');
  }

  async function carryOut(call: StepCall): Promise<StepAnswer | 'conflict' | 'session_expired'> {
    const { session } = call;
    const decision = decideStep(session, call.supplied, facts());
    if (decision.kind === 'quote') return quote(decision, call);
    if (decision.kind === 'answered') {
      const answer = await storedResult(call);
      return call.key === null ? answer : commit(call, { session, answer: record(call, answer) }, answer);
    }
    const answer = describe(decision, call);
    // A refusal that changed nothing leaves nothing to save; one that came after accepted fields keeps them, unrecorded.
    if (decision.session === session && decision.kind !== 'incomplete') return answer;
    return commit(
      call,
      { session: decision.session, answer: decision.kind === 'incomplete' ? record(call, answer) : null },
      answer,
    );
  }

  async function quote(
    decision: Decision & { kind: 'quote' },
    call: StepCall,
  ): Promise<StepAnswer | 'conflict' | 'session_expired'> {
    const completed = await completeSearch(decision.criteria, call.session.expiresAt);
    // The operators took their time: a price that no longer holds is not shown.
    if (call.session.expiresAt <= clock.now()) return 'session_expired';
    if (completed.kind === 'nobody_answered') {
      if (decision.session === call.session) return refuseInSilence(decision, call);
      return commit(
        call,
        { session: decision.session },
        refuseInSilence(decision, { ...call, session: following(decision.session) }),
      );
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
    const body = answers.result(comparison, following(session), call.token);
    const answer = answerWith(null, body);
    return commit(
      call,
      {
        session,
        answer: record(call, answer),
        result: withoutToken(body, call.token),
        quotes: issuedQuotes(comparison, session),
      },
      answer,
    );
  }

  /** Nobody answered: the same request again is the way on, and the payload waits for it. */
  function refuseInSilence({ criteria }: Decision & { kind: 'quote' }, call: StepCall): StepAnswer {
    const amenity = criteria.amenities.at(-1);
    return refuse(call, 'upstream_unavailable', {
      retryAfterSeconds: RETRY_AFTER_SILENCE_SECONDS,
      ...(amenity === undefined ? { retry: 'read' } : { retry: { field: 'amenities', value: amenity } }),
    });
  }

  function describe(decision: Exclude<Decision, { kind: 'quote' | 'answered' }>, call: StepCall): StepAnswer {
    // The addresses in the answer belong to the state that it describes: the next one when the request changes it.
    const changes =
      call.supplied.length > 0 && (decision.kind === 'incomplete' || decision.session !== call.session);
    const state = about(call, changes ? following(decision.session) : decision.session);
    switch (decision.kind) {
      case 'incomplete':
        return answerWith('incomplete_payload', answers.step(decision.step, decision.cleared, state));
      case 'nothing_on_offer': {
        const details = { retryAfterSeconds: RETRY_AFTER_NO_STOCK_SECONDS, retry: 'read' } as const;
        const body = answers.refusal('upstream_unavailable', decision.step, details, state);
        return answerWith('upstream_unavailable', body, details.retryAfterSeconds);
      }
      case 'refused': {
        const { code, step, field, accepted, cleared, candidates } = decision;
        const details = { field: field ?? undefined, accepted, cleared, candidates };
        return answerWith(code, answers.refusal(code, step, details, state));
      }
    }
  }

  async function commit(
    call: StepCall,
    change: Change,
    answer: StepAnswer,
  ): Promise<StepAnswer | 'conflict'> {
    const outcome = await sessions.commit({
      answer: null,
      result: null,
      quotes: [],
      ...change,
      session: following(change.session),
      expectedRevision: call.session.revision,
    });
    return outcome.kind === 'conflict' ? 'conflict' : answer;
  }

  async function storedResult(call: StepCall): Promise<StepAnswer> {
    const stored = await sessions.result(call.session.id);
    if (!stored) throw new Error('a session with a result has its envelope stored');
    return answerWith(null, withToken(stored, call.token));
  }

  function record(call: StepCall, { body }: StepAnswer): SessionChange['answer'] {
    if (call.key === null || call.supplied.length === 0) return null;
    return {
      key: call.key,
      fingerprint: fingerprintOf(call.supplied),
      body: withoutToken(String(body), call.token),
    };
  }

  function facts(): SearchFacts {
    return { index, network, now: clock.now() };
  }
}

type Change = Pick<SessionChange, 'session'> & Partial<Pick<SessionChange, 'answer' | 'result' | 'quotes'>>;

function about({ token, method }: StepCall, session: Session): AnswerAbout {
  return { session, token, method };
}

/** The state as it is saved: every change has a revision of its own. */
function following(session: Session): Session {
  return { ...session, revision: session.revision + 1 };
}

function answerWith(
  error: ErrorCode | null,
  body: string | Uint8Array,
  retryAfterSeconds: number | null = null,
): StepAnswer {
  return { body, error, replayed: false, retryAfterSeconds };
}
