import type { Clock } from '../clock.ts';
import { MAX_WAITING_PER_SESSION } from '../contract/vocabulary.ts';
import { stopIfGone } from '../limits/deadline.ts';
import { createOneAtATime } from '../limits/keyed-mutex.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import {
  type AttemptOutcome,
  SESSION_EXPIRED,
  SESSION_GONE,
  type StepOutcome,
  type StepRequest,
} from './step-request.ts';

const QUEUE_FULL: StepOutcome = { kind: 'queue_full', retryAfterSeconds: 1 };
/** Another node may change the session between reading and writing it. Each conflict means that another change was stored, and rarely costs a search, because operators are asked under a claim. */
const MAX_ATTEMPTS = 16;
const CLAIM_POLL_MS = 100;

/** Runs the requests of a session one at a time on this node, in order of arrival, and retries when other nodes change the session. */
export function createTakeInTurn({
  sessions,
  clock,
  claimMs,
  attempt,
  giveUp,
  onContended,
}: {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly clock: Clock;
  /** The longest claim of a session. */
  readonly claimMs: number;
  readonly attempt: (request: StepRequest) => Promise<AttemptOutcome>;
  /** Answers after the last attempt. */
  readonly giveUp: (request: StepRequest) => StepOutcome;
  readonly onContended: (outcome: 'conflict' | 'taken') => void;
}): (request: StepRequest) => Promise<StepOutcome> {
  const maxPolls = Math.ceil(claimMs / CLAIM_POLL_MS) + 1;
  const oneAtATime = createOneAtATime();

  async function take(request: StepRequest, { waited }: { readonly waited: boolean }): Promise<StepOutcome> {
    const { client } = request;
    stopIfGone(client);
    // Another request may have changed the session while this one waited. If one did so before, the commit conflicts.
    let session = waited ? await sessions.find(request.session.id) : request.session;
    for (let attempts = 0, polls = 0; attempts < MAX_ATTEMPTS && polls < maxPolls; ) {
      if ((session ?? request.session).expiresAt <= clock.now()) return SESSION_EXPIRED;
      if (!session) return SESSION_GONE;
      const outcome = await attempt({ ...request, session });
      if (outcome.kind === 'conflict') attempts += 1;
      else if (outcome.kind === 'taken') {
        polls += 1;
        await new Promise<void>((resolve) => void clock.after(CLAIM_POLL_MS, resolve));
        stopIfGone(client);
      } else return outcome;
      onContended(outcome.kind);
      session = await sessions.find(request.session.id);
    }
    return giveUp(request);
  }

  return (request) =>
    oneAtATime(request.session.id, (turn) => take(request, turn), {
      client: request.client,
      maxWaiting: MAX_WAITING_PER_SESSION,
      whenFull: () => QUEUE_FULL,
    });
}
