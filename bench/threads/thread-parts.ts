import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_CORES, type Child, startChild } from '../child.ts';

/** How many threads answer in each of the two services. */
export const SIDES = [1, 2] as const;
export type Side = (typeof SIDES)[number];
export type PerSide<Value> = Readonly<Record<Side, Value>>;

/** Two services over the same booking systems. Nothing is pinned: that they may use all processors is what is measured. */
export type ThreadParts = {
  readonly operators: Child<readonly string[]>;
  readonly services: PerSide<Child<string>>;
  readonly folder: string;
  close(): Promise<void>;
};

/** No more than the 20 homes that are shown are priced, and booking systems take as many calls as a network file allows. */
const SEARCH_OPTIONS = ['--quotes=20', '--calls=64'];

export async function startThreadParts(): Promise<ThreadParts> {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
  const operators = await startChild<readonly string[]>('./operators.process.ts', ALL_CORES);
  const start = (workers: Side) =>
    startChild<string>('./service.process.ts', ALL_CORES, [
      `--workers=${workers}`,
      ...SEARCH_OPTIONS,
      ...operators.ready,
    ]);
  const services = { 1: await start(1), 2: await start(2) };
  return {
    operators,
    services,
    folder,
    async close() {
      await Promise.all([services[1], services[2], operators].map((child) => child.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function forEachSide<Value>(work: (side: Side) => Promise<Value>): Promise<PerSide<Value>> {
  return { 1: await work(1), 2: await work(2) };
}
