import type { BenchReport } from '../document/bench-report.ts';
import { measureSoak, type SoakWork } from './measure-soak.ts';
import { soakFigures } from './soak-figures.ts';

const SOAK = { seed: 2027, homes: 100_000, intervalSeconds: 60, fullLoadSeconds: 10, updatesPerSecond: 300 };
const QUICK: SoakWork = {
  ...SOAK,
  homes: 2000,
  intervals: 2,
  intervalSeconds: 2,
  fullLoadSeconds: 1,
};

export async function addSoak(
  report: BenchReport,
  { isQuick, minutes }: { readonly isQuick: boolean; readonly minutes: number },
): Promise<void> {
  console.log('\nsoak');
  const soak = await measureSoak(isQuick ? QUICK : { ...SOAK, intervals: minutes }, console.log);
  for (const fault of soak.faults) console.error(`  !! ${fault}`);
  report.add('soak', soakFigures(soak));
}
