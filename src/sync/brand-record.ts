import type { BrandId } from '../catalogue/catalogue.ts';
import { type Clock, timeOn } from '../clock.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { BrandProgress } from './brand-progress.ts';
import type { CalendarQueue } from './calendar-queue.ts';
import type { BrandWrites } from './leadership.ts';
import { isSameRecord, type SyncRecord, saveSyncRecord } from './sync-record.ts';

/** While a run goes on, its record is saved this often at most. */
const PAUSE_MS = 60_000;

/** The stored record of a brand: saves it while this node may, and detects records of other nodes. */
export type BrandRecord = {
  /** Never rejects. */
  save(): Promise<void>;
  /** Unless it was saved a short time ago. */
  saveNowAndThen(): Promise<void>;
  /** Notes that this record is stored. Returns whether it is new: this node has neither saved nor taken it. */
  take(record: SyncRecord): boolean;
  /** The last one that was saved or taken. */
  last(): SyncRecord | undefined;
  /** Treats the next record taken as new. */
  forget(): void;
};

export function createBrandRecord({
  brand,
  progress,
  offer,
  queue,
  store,
  maySave,
  clock,
  onFailure,
}: {
  readonly brand: BrandId;
  readonly progress: Pick<BrandProgress, 'rounds' | 'lastFailure'>;
  readonly offer: Pick<BrandOffer, 'size' | 'oldestReadAt'>;
  readonly queue: () => Pick<CalendarQueue, 'outdated' | 'waiting'>;
  readonly store: Pick<BrandWrites, 'saveDocument'>;
  readonly maySave: () => boolean;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): BrandRecord {
  /** The last two, because it may be unknown whether the last was stored. */
  let known: readonly SyncRecord[] = [];
  let savedAt = Number.NEGATIVE_INFINITY;

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
      onFailure(error);
    }
  }

  function recordOf(changed: SyncRecord['changed']): SyncRecord {
    const { now, elapsed } = timeOn(clock);
    const oldest = offer.oldestReadAt();
    return {
      ...progress.rounds.state(),
      savedAt: now,
      changed,
      offered: offer.size,
      oldestCalendarAt: oldest === null ? null : Math.max(0, Math.round(now - (elapsed - oldest))),
      waiting: queue().waiting,
      lastFailure: progress.lastFailure,
    };
  }

  return {
    save,
    async saveNowAndThen() {
      if (clock.elapsed() - savedAt >= PAUSE_MS) await save();
    },
    take(record) {
      if (known.some((one) => isSameRecord(one, record))) return false;
      known = [record];
      return true;
    },
    last: () => known.at(-1),
    forget() {
      known = [];
    },
  };
}

/** How often the record is read while the brand does not change. */
const READ_EVERY_MS = 30_000;
/** After a change of the brand: a run stores many changes, and its record after some of them. */
const READ_SOON_MS = 2000;

/** Polls the record that the leader of a brand stores, while this node follows. */
type LeaderRecord = {
  /** Reads it now, and regularly from then on. */
  watch(): void;
  /** The brand has changed: reads the record soon. */
  soon(): void;
  /** Stops until the next `watch`. Waits for a read under way. */
  stop(): Promise<void>;
};

export function createLeaderRecord({
  clock,
  read,
  take,
}: {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  /** Undefined when there is none, or when it cannot be read. */
  readonly read: () => Promise<SyncRecord | undefined>;
  readonly take: (record: SyncRecord) => void;
}): LeaderRecord {
  let isWatching = false;
  let cancelNext = () => {};
  let nextAt = Number.POSITIVE_INFINITY;
  let reading: Promise<void> | undefined;

  function readIn(milliseconds: number): void {
    cancelNext();
    nextAt = clock.elapsed() + milliseconds;
    cancelNext = clock.after(milliseconds, readNow);
  }

  function readNow(): void {
    reading = read().then((record) => {
      reading = undefined;
      if (!isWatching) return;
      if (record) take(record);
      readIn(READ_EVERY_MS);
    });
  }

  return {
    watch() {
      if (isWatching) return;
      isWatching = true;
      readNow();
    },
    soon() {
      const isSooner = clock.elapsed() + READ_SOON_MS < nextAt;
      if (isWatching && !reading && isSooner) readIn(READ_SOON_MS);
    },
    async stop() {
      isWatching = false;
      cancelNext();
      await reading;
    },
  };
}
