import { hash } from 'node:crypto';
import type { AvailabilityIndex } from '../availability/availability-index.ts';
import type { Network, UnreadyBrands } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { REQUEST_FAULTS } from '../contract/errors.ts';
import type { OperationRequest } from '../contract/exchange.ts';
import { CHOICES_PARAMETER } from '../contract/operations.ts';
import type { PayloadField } from '../contract/payload-fields.ts';
import {
  MAX_OWN_KEYS_PER_SESSION,
  MAX_RESULTS_PER_SESSION,
  MAX_WAITING_PER_SESSION,
} from '../contract/vocabulary.ts';
import { stopIfGone } from '../limits/deadline.ts';
import { createOneAtATime } from '../limits/keyed-mutex.ts';
import { revisionOfServiceKey } from '../sessions/idempotency.ts';
import { type LiveSession, type Session, withNextNote, withNextRevision } from '../sessions/session.ts';
import type { SessionChange, SessionStore } from '../sessions/session-store.ts';
import { usedKeyIdOf } from '../sessions/session-token.ts';
import type { Links } from './answers/links.ts';
import { NO_SIDE_EFFECTS } from './answers/side-effects.ts';
import type { CompleteSearch } from './complete-search.ts';
import { decideStep } from './decide-step.ts';
import { askedFields, type SearchFacts } from './payload.ts';
import { createQuoteStep } from './quote-step.ts';
import { outcomeOf, type ReadResult } from './read-result.ts';
import type { SearchObserver } from './search-observer.ts';
import { createStepAnswers, sideEffectsOf } from './step-answers.ts';
import {
  SESSION_EXPIRED,
  SESSION_GONE,
  SESSION_USED_UP,
  type StepChange,
  type StepEnd,
  type StepOutcome,
  type StepRequest,
} from './step-request.ts';
import { fingerprintOf, readSupplied, type SuppliedValue } from './supplied-values.ts';

/** Takes the values of a request. Without values it reads the step, or the choices of a field. */
export type TakeStep = (request: OperationRequest, found: LiveSession) => Promise<StepOutcome>;

/** Another change of the session came first, or another request is asking the operators for this search, perhaps on another node. */
type Contended = { readonly kind: 'conflict' } | { readonly kind: 'taken' };

/** A key of the service belongs to one address of one step. If a client invents more, the oldest are dropped. */
const MAX_FOLLOWED_KEYS = 16;
const FINGERPRINT_CHARACTERS = 22;
const QUEUE_FULL: StepOutcome = { kind: 'queue_full', retryAfterSeconds: 1 };
/** Another node may change the session between reading and writing it. Each conflict means that another change was stored, and rarely costs a search, because operators are asked under a claim. */
const MAX_ATTEMPTS = 16;
const RETRY_AFTER_CONFLICTS_SECONDS = 1;
const CLAIM_POLL_MS = 100;
/** Time after the deadline of prices to write and store their answer. */
const CLAIM_GRACE_MS = 3000;

export function createTakeStep({
  sessions,
  index,
  network,
  unreadyBrands,
  completeSearch,
  readResult,
  links,
  clock,
  quoteDeadlineMs,
  observe,
  onContended = () => {},
}: {
  readonly sessions: SessionStore;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly unreadyBrands: UnreadyBrands;
  readonly completeSearch: CompleteSearch;
  readonly readResult: ReadResult;
  readonly links: Links;
  readonly clock: Clock;
  /** How long operators may take. */
  readonly quoteDeadlineMs: number;
  readonly observe?: Pick<SearchObserver, 'carriedOut'> | undefined;
  /** Called when another change of the session came first, perhaps on another node. */
  readonly onContended?: (outcome: 'conflict' | 'taken') => void;
}): TakeStep {
  const claimMs = quoteDeadlineMs + CLAIM_GRACE_MS;
  const maxPolls = Math.ceil(claimMs / CLAIM_POLL_MS) + 1;
  const facts = (): SearchFacts => ({ index, network, unready: unreadyBrands(), now: clock.now() });
  const stepAnswers = createStepAnswers(links);
  const askOperators = createQuoteStep({ completeSearch, links, stepAnswers, facts, clock });
  const oneAtATime = createOneAtATime();

  return async (received, { session, token }) => {
    const { values, caller, client, key, method, view, faultyParameter } = received;
    const offeredAt = key === null ? undefined : revisionOfServiceKey(key);
    const reading: StepRequest = {
      session,
      caller,
      client,
      token,
      method,
      view,
      key,
      offeredAt,
      usedKey: null,
      supplied: [],
    };
    if (values.kind === 'valid' && values.value.size === 0) return read(reading);
    if (values.kind === 'valid' && values.value.size === 1) {
      const named = values.value.get(CHOICES_PARAMETER);
      const field = named === undefined ? undefined : askedFields(session).order.find((one) => one === named);
      if (field !== undefined) return read(reading, field);
    }
    const given = values.kind === 'valid' ? readSupplied(values.value, received) : values;
    if (given.kind === 'invalid') {
      const { code, message } = REQUEST_FAULTS[given.faults[0] ?? 'invalid_request'];
      return {
        kind: 'answered',
        answer: stepAnswers.refuse(code, reading, facts(), { message, faultyParameter }),
      };
    }
    const supplied = given.value;
    if (supplied.length === 0) return read(reading);
    return takeInTurn({ ...reading, usedKey: usedKeyOf(session, key, supplied), supplied });
  };

  /** Reads the step, or the choices of a field. */
  async function read(request: StepRequest, field?: PayloadField): Promise<StepOutcome> {
    const { session, token, view, key } = request;
    const known = facts();
    const asking =
      (field === undefined ? undefined : stepAnswers.choices(field, request, known)) ??
      (key === null ? undefined : stepAnswers.askedAgain(request, known));
    if (asking) return { kind: 'answered', answer: asking };
    const decision = decideStep(session, [], known);
    if (decision.kind === 'answered') return outcomeOf(await readResult({ session, token }, view));
    // Complete, but no operator answered last time: reading the step tries again.
    if (decision.kind === 'quote') return takeInTurn(request);
    return { kind: 'answered', answer: stepAnswers.to(decision, request, known) };
  }

  /** Takes the requests of a session one at a time on this node, in order of arrival, and retries when other nodes change the session. */
  function takeInTurn(request: StepRequest): Promise<StepOutcome> {
    const { client } = request;
    const { id } = request.session;
    return oneAtATime(id, ({ waited }) => take(request, waited), {
      client,
      maxWaiting: MAX_WAITING_PER_SESSION,
      whenFull: () => QUEUE_FULL,
    });
  }

  async function take(request: StepRequest, waited: boolean): Promise<StepOutcome> {
    const { client } = request;
    const { id, expiresAt } = request.session;
    stopIfGone(client);
    // Another request may have changed the session while this one waited. If one did so before, the commit conflicts.
    let session = waited ? await sessions.find(id) : request.session;
    for (let attempts = 0, polls = 0; attempts < MAX_ATTEMPTS && polls < maxPolls; ) {
      if (expiresAt <= clock.now()) return SESSION_EXPIRED;
      if (!session) return SESSION_GONE;
      const outcome = await attempt({ ...request, session });
      if (outcome.kind === 'conflict') attempts += 1;
      else if (outcome.kind === 'taken') {
        polls += 1;
        await new Promise<void>((resolve) => void clock.after(CLAIM_POLL_MS, resolve));
        stopIfGone(client);
      } else return outcome;
      onContended(outcome.kind);
      session = await sessions.find(id);
    }
    const details = { retryAfterSeconds: RETRY_AFTER_CONFLICTS_SECONDS };
    return { kind: 'answered', answer: stepAnswers.refuse('overloaded', request, facts(), details) };
  }

  async function attempt(request: StepRequest): Promise<StepOutcome | Contended> {
    const replayed = await replay(request);
    if (replayed) return replayed;
    const { session, supplied, usedKey, offeredAt } = request;
    const { id, revision, results = 0 } = session;
    const isOwnKey = usedKey !== null && offeredAt === undefined;
    // Without room for the key it could not protect a retry.
    if (isOwnKey && (await sessions.countUsedKeys(id)) >= MAX_OWN_KEYS_PER_SESSION) return SESSION_USED_UP;
    const known = facts();
    const decision = decideStep(session, supplied, known);
    if (decision.kind === 'answered') return save(request, await currentResult(request, decision));
    if (decision.kind !== 'quote') return save(request, stepAnswers.end(decision, request, known));
    if (results >= MAX_RESULTS_PER_SESSION) return SESSION_USED_UP;
    const claim = await sessions.claim(id, revision, claimMs);
    if (claim.kind !== 'claimed') return claim;
    try {
      return await save(request, await askOperators(decision, request));
    } finally {
      sessions.release(id, revision);
    }
  }

  /** The request changed nothing. The key of an earlier step's address is not stored: following it again is not a repeat. */
  async function currentResult(
    request: StepRequest,
    decision: Extract<ReturnType<typeof decideStep>, { kind: 'answered' }>,
  ): Promise<StepEnd> {
    const { session, token, view, usedKey } = request;
    const sideEffects = sideEffectsOf(request, decision);
    const outcome = outcomeOf(await readResult({ session, token }, view, sideEffects));
    const isNoted = outcome.kind === 'answered' && usedKey !== null && !sideEffects.isFromEarlierStep;
    return { outcome, change: isNoted ? { session, isNewState: false, storesKey: true } : undefined };
  }

  /** Stores the change, then reports the step. After a conflict the retry reports it. */
  async function save(
    request: StepRequest,
    { outcome, change, carriedOut }: StepEnd,
  ): Promise<StepOutcome | Contended> {
    if (change) {
      // A change is written whole or not at all, so from here on the client may leave.
      stopIfGone(request.client);
      const committed = await sessions.commit(keyedChange(request, change));
      if (committed.kind === 'conflict') return committed;
    }
    if (carriedOut) observe?.carriedOut(carriedOut);
    return outcome;
  }

  /**
   * Answers a request whose key the session has seen. Undefined for any other request. The answer shows the search as it stands, never a past
   * state. A key of the client's own is never carried out twice; an offered address that is followed again after other changes is a change
   * of mind.
   */
  async function replay(
    request: StepRequest,
  ): Promise<StepOutcome | { readonly kind: 'conflict' } | undefined> {
    const { session, usedKey, offeredAt } = request;
    if (usedKey === null) return undefined;
    const isOffered = offeredAt !== undefined;
    // A key of the service matters only until the search moves on, so the session itself holds the few current ones.
    const used = isOffered
      ? session.followedKeys?.find(({ id }) => id === usedKey.id)
      : await sessions.usedKey(session.id, usedKey.id);
    if (!used) return undefined;
    const revision = 'revision' in used ? used.revision : session.revision;
    // The session was read before the request with this key was saved.
    if (revision > session.revision) return { kind: 'conflict' };
    if (used.fingerprint !== usedKey.fingerprint) {
      return isOffered
        ? undefined
        : { kind: 'answered', answer: stepAnswers.refuse('idempotency_key_reused', request, facts()) };
    }
    const outcome = await answerAgain(request, revision === session.revision);
    return outcome.kind === 'answered'
      ? { kind: 'answered', answer: { ...outcome.answer, replayed: true } }
      : outcome;
  }

  async function answerAgain(request: StepRequest, isUnchanged: boolean): Promise<StepOutcome> {
    const { session, token, view, supplied } = request;
    const known = facts();
    const isAnswered = session.result?.answersPayload === true;
    if (isUnchanged) {
      // Repeats the refusals and fulfilled amenities of the first answer; the accepted values are set already, so nothing changes.
      const decision = decideStep(session, supplied, known);
      if (decision.kind === 'answered') {
        const sideEffects = { ...sideEffectsOf(request, decision), isFromEarlierStep: false };
        return outcomeOf(await readResult({ session, token }, view, sideEffects));
      }
      if (!isAnswered && decision.kind === 'refused' && decision.session === session) {
        return {
          kind: 'answered',
          answer: stepAnswers.to(decision, { ...request, key: null, offeredAt: undefined }, known),
        };
      }
    }
    if (isAnswered) return outcomeOf(await readResult({ session, token }, view, NO_SIDE_EFFECTS));
    const decision = decideStep(session, [], known);
    // Complete without a result: the operators were silent. A replay does not ask them again.
    return {
      kind: 'answered',
      answer:
        decision.kind === 'incomplete' || decision.kind === 'unsearchable'
          ? stepAnswers.to(decision, { ...request, supplied: [] }, known)
          : stepAnswers.untilOperatorsAnswer(request, known),
    };
  }
}

/** The stored form of a key. The fingerprint is hashed, because a request may hold any text of the caller, which must not be stored. */
function usedKeyOf(
  { id }: Session,
  key: string | null,
  supplied: readonly SuppliedValue[],
): SessionChange['usedKey'] {
  if (key === null) return null;
  const fingerprint = hash('sha256', fingerprintOf(supplied), 'base64url').slice(0, FINGERPRINT_CHARACTERS);
  return { id: usedKeyIdOf(id, key), fingerprint };
}

/** The change with the key of its request: a key of the service stays in the session, one of the client's own is stored beside it. */
function keyedChange(
  { session: before, usedKey, offeredAt }: StepRequest,
  { session, isNewState, storesKey, result = null, quotes = [] }: StepChange,
): SessionChange {
  const stored = storesKey ? usedKey : null;
  const isOffered = offeredAt !== undefined;
  // Storing only a key does not raise the revision, so the offered addresses stay current.
  const next = isNewState ? withNextRevision(session) : withNextNote(session);
  const known = isNewState ? [] : (session.followedKeys ?? []);
  const followedKeys =
    isOffered && stored
      ? [...known.filter(({ id }) => id !== stored.id), stored].slice(-MAX_FOLLOWED_KEYS)
      : known;
  const hasNone = followedKeys.length === 0 && !session.followedKeys?.length;
  return {
    session: hasNone ? next : { ...next, followedKeys },
    expectedRevision: before.revision,
    usedKey: isOffered ? null : stored,
    result,
    quotes,
  };
}
