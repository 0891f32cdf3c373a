import type { AvailabilityWriter } from '../../src/availability/availability-index.ts';
import { openIndex } from '../../src/availability/snapshot/open-index.ts';
import { writeSnapshot } from '../../src/availability/snapshot/snapshot.ts';
import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { Network } from '../../src/catalogue/catalogue.ts';
import type { Clock } from '../../src/clock.ts';
import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createSynchroniser } from '../../src/sync/synchroniser.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import type { BenchHome } from '../inventory/bench-inventory.ts';

export type StartedIndex = {
  readonly index: AvailabilityWriter;
  /** From the opened store to an index that answers. */
  readonly tookMs: number;
  writeSnapshot(): Promise<void>;
};

const NO_BUDGET = { listings: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** What operators would have been read for. */
export async function storeHomes(
  { inventory: store }: Pick<Storage, 'inventory'>,
  homes: Iterable<BenchHome>,
  readAt: number,
): Promise<void> {
  for (const [brand, ofBrand] of Map.groupBy(homes, ({ home }) => home.brand)) {
    const properties = ofBrand.map(({ home }) =>
      sampleProperty({ reference: home.id.slice(brand.length + 1), ...home }),
    );
    await store.replaceCatalogue(brand, properties);
    await store.saveCalendars(ofBrand.map(({ home, calendar }) => ({ property: home.id, calendar, readAt })));
  }
}

/** Starts as the service does, with the snapshot if there is one. */
export async function startIndex(
  { inventory: store, snapshot }: Pick<Storage, 'inventory' | 'snapshot'>,
  network: Network,
  clock: Clock,
): Promise<StartedIndex> {
  if (!snapshot) throw new Error('there is no file for snapshots');
  const ignore = () => undefined;
  const startedAt = performance.now();
  const { index, dependsOn } = await openIndex(network, {
    file: snapshot,
    clock,
    observe: { read: ignore, refused: failed },
  });
  const synchroniser = createSynchroniser({
    // Nobody is asked for anything.
    systems: new Map([...network.brands.keys()].map((brand) => [brand, { brand } as BookingSystem])),
    index,
    store,
    network,
    clock,
    random: systemRandom,
    refreshMs: 900_000,
    horizonNights: HORIZON_NIGHTS,
    budgetOf: () => NO_BUDGET,
    observe: {
      refreshed: ignore,
      failed,
      dateNotFollowed: failed,
      indexFull: failed,
      clockWasSet: failed,
      paused: ignore,
      withdrawn: ignore,
      loaded: ignore,
      storedRejections: failed,
      storeFailed: failed,
      controlsNotRead: failed,
    },
  });
  await synchroniser.loadStored();
  index.open();
  return {
    index,
    tookMs: performance.now() - startedAt,
    writeSnapshot: async () => {
      await writeSnapshot(index, { file: snapshot, dependsOn, signal: new AbortController().signal });
    },
  };
}

function failed(...facts: readonly unknown[]): never {
  throw new Error(`a start failed: ${JSON.stringify(facts)}`);
}
