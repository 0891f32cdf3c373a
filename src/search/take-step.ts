import { hash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { ErrorCode } from '../contract/errors.ts';
import {
  type Answer,
  answerWith,
  type Caller,
  type OperationRequest,
  type View,
} from '../contract/exchange.ts';
import { isPayloadField } from '../contract/payload-fields.ts';
import { REQUEST_FAULTS } from '../contract/request-faults.ts';
import {
  MAX_OWN_KEYS_PER_SESSION,
  MAX_RESULTS_PER_SESSION,
  MAX_WAITING_PER_SESSION,
} from '../contract/vocabulary.ts';
import { stopIfGone, type WaitingClient } from '../contract/waiting-client.ts';
import type { AvailabilityIndex } from '../inventory/availability-index/availability-index.ts';
import type { Network } from '../inventory/catalogue.ts';
import type { UnreadBrands } from '../inventory/unread-brand.ts';
import { callerPath } from '../sessions/caller-path.ts';
import { isServiceKey, revisionOfServiceKey } from '../sessions/idempotency.ts';
import { createOneAtATime } from '../sessions/one-at-a-time.ts';
import type { FollowedKey, LiveSession, Session } from '../sessions/session.ts';
import type { SessionChange, SessionStore, UsedKey, UsedKeyId } from '../sessions/session-store.ts';
import { usedKeyIdOf, withoutToken, withToken } from '../sessions/session-token.ts';
import type { AnswerWriter, RefusalDetails, Remarks } from './answer-writer.ts';
import { type CompleteSearch, retryAfterSilence } from './complete-search.ts';
import { criteriaOf } from './criteria.ts';
import { type Decision, decideStep } from './decide-step.ts';
import { issuedQuotes } from './issued-quotes.ts';
import { withProposal } from './proposed-value.ts';
import type { ReadResult } from './read-result.ts';
import { type RefusedStay, refuseStay, withoutImpossible } from './refuse-stay.ts';
import { createRepeatedSteps } from './repeated-steps.ts';
import type { SearchFacts } from './search-facts.ts';
import { currentStep, isDeadEnd, type Step, standingStep, stepWithValuesOf } from './step.ts';
import { fingerprintOf, readSupplied, type SuppliedValue } from './supplied-values.ts';
import { saysThatNothingFits, type UnreadScope, unreadScope } from './undecided-scope.ts';
import { unreadIn } from './unread-scope.ts';

export type StepOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'session_expired' }
  /** The store has forgotten it since the request was received. */
  | { readonly kind: 'session_gone' }
  /** More requests of the session wait already than one client needs. */
  | { readonly kind: 'queue_full'; readonly retryAfterSeconds: number }
  /** It has had as many results, or keys of the client's own, as a session can have. */
  | { readonly kind: 'session_used_up' };

/** Takes the values of a request, or reads the step when there are none. */
export type TakeStep = (request: OperationRequest, found: LiveSession) => Promise<StepOutcome>;

/** A search request with the session as last read. */
type StepRequest = {
  readonly session: Session;
  readonly caller: Caller;
  readonly client: WaitingClient;
  readonly token: string;
  readonly method: string;
  readonly view: View;
  readonly key: string | null;
  /** What is stored of the key; null for a request without a key or without values. */
  readonly usedKey: SessionChange['usedKey'];
  readonly supplied: readonly SuppliedValue[];
};

/** `taken`: the operators are being asked for this very search, here or on another node. */
type AttemptOutcome = StepOutcome | { readonly kind: 'conflict' } | { readonly kind: 'taken' };

const SESSION_EXPIRED: StepOutcome = { kind: 'session_expired' };
const SESSION_GONE: StepOutcome = { kind: 'session_gone' };
const QUEUE_FULL: StepOutcome = { kind: 'queue_full', retryAfterSeconds: 1 };
const SESSION_USED_UP: StepOutcome = { kind: 'session_used_up' };
/** A key of the service is on one address of one step; a client that invents more of them forgets the oldest. */
const MAX_FOLLOWED_KEYS = 16;
const RETRY_AFTER_NOTHING_OFFERED_SECONDS = 30;
const RETRY_AFTER_CONFLICTS_SECONDS = 1;
/** Another node may change the session between reading and writing it. Somebody's change was stored each time, and nobody was asked for prices. */
const MAX_ATTEMPTS = 16;
/** Beyond the deadline of prices, until their answer is written and stored. */
const CLAIM_GRACE_MS = 3000;
const CLAIM_POLL_MS = 100;

export function createTakeStep({
  sessions,
  index,
  network,
  unreadBrands,
  completeSearch,
  readResult,
  answers,
  clock,
  quoteDeadlineMs,
  onContended = () => {},
}: {
  readonly sessions: SessionStore;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly unreadBrands: UnreadBrands;
  readonly completeSearch: CompleteSearch;
  readonly readResult: ReadResult;
  readonly answers: AnswerWriter;
  readonly clock: Clock;
  /** How long operators may take. */
  readonly quoteDeadlineMs: number;
  /** Another change of the session came first, perhaps on another node. */
  readonly onContended?: (outcome: 'conflict' | 'taken') => void;
}): TakeStep {
  const claimMs = quoteDeadlineMs + CLAIM_GRACE_MS;
  const maxPolls = Math.ceil(claimMs / CLAIM_POLL_MS) + 1;
  const oneAtATime = createOneAtATime();
  const renderStep = createRepeatedSteps(answers);

  return async (received, { session, token }) => {
    const { values, caller, client, key, method, view, faultyParameter } = received;
    const supplied = values.kind === 'valid' ? readSupplied(values.value) : values;
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
      return answered(refuse(code, request, { message, faultyParameter }));
    }
    if (supplied.value.length > 0) {
      return takeInTurn({
        ...request,
        usedKey: usedKeyOf(session, key, supplied.value),
        supplied: supplied.value,
      });
    }
    const decision = decide(session, []);
    if (decision.kind === 'answered') {
      const answer = await storedResult(request);
      return answer ? answered(answer) : withoutResult(request);
    }
    // Complete, but no operator answered last time: reading the step tries again.
    if (decision.kind === 'quote') return takeInTurn(request);
    return answered(answerTo(decision, request).answer);
  };

  /** Its result is no longer there: it has ended, or the store has forgotten all of it. */
  async function withoutResult({ session }: StepRequest): Promise<StepOutcome> {
    return (await sessions.find(session.id)) ? SESSION_EXPIRED : SESSION_GONE;
  }

  /** One at a time for each session, in order of arrival, so that a concurrent duplicate finds the used key. */
  function takeInTurn(request: StepRequest): Promise<StepOutcome> {
    const { client } = request;
    const line = { client, maxWaiting: MAX_WAITING_PER_SESSION, whenFull: () => QUEUE_FULL };
    const take = async ({ waited }: { readonly waited: boolean }): Promise<StepOutcome> => {
      stopIfGone(client);
      // Another request may have changed the session while this one waited. If one did so before, the commit conflicts.
      let session = waited ? await sessions.find(request.session.id) : request.session;
      for (let attempts = 0, polls = 0; attempts < MAX_ATTEMPTS && polls < maxPolls; ) {
        if ((session ?? request.session).expiresAt <= clock.now()) return SESSION_EXPIRED;
        if (!session) return SESSION_GONE;
        const current = { ...request, session };
        const outcome = (await replay(current)) ?? (await carryOutIfRemembered(current));
        if (outcome.kind === 'conflict' || outcome.kind === 'taken') onContended(outcome.kind);
        if (outcome.kind === 'conflict') attempts += 1;
        else if (outcome.kind === 'taken') {
          polls += 1;
          await new Promise<void>((resolve) => void clock.after(CLAIM_POLL_MS, resolve));
          stopIfGone(client);
        } else return outcome;
        session = await sessions.find(request.session.id);
      }
      return answered(refuse('overloaded', request, { retryAfterSeconds: RETRY_AFTER_CONFLICTS_SECONDS }));
    };
    return oneAtATime(request.session.id, take, line);
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
      return isServiceKey(key) ? undefined : answered(refuse('idempotency_key_reused', request));
    }
    const isUnchanged = used.revision === session.revision;
    if (isServiceKey(key) && !isUnchanged) return undefined;
    const answer = (isUnchanged ? refusedPart(request) : undefined) ?? (await currentAnswer(request));
    return answer ? answered({ ...answer, replayed: true }) : withoutResult(request);
  }

  /** What a request refused beside what it took is refused again; its values stand already, so nothing changes. */
  function refusedPart(request: StepRequest): Answer | undefined {
    if (request.session.result?.answersPayload) return undefined;
    const decision = decide(request.session, request.supplied);
    const isRefused = decision.kind === 'refused' && decision.session === request.session;
    return isRefused ? answerTo(decision, { ...request, key: null }).answer : undefined;
  }

  /** The result if it answers the search, otherwise the step. */
  async function currentAnswer(request: StepRequest): Promise<Answer | undefined> {
    if (request.session.result?.answersPayload) return storedResult(request);
    const decision = decide(request.session, []);
    // Complete without a result: the operators were silent. A replay does not ask them again.
    return decision.kind === 'incomplete' || decision.kind === 'unread'
      ? answerTo(decision, { ...request, supplied: [] }).answer
      : refuseUntilOperatorsAnswer(request);
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
      if (session.result?.hasRemarks) return settleRemarks(request);
      const answer = await storedResult(request);
      if (!answer) return withoutResult(request);
      return request.usedKey ? commit(request, { session }, answer) : answered(answer);
    }
    return settle(decision, request);
  }

  function settle(decision: Unsettled, request: StepRequest): StepOutcome | Promise<AttemptOutcome> {
    const { session } = request;
    const { answer, isStep } = answerTo(decision, request);
    // A refusal is saved, and its key remembered, only if the request also had values that were taken.
    if (decision.session === session && !(isStep && request.usedKey)) return answered(answer);
    return commit(request, { session: decision.session }, answer);
  }

  async function quote(
    decision: Decision & { kind: 'quote' },
    request: StepRequest,
  ): Promise<AttemptOutcome> {
    const { results = 0 } = request.session;
    if (results >= MAX_RESULTS_PER_SESSION) return SESSION_USED_UP;
    const { id, revision } = request.session;
    const claim = await sessions.claim(id, revision, claimMs);
    if (claim.kind !== 'claimed') return claim;
    try {
      return await askOperators(decision, request);
    } finally {
      sessions.release(id, revision);
    }
  }

  async function askOperators(
    decision: Decision & { kind: 'quote' },
    request: StepRequest,
  ): Promise<AttemptOutcome> {
    const { results = 0 } = request.session;
    const { caller, client } = request;
    const completed = await completeSearch(decision.criteria, request.session.expiresAt, {
      caller: callerPath(caller, request.session.id),
      departure: client.departure(),
      hear: client.hear,
    });
    // The session may have expired while the operators answered, and the prices with it.
    if (request.session.expiresAt <= clock.now()) return SESSION_EXPIRED;
    if (completed.kind === 'no_operator_answered') {
      const remarks = remarksOn(request, decision);
      const isKnown = decision.session === request.session && decision.session.operatorsSilent;
      const { retryAfterSeconds, silent } = completed;
      const details = { remarks, retryAfterSeconds, silent };
      if (isKnown) return answered(refuseUntilOperatorsAnswer(request, details));
      const session: Session = {
        ...decision.session,
        operatorsSilent: true,
        operatorsAskableAt: clock.now() + retryAfterSeconds * 1000,
      };
      const saved = { ...request, session: withNextRevision(session) };
      const answer = refuseUntilOperatorsAnswer(saved, details);
      return commit(request, { session, isRemembered: false }, answer);
    }
    if (completed.kind === 'just_refused')
      return settle(refuseStay(decision, request.supplied, completed, facts()), request);
    const { comparison } = completed;
    const remarks = remarksOn(request, decision);
    const session: Session = {
      ...decision.session,
      result: {
        answersPayload: true,
        amenityOffers: comparison.amenityOffers,
        isPartial: comparison.unread.length > 0 || comparison.coverage.some(({ failed }) => failed > 0),
        hasRemarks: hasRemarks(remarks),
      },
      results: results + 1,
      operatorsSilent: false,
    };
    const body = answers.result(comparison, withNextRevision(session), request.token, remarks);
    const result = withoutToken(body, request.token);
    return commit(
      request,
      { session, isNewState: true, result, quotes: issuedQuotes(comparison, session) },
      // Encoding 34 KB of text is dear, so it is done once, for the store.
      answerWith(request.view === 'compact' ? answers.compactResult(body) : withToken(result, request.token)),
    );
  }

  /** The answers are kept; reading the search asks the operators again. */
  function refuseUntilOperatorsAnswer(
    request: StepRequest,
    details: RefusalDetails = { retryAfterSeconds: retryAfterSilence(request.session, clock.now()) },
  ): Answer {
    return refuse('upstream_unavailable', request, details);
  }

  /** An index that knows no home of the brands in scope must not say that nothing is free: then nothing is decided. */
  function decide(session: Session, supplied: readonly SuppliedValue[]): Decision | UnreadScope {
    const decision = decideStep(session, supplied, facts());
    if (decision.kind === 'answered' || decision.kind === 'quote') return decision;
    return unreadScope({ session, supplied, decision, unread: unreadBrands(), network }) ?? decision;
  }

  function answerTo(
    decision: Unsettled,
    request: StepRequest,
  ): { readonly answer: Answer; readonly isStep: boolean } {
    const { session, token, method, view, supplied } = request;
    // Addresses carry the revision of the state they lead on from: the next one if this request is saved.
    const isSaved = supplied.length > 0 && decision.session !== session;
    const context = {
      session: isSaved ? withNextRevision(decision.session) : decision.session,
      token,
      method,
      view,
    };
    const remarks = remarksOn(request, decision);
    const nothingOnOffer = (step: Step, details: RefusalDetails) => {
      const retryAfterSeconds = RETRY_AFTER_NOTHING_OFFERED_SECONDS;
      const body = answers.refusal('nothing_on_offer', step, { ...details, retryAfterSeconds }, context);
      const answer = answerWith(body, { error: 'nothing_on_offer', retryAfterSeconds });
      return { answer, isStep: false };
    };
    if (decision.kind === 'unread') {
      const { unread, repeat } = decision;
      return nothingOnOffer(standingStep(decision.session, facts()), { unread, repeat, isUnread: true });
    }
    const unread = () =>
      unreadIn(criteriaOf(decision.session, decision.session.payload), unreadBrands(), network);
    if (decision.kind === 'refused') {
      const { refusal, refused = [] } = decision;
      const [{ code }] = refusal.faults;
      const isOfIndex = refusal.faults.some(saysThatNothingFits);
      const details = { refusal, remarks, refused, unread: isOfIndex ? unread() : [] };
      const body = answers.refusal(code, stepAfter(decision), details, context);
      return { answer: answerWith(body, { error: code }), isStep: false };
    }
    const { step, text } = renderStep(decision.session, { method, view }, facts());
    if (isDeadEnd(step)) return nothingOnOffer(step, { remarks, unread: unread() });
    const isPlain = !remarks.isFromEarlierStep && remarks.cleared.fields.length === 0;
    const write = isPlain
      ? text
      : answers.step(withProposal(step, session.payload, decision.session, facts()), remarks, {
          method,
          view,
        });
    return { answer: answerWith(write(context), { error: 'incomplete_payload' }), isStep: true };
  }

  function stepAfter({ session, refusal, impossible }: RefusedRequest): Step {
    const [{ code, field }] = refusal.faults;
    const isWrongValue = code === 'invalid_value' && field !== null && isPayloadField(field);
    const step = isWrongValue ? stepWithValuesOf(field, session, facts()) : currentStep(session, facts());
    return impossible ? withoutImpossible(step, impossible) : step;
  }

  /** An error with the current step. */
  function refuse(
    code: ErrorCode,
    { session, token, method, view }: StepRequest,
    details: RefusalDetails = {},
  ): Answer {
    const step = currentStep(session, facts());
    const body = answers.refusal(code, step, details, { session, token, method, view });
    return answerWith(body, { error: code, retryAfterSeconds: details.retryAfterSeconds ?? null });
  }

  async function commit(request: StepRequest, change: StepChange, answer: Answer): Promise<AttemptOutcome> {
    // A change is written whole or not at all: from here on nobody has to wait for it.
    stopIfGone(request.client);
    const { session, isRemembered = true, isNewState = session !== request.session } = change;
    const { result = null, quotes = [] } = change;
    const isFollowed = request.key !== null && isServiceKey(request.key);
    const key = isRemembered ? request.usedKey : null;
    const outcome = await sessions.commit({
      // The revision is that of the state: remembering a key alone does not make the offered addresses old.
      session: withFollowedKeys(
        isNewState ? withNextRevision(session) : withNextNote(session),
        isNewState ? [] : (session.followedKeys ?? []),
        isFollowed ? key : null,
      ),
      expectedRevision: request.session.revision,
      usedKey: isFollowed ? null : key,
      result,
      quotes,
    });
    return outcome.kind === 'conflict' ? outcome : answered(answer);
  }

  /** Undefined when it was deleted: the session has ended, at least for a while, by the wall clock. */
  async function storedResult({ session, token, view }: StepRequest): Promise<Answer | undefined> {
    const reading = await readResult({ session, token }, view);
    return reading.kind === 'result' ? reading.answer : undefined;
  }

  /**
   * Another request than the one that led to the result gets it without what that one had refused or cleared, and so does
   * every later reading.
   */
  async function settleRemarks(request: StepRequest): Promise<AttemptOutcome> {
    const { result } = request.session;
    const full = await storedResult({ ...request, view: 'full' });
    if (!full) return withoutResult(request);
    const body = answers.withoutRemarks(full.body.toString());
    const session: Session = { ...request.session, result: result && { ...result, hasRemarks: false } };
    return commit(
      request,
      { session, isNewState: false, result: withoutToken(body, request.token) },
      answerWith(request.view === 'compact' ? answers.compactResult(body) : body, { current: true }),
    );
  }

  function facts(): SearchFacts {
    return { index, network, now: clock.now() };
  }
}

/** A request that is refused by the index, or else by every operator. */
type RefusedRequest = Extract<Decision, { kind: 'refused' }> &
  Partial<Pick<RefusedStay, 'refused' | 'impossible'>>;

/** What is answered without asking anybody. */
type Unsettled = Extract<Decision, { kind: 'incomplete' }> | RefusedRequest | UnreadScope;

type StepChange = Pick<SessionChange, 'session'> &
  Partial<Pick<SessionChange, 'result' | 'quotes'>> & {
    /** The silence of the operators is not remembered: a retry must be able to succeed. */
    readonly isRemembered?: boolean;
    /** By default when the session changed. */
    readonly isNewState?: boolean;
  };

function usedKeyOf(
  { id }: Session,
  key: string | null,
  supplied: readonly SuppliedValue[],
): SessionChange['usedKey'] {
  return key === null ? null : { id: usedKeyIdOf(id, key), fingerprint: hashOf(fingerprintOf(supplied)) };
}

/** A key of the service matters only until the search moves on, so the session itself holds the few that do. */
function followedKey({ followedKeys = [], revision }: Session, id: UsedKeyId): UsedKey | undefined {
  const followed = followedKeys.find((key) => key.id === id);
  return followed && { fingerprint: followed.fingerprint, revision };
}

function withFollowedKeys(
  session: Session,
  before: readonly FollowedKey[],
  key: SessionChange['usedKey'],
): Session {
  const isSame = before.length === (session.followedKeys?.length ?? 0);
  if (key === null && isSame) return session;
  const others = before.filter(({ id }) => id !== key?.id);
  return { ...session, followedKeys: (key ? [...others, key] : others).slice(-MAX_FOLLOWED_KEYS) };
}

function remarksOn(
  { session, key, supplied }: StepRequest,
  decision: Exclude<Decision, { kind: 'answered' }> | UnreadScope,
): Remarks {
  const offeredAt = key === null || supplied.length === 0 ? undefined : revisionOfServiceKey(key);
  return {
    cleared: decision.cleared,
    refusal: decision.kind === 'quote' ? decision.refusal : null,
    isFromEarlierStep: offeredAt !== undefined && offeredAt < session.revision,
  };
}

function hasRemarks({ cleared, refusal, isFromEarlierStep }: Remarks): boolean {
  return cleared.fields.length > 0 || refusal !== null || isFromEarlierStep;
}

/** What was asked may hold any text of the caller, which is not for the store. */
function hashOf(fingerprint: string): string {
  return hash('sha256', fingerprint, 'base64url').slice(0, 22);
}

/** Every change of the state has its own revision. */
function withNextRevision({ notes, ...session }: Session): Session {
  return { ...session, revision: session.revision + 1 };
}

/** Another node may note something at the same revision: nothing of either may be lost. */
function withNextNote(session: Session): Session {
  return { ...session, notes: (session.notes ?? 0) + 1 };
}

function answered(answer: Answer): StepOutcome {
  return { kind: 'answered', answer };
}
