import { type Clock, createStepWatch } from '../clock.ts';
import type { OldQuotes } from './quote-ledger.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Nothing is in a hurry, and a clock that was wrong at the start may have been put right by then. */
const PAUSE_MS = 15 * 60_000;
const PAUSE_WITHIN_A_ROUND_MS = 100;
const ROWS_AT_A_TIME = 200;

/** Deletes what is older than that, such as quotes, a few at a time, so that searches do not wait for it. */
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
    // What a wrong clock called old is gone for good once it is deleted.
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
