import type { BrandAvailability, BrandId } from '../catalogue/catalogue.ts';
import { type ClockTime, timeOn } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import { elapsedAt, isSameRecord, type SyncRecord, saveSyncRecord } from './brand-documents.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { CalendarQueue } from './calendar-queue.ts';
import type { BrandWrites } from './leadership.ts';
import type { SyncContext } from './sync-observer.ts';

/** While a run goes on, its record is saved this often at most. */
const SAVE_EVERY_MS = 60_000;

/** `full` reads every calendar; `incremental` those that are new, old, or of a listing that changed. */
export type RefreshMode = 'full' | 'incremental';

type Rounds = Pick<SyncRecord, 'completedAt' | 'fullStartedAt' | 'fullIsComplete' | 'changesKnownUntil'>;

const NOTHING_READ: Rounds = {
  completedAt: null,
  fullStartedAt: null,
  fullIsComplete: false,
  changesKnownUntil: null,
};

export type BrandProgress = ReturnType<typeof createBrandProgress>;

/** How far a brand was read: by this node, or by its leader according to the leader's last record. */
export function createBrandProgress({
  context: { clock, fullEveryMs, observe },
  brand,
  offer,
  queue,
  store,
  maySave,
}: {
  readonly context: SyncContext;
  readonly brand: BrandId;
  readonly offer: Pick<BrandOffer, 'size' | 'catalogueIsKnown' | 'oldestReadAt'>;
  readonly queue: () => Pick<CalendarQueue, 'waiting' | 'outdated'>;
  readonly store: Pick<BrandWrites, 'saveDocument'>;
  readonly maySave: () => boolean;
}) {
  let rounds = NOTHING_READ;
  let fullStartedAt = Number.NEGATIVE_INFINITY;
  let lastFailure: SyncRecord['lastFailure'] = null;
  let failuresInARow = 0;
  /** Until this node has its own plan of what to read. */
  let leaderRecord: SyncRecord | undefined;
  /** By this node, since its start. */
  let wasRead = false;
  /** The last two that were saved or taken, because it may be unknown whether the last was stored. */
  let known: readonly SyncRecord[] = [];
  let savedAt = Number.NEGATIVE_INFINITY;

  const waiting = () => leaderRecord?.waiting ?? queue().waiting;

  async function save(): Promise<void> {
    if (!maySave()) return;
    savedAt = clock.elapsed();
    // Until the queue has the catalogue, the changes from before the start remain outdated.
    const record = recordOf((await queue().outdated()) ?? known.at(-1)?.changed ?? []);
    known = [...known.slice(-1), record];
    try {
      await saveSyncRecord(store, brand, record);
      known = [record];
    } catch (error) {
      observe.storeFailed(error);
    }
  }

  function recordOf(changed: SyncRecord['changed']): SyncRecord {
    const { now, elapsed } = timeOn(clock);
    const oldest = offer.oldestReadAt();
    return {
      ...rounds,
      savedAt: now,
      changed,
      offered: offer.size,
      oldestCalendarAt: oldest === null ? null : Math.max(0, Math.round(now - (elapsed - oldest))),
      waiting: queue().waiting,
      lastFailure,
    };
  }

  return {
    get rounds() {
      return rounds;
    },
    /** null when nothing has failed since the last success. */
    get lastFailure() {
      return lastFailure;
    },
    get failuresInARow() {
      return failuresInARow;
    },
    /** How many calendars remain to be read. */
    get waiting() {
      return waiting();
    },
    /** The last record that was saved or taken. */
    get lastRecord() {
      return known.at(-1);
    },
    /**
     * Whether this run begins a full round: when the caller asks for one, or when the last began too long ago. A run continues an unfinished
     * round that began recently.
     */
    beginRound(mode: RefreshMode, { now, elapsed }: ClockTime): boolean {
      const isRecent = elapsed - fullStartedAt < fullEveryMs;
      const goesOn = mode === 'incremental' || !rounds.fullIsComplete;
      if (isRecent && goesOn) return false;
      fullStartedAt = elapsed;
      rounds = { ...rounds, fullStartedAt: now, fullIsComplete: false, changesKnownUntil: now };
      return true;
    },
    /** This node has its own plan of what to read. */
    planned(): Promise<void> {
      leaderRecord = undefined;
      return save();
    },
    /** A run has read everything that was due. */
    completed(): void {
      rounds = { ...rounds, completedAt: clock.now(), fullIsComplete: true };
      lastFailure = null;
      failuresInARow = 0;
      wasRead = true;
    },
    failed(kind: FailureKind, error?: unknown): void {
      const hasLimit = kind === 'too_large' && error instanceof BookingSystemFailure;
      lastFailure = { at: clock.now(), kind, ...(hasLimit ? { message: error.message } : {}) };
      failuresInARow += 1;
      wasRead = true;
    },
    /** The next run begins a full round. */
    forgetRounds(): void {
      rounds = NOTHING_READ;
      fullStartedAt = Number.NEGATIVE_INFINITY;
    },
    /**
     * Continues from a stored record of an earlier run or another node. `start` is one instant on both clocks. Returns whether the record is
     * new: this node has neither saved nor taken it.
     */
    take(record: SyncRecord, start: ClockTime): boolean {
      if (known.some((one) => isSameRecord(one, record))) return false;
      known = [record];
      const { completedAt, fullIsComplete, changesKnownUntil } = record;
      rounds = { completedAt, fullStartedAt: record.fullStartedAt, fullIsComplete, changesKnownUntil };
      if (record.fullStartedAt !== null) fullStartedAt = elapsedAt(record.fullStartedAt, start);
      lastFailure = record.lastFailure;
      failuresInARow = 0;
      return true;
    },
    /** Uses the leader's record until this node has its own plan. */
    follow(record: SyncRecord): void {
      leaderRecord = record;
    },
    /** Never rejects. */
    save,
    /** Unless it was saved a short time ago. */
    async saveNowAndThen(): Promise<void> {
      if (clock.elapsed() - savedAt >= SAVE_EVERY_MS) await save();
    },
    /** Treats the next record taken as new. */
    forgetRecord(): void {
      known = [];
    },
    /** How long ago everything was read; undefined when unknown, or when something is due now. */
    sinceRead(): number | undefined {
      if (!leaderRecord) return wasRead && known.length > 0 ? 0 : undefined;
      const isComplete = leaderRecord.lastFailure === null && leaderRecord.waiting === 0;
      return leaderRecord.completedAt && isComplete
        ? Math.max(0, clock.now() - leaderRecord.completedAt)
        : undefined;
    },
    /** How long ago the last complete run ended; undefined when something is due now. */
    sinceCompleted(): number | undefined {
      const { completedAt } = rounds;
      const isWhole = lastFailure === null && queue().waiting === 0;
      return completedAt !== null && isWhole ? Math.max(0, clock.now() - completedAt) : undefined;
    },
    /** What searches find of its homes while it is on offer. */
    availability(): Extract<BrandAvailability, 'ready' | 'partly_read' | 'unread'> {
      if (offer.size > 0) return rounds.completedAt === null ? 'partly_read' : 'ready';
      const isKnown = offer.catalogueIsKnown || (leaderRecord?.completedAt ?? null) !== null;
      return isKnown && waiting() === 0 ? 'ready' : 'unread';
    },
  };
}
