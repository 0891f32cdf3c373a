import type { Answer } from '../contract/exchange.ts';
import { stopIfGone } from '../limits/deadline.ts';
import { isServiceKey } from '../sessions/idempotency.ts';
import { withNextNote, withNextRevision } from '../sessions/session.ts';
import type { SessionChange, SessionStore } from '../sessions/session-store.ts';
import { type AttemptOutcome, answered, type StepRequest } from './step-request.ts';
import { withFollowedKeys } from './used-keys.ts';

export type StepChange = Pick<SessionChange, 'session'> &
  Partial<Pick<SessionChange, 'result' | 'quotes'>> & {
    /** The silence of the operators is not remembered: a retry must be able to succeed. */
    readonly isRemembered?: boolean;
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
  };
}
