import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import { type BenchInventory, noonOf } from '../inventory/bench-inventory.ts';
import { startIndex, storeHomes } from './start-index.ts';

export type StartTimes = {
  readonly homes: number;
  /** For each home: from the opened store to an index that answers. */
  readonly fromStoreUs: number;
  readonly fromSnapshotUs: number;
};

/** Storing takes longer than starting, and a home costs the same in a large store: these tell enough. */
const MAX_HOMES = 20_000;

/** Starts as the service does, without a snapshot and with one. */
export async function timeStarts(inventory: BenchInventory): Promise<StartTimes> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
  const now = noonOf(inventory.today);
  const clock = { ...systemClock, now: () => now };
  const storage = await openSqliteStorage({ directory, rateRule: { limit: 1, windowMs: 1000 } });
  try {
    const homes = [...Iterator.from(inventory.homes()).take(MAX_HOMES)];
    await storeHomes(storage, homes, now);
    const fromStore = await startIndex(storage, inventory.network, clock);
    await fromStore.writeSnapshot();
    const fromSnapshot = await startIndex(storage, inventory.network, clock);
    return {
      homes: homes.length,
      fromStoreUs: (fromStore.tookMs * 1000) / homes.length,
      fromSnapshotUs: (fromSnapshot.tookMs * 1000) / homes.length,
    };
  } finally {
    await storage.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
