import type { ClockTime } from '../clock.ts';

/** `full` reads every calendar; `incremental` those that are new or old, and those that have changed where the booking system can tell. */
export type RefreshMode = 'full' | 'incremental';

/** How far a brand has been read: full rounds, which read every calendar, and what was learned of changes in between. */
export type Rounds = {
  /**
   * True when a full round begins with this run. It does when it is asked for or the last one began too long ago, but not while
   * one that began recently is unfinished: the run then goes on with that.
   */
  begin(mode: RefreshMode, at: ClockTime): boolean;
  /** Everything that was due has been read. */
  completed(at: number): void;
  changesLearned(until: number): void;
  restore(rounds: RoundsState, elapsedAt: (instant: number) => number): void;
  /** Nothing counts as read: the next run begins a full round. */
  forget(): void;
  state(): RoundsState;
};

/** In epoch milliseconds. */
export type RoundsState = {
  /** The end of the last run that left nothing unread. */
  readonly completedAt: number | null;
  readonly fullStartedAt: number | null;
  readonly fullIsComplete: boolean;
  /** Changes up to then were asked for, and all calendars that they concern are known. */
  readonly changesKnownUntil: number | null;
};

const NOTHING_READ: RoundsState = {
  completedAt: null,
  fullStartedAt: null,
  fullIsComplete: false,
  changesKnownUntil: null,
};

export function createRounds({ fullEveryMs }: { readonly fullEveryMs: number }): Rounds {
  let state = NOTHING_READ;
  let fullStartedAt = Number.NEGATIVE_INFINITY;

  return {
    begin(mode, { now, elapsed }) {
      const isRecent = elapsed - fullStartedAt < fullEveryMs;
      const goesOn = mode === 'incremental' || !state.fullIsComplete;
      if (isRecent && goesOn) return false;
      fullStartedAt = elapsed;
      state = { ...state, fullStartedAt: now, fullIsComplete: false, changesKnownUntil: now };
      return true;
    },
    completed(at) {
      state = { ...state, completedAt: at, fullIsComplete: true };
    },
    changesLearned(until) {
      state = { ...state, changesKnownUntil: until };
    },
    restore(rounds, elapsedAt) {
      state = rounds;
      if (rounds.fullStartedAt !== null) fullStartedAt = elapsedAt(rounds.fullStartedAt);
    },
    forget() {
      state = NOTHING_READ;
      fullStartedAt = Number.NEGATIVE_INFINITY;
    },
    state: () => state,
  };
}
