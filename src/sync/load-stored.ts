import type { HomeState, InventoryStore, LoadedHome } from '../availability/inventory-store.ts';
import type { BrandBudget, BrandId, Network } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { createRejectionReport, type RejectionReport } from '../catalogue/rejections/rejection.ts';
import type { Clock } from '../clock.ts';
import { beyondBudget, misfitOf } from './admit-stored.ts';
import type { SyncObserver } from './sync-observer.ts';

/** A start with a million homes takes a while, and its owner wants to know that it goes on. */
const PROGRESS_EVERY_MS = 5000;

type LoadedBrand = {
  readonly report: RejectionReport;
  readonly budget: BrandBudget;
  listings: number;
  bytes: number;
};

/**
 * Hands out what was last stored, a few properties at a time. What no longer fits the network, or is beyond the budget of its
 * brand, is held back. It stays in the store until the brand is read: the network file may be put right again.
 */
export async function loadStored({
  store,
  network,
  budgetOf,
  isKnown,
  restore,
  clock,
  observe,
}: {
  readonly store: Pick<InventoryStore, 'load'>;
  readonly network: Network;
  readonly budgetOf: (brand: BrandId) => BrandBudget;
  /** Whether the index has a home in this state, from a snapshot. */
  readonly isKnown: (home: HomeState) => boolean;
  readonly restore: (stored: LoadedHome) => void;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly observe: Pick<SyncObserver, 'loading' | 'loaded' | 'storedRejections'>;
}): Promise<void> {
  const loaded = new Map<BrandId, LoadedBrand>();
  const startedAt = clock.elapsed();
  let toldAt = startedAt;
  let properties = 0;

  function brandOf(id: BrandId): LoadedBrand {
    let brand = loaded.get(id);
    if (!brand) {
      brand = { report: createRejectionReport(), budget: budgetOf(id), listings: 0, bytes: 0 };
      loaded.set(id, brand);
    }
    return brand;
  }

  function reasonFor(home: LoadedHome, brand: LoadedBrand): Omit<Rejection, 'reference'> | undefined {
    const misfit = misfitOf(home, network);
    if (misfit) return misfit;
    brand.listings += 1;
    brand.bytes += home.weight;
    return beyondBudget(brand, brand.budget);
  }

  function restoreWhatFits(home: LoadedHome): void {
    const brand = brandOf(home.brand);
    const reason = reasonFor(home, brand);
    if (reason) {
      brand.report.add([{ reference: home.reference, ...reason }]);
      return;
    }
    restore(home);
    properties += 1;
  }

  await store.load(
    (few) => {
      for (const home of few) restoreWhatFits(home);
      const now = clock.elapsed();
      if (now - toldAt < PROGRESS_EVERY_MS) return;
      toldAt = now;
      observe.loading(properties, now - startedAt);
    },
    (home) => network.brands.has(home.brand) && isKnown(home),
  );
  if (properties > 0) observe.loaded(properties, clock.elapsed() - startedAt);
  for (const [id, { report }] of loaded) {
    const { rejections } = report.all();
    if (rejections.length > 0) observe.storedRejections(id, rejections);
  }
}
