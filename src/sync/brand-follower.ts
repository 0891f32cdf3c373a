import type { InventoryChange, LoadedHome } from '../availability/inventory-store.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import { pauseFor, timeOn } from '../clock.ts';
import type { AdmittedHomes } from './admission.ts';
import { elapsedAt, type SyncRecord } from './brand-documents.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { SyncContext } from './sync-observer.ts';

const RETRY_MS = 1000;
/** Changes arrive one by one, and a full index stays full for a while. */
const REPORT_FULL_INDEX_EVERY_MS = 600_000;
/** How often a follower reads the record that the leader stores. */
const READ_RECORD_EVERY_MS = 10_000;

/** The stored homes of a brand that this node may offer. */
export type StoredBrand = {
  /** A home that the index has in the same version comes without its content. */
  readonly load: (take: (home: LoadedHome) => void) => Promise<void>;
  readonly admit: (homes: readonly LoadedHome[], offer: BrandOffer) => Promise<AdmittedHomes>;
  /** Undefined when there is none, or when it cannot be read. */
  readonly record: () => Promise<SyncRecord | undefined>;
};

/** Keeps the offer of a brand the same as the store, while another node reads the brand. */
export function createBrandFollower({
  context: { clock, observe },
  brand,
  offer,
  stored,
  takeRecord,
}: {
  readonly context: SyncContext;
  readonly brand: BrandId;
  readonly offer: BrandOffer;
  readonly stored: StoredBrand;
  readonly takeRecord: (record: SyncRecord) => void;
}) {
  let reportedFullAt = Number.NEGATIVE_INFINITY;
  let isWatching = false;
  let cancelNext = () => {};
  let reading: Promise<void> | undefined;

  function reportFullIndex(): void {
    if (clock.elapsed() - reportedFullAt < REPORT_FULL_INDEX_EVERY_MS) return;
    const notIndexed = offer.takeNotIndexed();
    if (notIndexed === 0) return;
    reportedFullAt = clock.elapsed();
    observe.indexFull(brand, notIndexed);
  }

  async function loadOnce(): Promise<void> {
    const start = timeOn(clock);
    const ids = new Set<PropertyId>();
    await stored.load((home) => {
      ids.add(home.id);
      offer.putStored(home, elapsedAt(home.readAt, start));
    });
    await offer.keepOnly(ids);
    reportFullIndex();
  }

  function readRecord(): void {
    reading = stored.record().then((record) => {
      reading = undefined;
      if (!isWatching) return;
      if (record) takeRecord(record);
      cancelNext = clock.after(READ_RECORD_EVERY_MS, readRecord);
    });
  }

  return {
    /** Applies a change that another node has stored. */
    async follow({ homes, removed }: InventoryChange): Promise<void> {
      const { fitting, misfits, rejections } = await stored.admit(homes, offer);
      if (rejections.length > 0) observe.storedRejections(brand, rejections);
      const start = timeOn(clock);
      await offer.follow({
        homes: fitting,
        removed: [...removed, ...misfits.map(({ id }) => id)],
        elapsedAt: (instant) => elapsedAt(instant, start),
      });
      reportFullIndex();
    },
    /** Offers what the store has, and nothing else. Tries until it succeeds or the signal aborts. */
    async loadAll(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        try {
          return await loadOnce();
        } catch (error) {
          observe.storeFailed(error);
          await pauseFor(RETRY_MS, clock, signal);
        }
      }
    },
    /** Reads the leader's record now, and regularly from then on. */
    watchRecord(): void {
      if (isWatching) return;
      isWatching = true;
      readRecord();
    },
    /** Until the next `watchRecord`. Waits for a read under way. */
    async stopWatching(): Promise<void> {
      isWatching = false;
      cancelNext();
      await reading;
    },
  };
}
