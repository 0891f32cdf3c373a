import { type Clock, type ClockTime, timeOn } from '../clock.ts';
import type { SessionStore } from './session-store.ts';

/** Expired sessions are kept this long, so that a late caller gets 410 and not 404. */
const EXPIRED_KEPT_MS = 24 * 60 * 60 * 1000;
const PAUSE_MS = 10_000;
const SESSIONS_PER_ROUND = 200;
/** More than a clock is corrected by while it runs: it was set, and may be wrong. */
const MAX_DRIFT_MS = 60_000;
/** Long enough to put a wrong clock right. What it called expired is gone for good once it is deleted. */
const PAUSE_AFTER_STEP_MS = 15 * 60_000;

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
  let last = timeOn(clock);
  let steppedAt = Number.NEGATIVE_INFINITY;
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

  function readClocks(): ClockTime {
    const time = timeOn(clock);
    const drift = time.now - last.now - (time.elapsed - last.elapsed);
    if (Math.abs(drift) > MAX_DRIFT_MS) steppedAt = time.elapsed;
    last = time;
    return time;
  }

  async function deleteRounds(): Promise<void> {
    try {
      let touched = SESSIONS_PER_ROUND;
      while (!stopped && touched === SESSIONS_PER_ROUND) {
        const { now, elapsed } = readClocks();
        if (elapsed - steppedAt < PAUSE_AFTER_STEP_MS) return;
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
