import { type Clock, createStepWatch } from '../clock.ts';
import type { OldQuotes } from './quote-ledger.ts';
import type { SessionStore } from './session-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Expired sessions stay stored this long, so that a late caller gets 410 and not 404. */
const EXPIRED_KEPT_MS = DAY_MS;
const EXPIRED_PAUSE_MS = 10_000;
const OLD_PAUSE_MS = 15 * 60_000;
const PAUSE_WITHIN_A_ROUND_MS = 100;
const ROWS_AT_A_TIME = 200;

type Deleting = { stop(): Promise<void> };
type DeletionParts = { readonly clock: Clock; readonly onFailure: (failure: unknown) => void };

export function startDeletingExpired({
  sessions,
  ...parts
}: DeletionParts & { readonly sessions: Pick<SessionStore, 'deleteExpired'> }): Deleting {
  return deleteRepeatedly(EXPIRED_PAUSE_MS, parts, (now, limit) =>
    sessions.deleteExpired({ bodiesBefore: now, sessionsBefore: now - EXPIRED_KEPT_MS, limit }),
  );
}

/** Deletes rows older than `days`, such as quotes. */
export function startDeletingOld({
  deleteOld,
  days,
  ...parts
}: DeletionParts & {
  /** Resolves with how many were deleted. */
  readonly deleteOld: (old: OldQuotes) => Promise<number>;
  readonly days: number | 'for_ever';
}): Deleting {
  if (days === 'for_ever') return { stop: async () => {} };
  return deleteRepeatedly(OLD_PAUSE_MS, parts, (now, limit) =>
    deleteOld({ now, keptMs: days * DAY_MS, limit }),
  );
}

/** Deletes a few at a time, so that requests do not wait for it. */
function deleteRepeatedly(
  pauseMs: number,
  { clock, onFailure }: DeletionParts,
  deleteSome: (now: number, limit: number) => Promise<number>,
): Deleting {
  // The start counts as a step: a clock may be wrong from then on.
  const wasStepped = createStepWatch(clock, clock.elapsed());
  let stopped = false;
  let cancel = () => {};
  let deleting: Promise<void> = Promise.resolve();
  continueAfter(pauseMs);
  return {
    async stop() {
      stopped = true;
      cancel();
      await deleting;
    },
  };

  function continueAfter(ms: number): void {
    cancel = clock.after(ms, () => {
      deleting = deletedAll().then((isDone) => {
        if (!stopped) continueAfter(isDone ? pauseMs : PAUSE_WITHIN_A_ROUND_MS);
      });
    });
  }

  async function deletedAll(): Promise<boolean> {
    // Deleting is final, so do not delete by a clock that may be wrong.
    if (wasStepped()) return true;
    try {
      return (await deleteSome(clock.now(), ROWS_AT_A_TIME)) < ROWS_AT_A_TIME;
    } catch (failure) {
      onFailure(failure);
      return true;
    }
  }
}
