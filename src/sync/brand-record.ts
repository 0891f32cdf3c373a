import type { BrandId } from '../catalogue/catalogue.ts';
import { type Clock, timeOn } from '../clock.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { BrandProgress } from './brand-progress.ts';
import type { CalendarQueue } from './calendar-queue.ts';
import type { BrandWrites } from './leading-store.ts';
import { isSameRecord, type SyncRecord, saveSyncRecord } from './sync-record.ts';

/** While a run goes on, its record is saved this often at most. */
const PAUSE_MS = 60_000;

/** The stored record of a brand: saves it while this node may, and tells whether another node has saved another one since. */
export type BrandRecord = {
  /** Never rejects. */
  save(): Promise<void>;
  /** Unless it was saved a short time ago. */
  saveNowAndThen(): Promise<void>;
  /** Remembers it as the one that is stored. Says whether it is news: this node has neither saved nor taken it. */
  take(record: SyncRecord): boolean;
  /** The last one that was saved or taken. */
  last(): SyncRecord | undefined;
  /** Whichever is taken next is news. */
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
  /** The last two, because of the last one it may not be known whether it was stored. */
  let known: readonly SyncRecord[] = [];
  let savedAt = Number.NEGATIVE_INFINITY;

  async function save(): Promise<void> {
    if (!maySave()) return;
    savedAt = clock.elapsed();
    // What changed before the start is still to be read while nobody can say what of it was.
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
