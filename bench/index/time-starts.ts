import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/clock.ts';
import { openIndex } from '../../src/inventory/availability-index/snapshot/open-index.ts';
import { writeSnapshot } from '../../src/inventory/availability-index/snapshot/write-snapshot.ts';
import { HORIZON_NIGHTS } from '../../src/inventory/calendar.ts';
import type { BookingSystem } from '../../src/quotes/booking-system.ts';
import { systemRandom } from '../../src/random.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createSynchroniser } from '../../src/sync/synchroniser.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { type BenchInventory, noonOf } from '../inventory/bench-inventory.ts';

export type StartTimes = {
  readonly homes: number;
  /** For each home: from the opened store to an index that answers. */
  readonly fromStoreUs: number;
  readonly fromSnapshotUs: number;
};

/** Storing takes longer than starting, and a home costs the same in a large store: these tell enough. */
const MAX_HOMES = 20_000;
const NO_BUDGET = { listings: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Starts as the service does, without a snapshot and with one. */
export async function timeStarts(inventory: BenchInventory): Promise<StartTimes> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
  const now = noonOf(inventory.today);
  const clock = { ...systemClock, now: () => now };
  const storage = await openSqliteStorage({ directory, rateRule: { limit: 1, windowMs: 1000 } });
  try {
    const homes = await fill(storage, inventory, now);
    const fromStoreMs = await timeStart(storage, inventory, clock);
    const fromSnapshotMs = await timeStart(storage, inventory, clock);
    return {
      homes,
      fromStoreUs: (fromStoreMs * 1000) / homes,
      fromSnapshotUs: (fromSnapshotMs * 1000) / homes,
    };
  } finally {
    await storage.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function fill({ inventory: store }: Storage, inventory: BenchInventory, now: number): Promise<number> {
  const homes = [...Iterator.from(inventory.homes()).take(MAX_HOMES)];
  for (const [brand, ofBrand] of Map.groupBy(homes, ({ home }) => home.brand)) {
    const properties = ofBrand.map(({ home }) =>
      sampleProperty({ reference: home.id.slice(brand.length + 1), ...home }),
    );
    await store.replaceCatalogue(brand, properties);
    await store.saveCalendars(
      ofBrand.map(({ home, calendar }) => ({ property: home.id, calendar, readAt: now })),
    );
  }
  return homes.length;
}

async function timeStart(
  { inventory: store, snapshot }: Storage,
  { network }: BenchInventory,
  clock: Clock,
): Promise<number> {
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
      paused: ignore,
      withdrawn: ignore,
      loading: ignore,
      loaded: ignore,
      storedHeldBack: failed,
      storeFailed: failed,
    },
  });
  await synchroniser.loadStored();
  index.open();
  const took = performance.now() - startedAt;
  await writeSnapshot(index, { file: snapshot, dependsOn, signal: new AbortController().signal });
  return took;
}

function failed(...facts: readonly unknown[]): never {
  throw new Error(`a start failed: ${JSON.stringify(facts)}`);
}
