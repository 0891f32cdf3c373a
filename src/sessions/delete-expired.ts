import { type Clock, createStepWatch } from '../clock.ts';
import type { SessionStore } from './session-store.ts';

/** Expired sessions are kept this long, so that a late caller gets 410 and not 404. */
const EXPIRED_KEPT_MS = 24 * 60 * 60 * 1000;
const PAUSE_MS = 10_000;
const SESSIONS_PER_ROUND = 200;

/** Deletes expired sessions in small rounds, so that requests do not wait for it. */
export function startDeletingExpired({
  sessions,
  clock,
  onFailure,
}: {
  readonly sessions: Pick<SessionStore, 'deleteExpired'>;
  readonly clock: Clock;
  readonly onFailure: (failure: unknown) => void;
}): { stop(): Promise<void> } {
  let stopped = false;
  let cancel = () => {};
  let round: Promise<void> = Promise.resolve();
  // The start counts as a step: a clock may be wrong from then on.
  const wasStepped = createStepWatch(clock, clock.elapsed());
  scheduleNextRound();
  return {
    async stop() {
      stopped = true;
      cancel();
      await round;
    },
  };

  function scheduleNextRound(): void {
    cancel = clock.after(PAUSE_MS, () => {
      round = deleteRounds().then(() => {
        if (!stopped) scheduleNextRound();
      });
    });
  }

  async function deleteRounds(): Promise<void> {
    try {
      let touched = SESSIONS_PER_ROUND;
      while (!stopped && touched === SESSIONS_PER_ROUND) {
        // What a wrong clock called expired is gone for good once it is deleted.
        if (wasStepped()) return;
        const now = clock.now();
        touched = await sessions.deleteExpired({
          bodiesBefore: now,
          sessionsBefore: now - EXPIRED_KEPT_MS,
          limit: SESSIONS_PER_ROUND,
        });
      }
    } catch (failure) {
      onFailure(failure);
    }
  }
}
