import type { BrandAvailability, BrandId } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import type { Clock, ClockTime } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { CalendarQueue } from './calendar-queue.ts';
import { elapsedAt, type SyncRecord } from './sync-record.ts';

/** How far a brand was read: by this node, or by its leader according to the leader's last record. */
export type BrandProgress = {
  readonly rounds: Rounds;
  /** null when nothing has failed since the last success. */
  readonly lastFailure: BrandStatus['lastFailure'];
  readonly failuresInARow: number;
  /** How many calendars remain to be read. */
  readonly waiting: number;
  /** Continues from a record of an earlier run or another node. `start` is one instant on both clocks. */
  restore(record: SyncRecord, start: ClockTime): void;
  /** Uses the leader's record until this node has its own plan. */
  followRecord(record: SyncRecord): void;
  /** This node has its own plan of what to read. */
  planned(): void;
  /** A run has read everything that was due. */
  completed(): void;
  failed(kind: FailureKind, error?: unknown): void;
  /** How long ago everything was read; undefined when unknown, or when something is due now. `last` is the last known record. */
  sinceRead(last: SyncRecord | undefined): number | undefined;
  /** How long ago the last complete run ended; undefined when something is due now. */
  sinceCompleted(): number | undefined;
  /** What searches find of its homes while it is on offer. */
  availability(): Extract<BrandAvailability, 'ready' | 'partly_read' | 'unread'>;
};

export function createBrandProgress({
  offer,
  queue,
  clock,
  fullEveryMs,
}: {
  readonly offer: Pick<BrandOffer, 'size' | 'catalogueIsKnown'>;
  readonly queue: () => Pick<CalendarQueue, 'waiting'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly fullEveryMs: number;
}): BrandProgress {
  const rounds = createRounds({ fullEveryMs });
  let leaderRecord: SyncRecord | undefined;
  let lastFailure: BrandStatus['lastFailure'] = null;
  let failuresInARow = 0;
  /** By this node, since its start. */
  let wasRead = false;

  const waiting = () => leaderRecord?.waiting ?? queue().waiting;

  return {
    rounds,
    get lastFailure() {
      return lastFailure;
    },
    get failuresInARow() {
      return failuresInARow;
    },
    get waiting() {
      return waiting();
    },
    restore(record, start) {
      const { completedAt, fullStartedAt, fullIsComplete, changesKnownUntil } = record;
      const known = { completedAt, fullStartedAt, fullIsComplete, changesKnownUntil };
      rounds.restore(known, (instant) => elapsedAt(instant, start));
      lastFailure = record.lastFailure;
      failuresInARow = 0;
    },
    followRecord(record) {
      leaderRecord = record;
    },
    planned() {
      leaderRecord = undefined;
    },
    completed() {
      rounds.completed(clock.now());
      lastFailure = null;
      failuresInARow = 0;
      wasRead = true;
    },
    failed(kind, error) {
      const hasLimit = kind === 'too_large' && error instanceof BookingSystemFailure;
      lastFailure = { at: clock.now(), kind, ...(hasLimit ? { message: error.message } : {}) };
      failuresInARow += 1;
      wasRead = true;
    },
    sinceRead(last) {
      if (!leaderRecord) return wasRead && last ? 0 : undefined;
      const isComplete = leaderRecord.lastFailure === null && leaderRecord.waiting === 0;
      return leaderRecord.completedAt && isComplete
        ? Math.max(0, clock.now() - leaderRecord.completedAt)
        : undefined;
    },
    sinceCompleted() {
      const { completedAt } = rounds.state();
      const isWhole = lastFailure === null && queue().waiting === 0;
      return completedAt !== null && isWhole ? Math.max(0, clock.now() - completedAt) : undefined;
    },
    availability() {
      if (offer.size > 0) return rounds.state().completedAt === null ? 'partly_read' : 'ready';
      const isKnown = offer.catalogueIsKnown || (leaderRecord?.completedAt ?? null) !== null;
      return isKnown && waiting() === 0 ? 'ready' : 'unread';
    },
  };
}

/** `full` reads every calendar; `incremental` those that are new or old, and those that the booking system reports as changed. */
export type RefreshMode = 'full' | 'incremental';

/** Full rounds, which read every calendar of a brand, and the changes reported between them. */
export type Rounds = {
  /**
   * Whether this run begins a full round: when the caller asks for one, or when the last began too long ago. A run continues an unfinished
   * round that began recently.
   */
  begin(mode: RefreshMode, at: ClockTime): boolean;
  /** A run has read everything due. */
  completed(at: number): void;
  changesLearned(until: number): void;
  restore(rounds: RoundsState, elapsedAt: (instant: number) => number): void;
  /** Resets the state: the next run begins a full round. */
  forget(): void;
  state(): RoundsState;
};

/** In epoch milliseconds. */
type RoundsState = {
  /** The end of the last complete run. */
  readonly completedAt: number | null;
  readonly fullStartedAt: number | null;
  readonly fullIsComplete: boolean;
  /** Changes up to then were requested, and all their calendars are queued. */
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

/** The state of a brand, for the owner. */
export type BrandStatus = {
  readonly brand: BrandId;
  /** Whether this node reads it from its operator. If not, the members about readings are the leader's last record; those about offered and rejected homes are this node's own. */
  readonly leads: boolean;
  /** When the owner paused it, in epoch milliseconds; null while its homes may be on offer. */
  readonly pausedAt: number | null;
  /** End of the last complete run, in epoch milliseconds, also of an earlier process; null when there was none. */
  readonly lastSuccessAt: number | null;
  /** null when nothing has failed since the last success. */
  readonly lastFailure: {
    readonly at: number;
    readonly kind: FailureKind;
    /** For `too_large`: which limit, and how to raise it. */
    readonly message?: string;
  } | null;
  /** How many are offered. */
  readonly properties: number;
  /** The age of the oldest calendar on offer; null when there is none. */
  readonly oldestCalendarMs: number | null;
  /** How many calendars remain to be read, because a run did not reach them or because they are too old to be offered. */
  readonly calendarsWaiting: number;
  readonly rejections: readonly Rejection[];
  /** How many more rejections there are than the list has. */
  readonly notListed: number;
};
