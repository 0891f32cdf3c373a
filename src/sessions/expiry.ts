import { type Clock, createStepWatch } from '../clock.ts';
import type { OldQuotes } from './quote-ledger.ts';
import type { SessionStore } from './session-store.ts';

/** Expired sessions stay stored this long, so that a late caller gets 410 and not 404. */
const EXPIRED_KEPT_MS = 24 * 60 * 60 * 1000;
const EXPIRY_PAUSE_MS = 10_000;
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
    cancel = clock.after(EXPIRY_PAUSE_MS, () => {
      round = deleteRounds().then(() => {
        if (!stopped) scheduleNextRound();
      });
    });
  }

  async function deleteRounds(): Promise<void> {
    try {
      let touched = SESSIONS_PER_ROUND;
      while (!stopped && touched === SESSIONS_PER_ROUND) {
        // Deleting is final, so do not delete by a clock that may be wrong.
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

const DAY_MS = 24 * 60 * 60 * 1000;
/** Deleting is not urgent, and a clock that was wrong at the start may be right by then. */
const PAUSE_MS = 15 * 60_000;
const PAUSE_WITHIN_A_ROUND_MS = 100;
const ROWS_AT_A_TIME = 200;

/** Deletes rows older than `days`, such as quotes, a few at a time, so that searches do not wait for it. */
export function startDeletingOld({
  deleteOld,
  days,
  clock,
  onFailure,
}: {
  /** Resolves with how many were deleted. */
  readonly deleteOld: (old: OldQuotes) => Promise<number>;
  readonly days: number | 'for_ever';
  readonly clock: Clock;
  readonly onFailure: (failure: unknown) => void;
}): { stop(): Promise<void> } {
  if (days === 'for_ever') return { stop: async () => {} };
  const keptMs = days * DAY_MS;
  const wasStepped = createStepWatch(clock);
  let stopped = false;
  let cancel = () => {};
  let deleting: Promise<void> = Promise.resolve();
  continueAfter(PAUSE_MS);
  return {
    async stop() {
      stopped = true;
      cancel();
      await deleting;
    },
  };

  function continueAfter(pauseMs: number): void {
    cancel = clock.after(pauseMs, () => {
      deleting = deleteSome().then((isMore) => {
        if (!stopped) continueAfter(isMore ? PAUSE_WITHIN_A_ROUND_MS : PAUSE_MS);
      });
    });
  }

  async function deleteSome(): Promise<boolean> {
    // Deleting is final, so do not delete by a clock that may be wrong.
    if (wasStepped()) return false;
    try {
      const old = { now: clock.now(), keptMs, limit: ROWS_AT_A_TIME };
      return (await deleteOld(old)) === ROWS_AT_A_TIME;
    } catch (failure) {
      onFailure(failure);
      return false;
    }
  }
}
