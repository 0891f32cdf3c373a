import { parseDay } from '../src/stay/day.ts';
import type { BenchReport } from './document/bench-report.ts';
import { costAgainstHomes } from './document/scaling-pictures.ts';
import { indexFigures, sizeFigure } from './index/index-figures.ts';
import { measureIndexes } from './index/index-part.ts';
import type { IndexCosts } from './index/measure-index.ts';
import type { InventorySource } from './inventory/inventory-source.ts';
import { peerFigures } from './peers/peer-figures.ts';
import { measurePeers, preparePeers } from './peers/peers-part.ts';

/** A fixed day, because the seasons of an inventory depend on it. */
const TODAY = parseDay('2027-03-01') ?? 0;
const SEED = 2027;
const SIZES = [1000, 10_000, 100_000, 1_000_000];

export type InventoryRun = {
  readonly isQuick: boolean;
  /** Larger inventories are left out. */
  readonly maxHomes: number;
  /** The folder of a published city, which is measured besides. */
  readonly city: string | undefined;
};

/** The index alone, for inventories of several sizes. */
export async function addIndex(
  report: BenchReport,
  { isQuick, maxHomes, city }: InventoryRun,
): Promise<void> {
  const sizes = isQuick ? SIZES.slice(0, 1) : SIZES.filter((homes) => homes <= maxHomes);
  const sources: readonly InventorySource[] = [
    ...sizes.map((homes) => ({ homes })),
    ...(city === undefined ? [] : [{ city }]),
  ];
  const work = isQuick
    ? { seed: SEED, today: TODAY, questions: 12, passes: 1, maxMs: 20, warmUpMs: 0 }
    : { seed: SEED, today: TODAY, questions: 300, passes: 3, maxMs: 3000, warmUpMs: 500 };
  const measured: IndexCosts[] = [];
  for await (const costs of measureIndexes(sources, work)) {
    console.log(`  measured the index of ${costs.inventory}`);
    measured.push(costs);
  }
  const synthetic = measured.slice(0, sizes.length);
  const largest = synthetic.at(-1);
  if (!largest) return;
  const figures = [
    ...indexFigures(largest),
    ...synthetic.map(sizeFigure),
    ...measured.slice(sizes.length).map(sizeFigure),
  ];
  report.add('index', figures, {
    file: 'cost-against-homes.svg',
    alt: 'What a question costs, against the number of homes',
    svg: costAgainstHomes(synthetic),
  });
}

/** The index beside databases, in the biggest place of a million homes. */
export async function addPeers(report: BenchReport, { isQuick, city }: InventoryRun): Promise<void> {
  for (const missing of await preparePeers()) console.error(`\n!! NOT MEASURED: ${missing}\n`);
  const work = isQuick
    ? { questions: 12, rounds: 1, warmUpMs: 0 }
    : { questions: 40, rounds: 5, warmUpMs: 500 };
  const sources: readonly InventorySource[] = [
    { homes: isQuick ? 1000 : 1_000_000 },
    ...(city === undefined ? [] : [{ city }]),
  ];
  for (const source of sources) {
    const compared = await measurePeers({
      ...work,
      source,
      seed: SEED,
      today: TODAY,
      tellsProgress: !isQuick,
    });
    report.add('peers', peerFigures(compared));
  }
}
