import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Day } from '../../src/stay/day.ts';
import { type InventorySource, inventoryFrom } from '../inventory/inventory-source.ts';
import { answerParent } from '../parent-line.ts';
import { comparePeers, type PeersComparison } from './compare-peers.ts';
import { duckDb } from './duckdb.ts';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

export type PeersOrder = {
  /** Its biggest place is compared. */
  readonly source: InventorySource;
  readonly today: Day;
  readonly seed: number;
  readonly questions: number;
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly tellsProgress: boolean;
};

/** Index and clients in one process, so that all are asked in the same way. */
answerParent(null, { compare: (order) => compare(order as PeersOrder) });

async function compare(order: PeersOrder): Promise<PeersComparison> {
  const { seed, questions, rounds, warmUpMs } = order;
  const inventory = await inventoryFrom(order.source, order);
  const [biggest] = inventory.cities;
  if (!biggest) throw new Error(`${inventory.name} has no place`);
  const folder = mkdtempSync(join(tmpdir(), 'staywire-peers-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // It holds gigabytes, and nobody else would remove it when the run is broken off.
  process.once('exit', remove);
  try {
    return await comparePeers({
      inventory,
      place: biggest.place,
      engines: [sqlite, postgres, duckDb],
      questions,
      rounds,
      warmUpMs,
      seed,
      folder,
      tell: (progress) => {
        if (order.tellsProgress) console.error(`  ${progress}`);
      },
    });
  } finally {
    remove();
    process.off('exit', remove);
  }
}
