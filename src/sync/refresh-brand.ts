import type { Clock } from '../clock.ts';
import type { Network, Property } from '../inventory/catalogue.ts';
import type { InventoryStore } from '../inventory/inventory-store.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import type { HeldBackReport } from '../quotes/held-back-report.ts';
import { admitListings } from './admit-listings.ts';
import type { BrandOffer } from './brand-offer.ts';
import { saveHeldBack } from './held-back-store.ts';
import { CALENDAR_BATCH, type ReadCalendars, readWithin, type StoreObserver } from './read-calendars.ts';

const BATCHES_AT_A_TIME = 2;
/** A failed batch does not end the refresh; a system that fails this often in a row counts as down. */
const MAX_FAILED_BATCHES_IN_A_ROW = 3;

/** Reads the whole brand again. Rejects when its catalogue cannot be read. */
export type RefreshBrand = (
  system: BookingSystem,
  offer: BrandOffer,
  signal: AbortSignal,
) => Promise<BrandRefresh>;

type BrandRefresh = {
  readonly report: HeldBackReport;
  /** Why some calendars could not be read; those that could are on offer. */
  readonly failures: readonly unknown[];
};

export function createRefreshBrand({
  network,
  store,
  clock,
  readCalendars,
  observe,
}: {
  readonly network: Network;
  readonly store: InventoryStore;
  readonly clock: Clock;
  readonly readCalendars: ReadCalendars;
  readonly observe: StoreObserver;
}): RefreshBrand {
  return async (system, offer, signal) => {
    const reading = await readWithin(clock, signal, (within) => system.catalogue(within));
    const { admitted, report } = await admitListings(reading, system.brand, network);
    const properties = [...admitted.values()];
    await offer.replaceCatalogue(properties);
    try {
      await store.replaceCatalogue(system.brand, properties);
    } catch (error) {
      observe.storeFailed(error);
    }

    const failures = await inBatches(properties, signal, async (batch) => {
      report.add(await readCalendars(system, offer, batch, signal));
    });
    const { unmappedAmenities = [] } = reading;
    try {
      await saveHeldBack(store, system.brand, {
        readAt: Math.floor(clock.now()),
        admitted: properties.length,
        ...report.all(),
        unmappedAmenities,
      });
    } catch (error) {
      observe.storeFailed(error);
    }
    return { report, failures };
  };
}

async function inBatches(
  properties: readonly Property[],
  signal: AbortSignal,
  read: (batch: readonly Property[]) => Promise<void>,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  let failedInARow = 0;
  let next = 0;

  async function readNextBatches(): Promise<void> {
    while (next < properties.length && failedInARow < MAX_FAILED_BATCHES_IN_A_ROW && !signal.aborted) {
      const batch = properties.slice(next, next + CALENDAR_BATCH);
      next += CALENDAR_BATCH;
      try {
        await read(batch);
        failedInARow = 0;
      } catch (error) {
        failedInARow += 1;
        failures.push(error);
      }
    }
  }

  await Promise.all(Array.from({ length: BATCHES_AT_A_TIME }, readNextBatches));
  signal.throwIfAborted();
  return failures;
}
