import type { InventoryChange, LoadedHome } from '../availability/inventory-store.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import { type Clock, pauseFor, timeOn } from '../clock.ts';
import type { AdmittedHomes } from './admission.ts';
import { AGE_CHECK_MS, type BrandOffer } from './brand-offer.ts';
import type { SyncObserver } from './sync-observer.ts';
import { elapsedAt } from './sync-record.ts';

const RETRY_MS = 1000;
/** Changes arrive one by one, and a full index stays full for a while. */
const REPORT_FULL_INDEX_EVERY_MS = 600_000;

/** The stored homes of a brand that this node may offer. */
export type StoredBrand = {
  /** A home that the index has in the same version comes without its content. */
  readonly load: (take: (home: LoadedHome) => void) => Promise<void>;
  readonly admit: (homes: readonly LoadedHome[], offer: BrandOffer) => Promise<AdmittedHomes>;
};

/** Keeps the offer of a brand the same as the store. */
type OfferFollower = {
  /** Applies a change that another node has stored. */
  follow(change: InventoryChange): Promise<void>;
  /** Drops the readings that this node could not store, because no other node has them. Ends when the signal aborts. */
  correctFromStore(signal: AbortSignal): Promise<void>;
  /** Loads all stored homes into an empty offer. Ends when the signal aborts. */
  takeStored(signal: AbortSignal): Promise<void>;
};

export function createOfferFollower({
  brand,
  offer,
  stored,
  clock,
  observe,
}: {
  readonly brand: BrandId;
  readonly offer: BrandOffer;
  readonly stored: StoredBrand;
  readonly clock: Clock;
  readonly observe: Pick<SyncObserver, 'storedRejections' | 'storeFailed' | 'indexFull'>;
}): OfferFollower {
  let reportedFullAt = Number.NEGATIVE_INFINITY;

  async function offerAsStored(homes: readonly LoadedHome[], removed: readonly PropertyId[]): Promise<void> {
    const start = timeOn(clock);
    await offer.follow({ homes, removed, elapsedAt: (instant) => elapsedAt(instant, start) });
    if (clock.elapsed() - reportedFullAt < REPORT_FULL_INDEX_EVERY_MS) return;
    const notIndexed = offer.takeNotIndexed();
    if (notIndexed === 0) return;
    reportedFullAt = clock.elapsed();
    observe.indexFull(brand, notIndexed);
  }

  async function takeAll(): Promise<void> {
    const homes: LoadedHome[] = [];
    const ids = new Set<PropertyId>();
    await stored.load((home) => {
      homes.push(home);
      ids.add(home.id);
    });
    await offerAsStored(homes, []);
    await offer.keepOnly(ids);
  }

  /** One by one, as the store yields them: all homes of a large brand would not fit into memory. */
  async function takeEach(): Promise<void> {
    const start = timeOn(clock);
    await stored.load((home) => offer.takeStored(home, elapsedAt(home.readAt, start)));
  }

  async function untilDone(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        observe.storeFailed(error);
        await pauseFor(RETRY_MS, clock, signal);
      }
    }
  }

  return {
    async follow({ homes, removed }) {
      await offer.addPending();
      const { fitting, misfits, rejections } = await stored.admit(homes, offer);
      if (rejections.length > 0) observe.storedRejections(brand, rejections);
      await offerAsStored(fitting, [...removed, ...misfits.map(({ id }) => id)]);
    },
    correctFromStore: (signal) => untilDone(takeAll, signal),
    takeStored: (signal) => untilDone(takeEach, signal),
  };
}

/** Withdraws calendars that could not be read again in time. */
type AgeChecks = {
  start(): void;
  /** Waits for the check that is under way. */
  stop(): Promise<void>;
};

export function createAgeChecks({
  clock,
  offer,
  withdrawn,
}: {
  readonly clock: Pick<Clock, 'after'>;
  readonly offer: Pick<BrandOffer, 'withdrawTooOld'>;
  /** The next check comes after it. */
  readonly withdrawn: (properties: readonly PropertyId[]) => Promise<void>;
}): AgeChecks {
  let isStopped = false;
  let cancelNext = () => {};
  let checking: Promise<void> | undefined;

  function checkLater(): void {
    cancelNext = clock.after(AGE_CHECK_MS, () => {
      checking = check().finally(() => {
        checking = undefined;
        if (!isStopped) checkLater();
      });
    });
  }

  async function check(): Promise<void> {
    const properties = await offer.withdrawTooOld();
    if (properties.length > 0) await withdrawn(properties);
  }

  return {
    start: checkLater,
    async stop() {
      isStopped = true;
      cancelNext();
      await checking;
    },
  };
}
