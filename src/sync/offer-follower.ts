import type { InventoryChange, LoadedHome } from '../availability/inventory-store.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import { type Clock, pauseFor, timeOn } from '../clock.ts';
import type { AdmittedHomes } from './admit-changes.ts';
import type { BrandOffer } from './brand-offer.ts';
import { elapsedAt } from './stored-instant.ts';
import type { SyncObserver } from './sync-observer.ts';

const RETRY_MS = 1000;
/** Changes come one by one, and a full index stays full for a while. */
const TELL_OF_ROOM_EVERY_MS = 600_000;

/** What this node may offer of the stored homes of a brand. */
export type StoredBrand = {
  /** What the index has in the same state comes without its content. */
  readonly load: (take: (home: LoadedHome) => void) => Promise<void>;
  readonly admit: (homes: readonly LoadedHome[], offer: BrandOffer) => Promise<AdmittedHomes>;
};

/** Lets the offer of a brand follow the store. */
export type OfferFollower = {
  /** Another node has stored something. */
  follow(change: InventoryChange): Promise<void>;
  /** What this node has read and could not store counts no longer: the others know nothing of it. Ends when the signal aborts. */
  putRight(signal: AbortSignal): Promise<void>;
  /** Takes all stored homes into an offer that has none. Ends when the signal aborts. */
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
  let toldOfRoomAt = Number.NEGATIVE_INFINITY;

  async function offerAsStored(homes: readonly LoadedHome[], removed: readonly PropertyId[]): Promise<void> {
    const start = timeOn(clock);
    await offer.follow({ homes, removed, elapsedAt: (instant) => elapsedAt(instant, start) });
    if (clock.elapsed() - toldOfRoomAt < TELL_OF_ROOM_EVERY_MS) return;
    const withoutRoom = offer.takeWithoutRoom();
    if (withoutRoom === 0) return;
    toldOfRoomAt = clock.elapsed();
    observe.indexFull(brand, withoutRoom);
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

  /** One by one as they come from the store: those of a large brand would not fit into the memory all at once. */
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
      await offer.settle();
      const { fitting, misfits, rejections } = await stored.admit(homes, offer);
      if (rejections.length > 0) observe.storedRejections(brand, rejections);
      await offerAsStored(fitting, [...removed, ...misfits.map(({ id }) => id)]);
    },
    putRight: (signal) => untilDone(takeAll, signal),
    takeStored: (signal) => untilDone(takeEach, signal),
  };
}
