import { hash } from 'node:crypto';
import { type Session, withNextNote, withNextRevision } from '../sessions/session.ts';
import type { SessionChange, SessionStore } from '../sessions/session-store.ts';
import { usedKeyIdOf } from '../sessions/session-token.ts';
import { NO_SIDE_EFFECTS } from './answers/side-effects.ts';
import { decideStep } from './decide-step.ts';
import type { SearchFacts } from './payload.ts';
import { outcomeOf, type ReadResult } from './read-result.ts';
import { type StepAnswers, sideEffectsOf } from './step-answers.ts';
import type { StepChange, StepOutcome, StepRequest } from './step-request.ts';
import { fingerprintOf, type SuppliedValue } from './supplied-values.ts';

/** A key of the service belongs to one address of one step. If a client invents more, the oldest are dropped. */
const MAX_FOLLOWED_KEYS = 16;
const FINGERPRINT_CHARACTERS = 22;

/** The stored form of a key. The fingerprint is hashed, because a request may hold any text of the caller, which must not be stored. */
export function usedKeyOf(
  { id }: Session,
  key: string | null,
  supplied: readonly SuppliedValue[],
): SessionChange['usedKey'] {
  if (key === null) return null;
  const fingerprint = hash('sha256', fingerprintOf(supplied), 'base64url').slice(0, FINGERPRINT_CHARACTERS);
  return { id: usedKeyIdOf(id, key), fingerprint };
}

/**
 * Answers a request whose key the session has seen. Undefined for any other request. The answer shows the search as it stands, never a past
 * state. A key of the client's own is never carried out twice; an offered address that is followed again after other changes is a change
 * of mind.
 */
export type Replay = (
  request: StepRequest,
) => Promise<StepOutcome | { readonly kind: 'conflict' } | undefined>;

export function createReplay({
  sessions,
  facts,
  stepAnswers,
  readResult,
}: {
  readonly sessions: Pick<SessionStore, 'usedKey'>;
  readonly facts: () => SearchFacts;
  readonly stepAnswers: StepAnswers;
  readonly readResult: ReadResult;
}): Replay {
  return async (request) => {
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
  };

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

/** The change with the key of its request: a key of the service stays in the session, one of the client's own is stored beside it. */
export function keyedChange(
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
