import { hash } from 'node:crypto';
import type { Answer } from '../contract/exchange.ts';
import { stopIfGone } from '../limits/deadline.ts';
import { isServiceKey } from '../sessions/idempotency.ts';
import { type FollowedKey, type Session, withNextNote, withNextRevision } from '../sessions/session.ts';
import type { SessionChange, SessionStore, UsedKey, UsedKeyId } from '../sessions/session-store.ts';
import { usedKeyIdOf } from '../sessions/session-token.ts';
import { type AttemptOutcome, answered, type StepRequest } from './step-request.ts';
import { fingerprintOf, type SuppliedValue } from './supplied-values.ts';

type StepChange = Pick<SessionChange, 'session'> &
  Partial<Pick<SessionChange, 'result' | 'quotes'>> & {
    /** Whether to store the key. Not for silent operators: a retry must be able to succeed. */
    readonly storesKey?: boolean;
    /** By default when the session changed. */
    readonly isNewState?: boolean;
  };

/** Resolves with the answer once the change and the key of the request are stored. */
export type CommitStep = (
  request: StepRequest,
  change: StepChange,
  answer: Answer,
) => Promise<AttemptOutcome>;

export function createCommitStep(sessions: Pick<SessionStore, 'commit'>): CommitStep {
  return async (request, change, answer) => {
    // A change is written whole or not at all, so from here on the client may leave.
    stopIfGone(request.client);
    const { session, storesKey = true, isNewState = session !== request.session } = change;
    const { result = null, quotes = [] } = change;
    const isFollowed = request.key !== null && isServiceKey(request.key);
    const key = storesKey ? request.usedKey : null;
    const outcome = await sessions.commit({
      // Storing only a key does not raise the revision, so the offered addresses stay current.
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
  };
}

/** A key of the service belongs to one address of one step. If a client invents more, the oldest are dropped. */
const MAX_FOLLOWED_KEYS = 16;

export function usedKeyOf(
  { id }: Session,
  key: string | null,
  supplied: readonly SuppliedValue[],
): SessionChange['usedKey'] {
  return key === null ? null : { id: usedKeyIdOf(id, key), fingerprint: hashOf(fingerprintOf(supplied)) };
}

/** A key of the service matters only until the search moves on, so the session itself holds the few current ones. */
export function followedKey({ followedKeys = [], revision }: Session, id: UsedKeyId): UsedKey | undefined {
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

/** Hashed, because a request may hold any text of the caller, which must not be stored. */
function hashOf(fingerprint: string): string {
  return hash('sha256', fingerprint, 'base64url').slice(0, 22);
}
