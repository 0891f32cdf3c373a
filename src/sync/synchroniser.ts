import type { Clock } from '../clock.ts';
import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';
import type { BrandId, Network, PropertyId } from '../inventory/catalogue.ts';
import type { InventoryStore } from '../inventory/inventory-store.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import type { Day } from '../stay/day.ts';
import { misfitOf } from './admit-listings.ts';
import { type BrandStatus, type BrandSync, createBrandSync, type SyncObserver } from './brand-sync.ts';
import { createReadCalendars } from './read-calendars.ts';
import { createRefreshBrand } from './refresh-brand.ts';
import { createRefusals } from './refusals.ts';

const REFUSAL_MEMORY_MS = 600_000;

export type Synchroniser = {
  /** Puts on offer what was last read, so that a restart serves at once. */
  loadStored(): Promise<void>;
  /** Reads every brand once, side by side. A brand that fails is told by `status`, not by a rejection. */
  refreshAll(signal: AbortSignal): Promise<void>;
  /** Reads every brand now, unless it has just been read, and again and again from then on. */
  start(): void;
  /** Breaks off the readings that are under way and waits until they have ended. */
  stop(): Promise<void>;
  /** An operator refused a stay that the index had offered: from `from` up to, but not including, `to`. */
  propertyRefused(property: PropertyId, from: Day, to: Day): void;
  status(): readonly BrandStatus[];
};

export function createSynchroniser({
  systems,
  index,
  store,
  network,
  clock,
  random,
  refreshMs,
  horizonNights,
  observe,
}: {
  readonly systems: ReadonlyMap<BrandId, BookingSystem>;
  readonly index: AvailabilityWriter;
  readonly store: InventoryStore;
  readonly network: Network;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshMs: number;
  readonly horizonNights: number;
  readonly observe: SyncObserver;
}): Synchroniser {
  const refusals = createRefusals({ clock, memoryMs: REFUSAL_MEMORY_MS });
  const readCalendars = createReadCalendars({ store, clock, horizonNights, observe });
  const refreshBrand = createRefreshBrand({ network, store, clock, readCalendars, observe });
  const brands = new Map<BrandId, BrandSync>();
  for (const [brand, system] of systems) {
    const shared = {
      index,
      refusals,
      readCalendars,
      refreshBrand,
      clock,
      random,
      refreshMs,
      observe,
    };
    brands.set(brand, createBrandSync({ system, ...shared }));
  }
  const everyBrand = () => [...brands.values()];

  return {
    async loadStored() {
      // What the network file does not know any more stays in the store, in case it comes back.
      const known = (await store.load()).filter(
        ({ property }) => !misfitOf(property, property.brand, network),
      );
      for (const [brand, stored] of Map.groupBy(known, ({ property }) => property.brand)) {
        brands.get(brand)?.offer.restore(stored);
      }
    },
    async refreshAll(signal) {
      await Promise.all(everyBrand().map((brand) => brand.refresh(signal)));
    },
    start() {
      for (const brand of everyBrand()) brand.start();
    },
    async stop() {
      await Promise.all(everyBrand().map((brand) => brand.stop()));
    },
    propertyRefused(property, from, to) {
      const brand = everyBrand().find(({ offer }) => offer.property(property));
      if (!brand) return;
      index.withdraw(property, from, to);
      refusals.remember(property, from, to);
      brand.rereadSoon(property);
    },
    status: () => everyBrand().map((brand) => brand.status()),
  };
}
