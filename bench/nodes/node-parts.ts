import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_CORES, type Child, startChild } from '../child.ts';
import { type StoreServers, startStoreServers } from './store-servers.ts';

/** The embedded store, and a cluster of which so many nodes are sent requests. */
export const SIDES = ['embedded', 1, 2, 4] as const;
export type Side = (typeof SIDES)[number];
export type PerSide<Value> = Readonly<Record<Side, Value>>;
const NODES = 4;

/** All over the same booking systems, one thread each. Nothing is pinned. */
export type NodeParts = {
  readonly operators: Child<readonly string[]>;
  readonly services: PerSide<readonly Child<string>[]>;
  readonly servers: StoreServers;
  readonly folder: string;
  close(): Promise<void>;
};

/** No more than the 20 homes that are shown are priced, and booking systems take as many calls as a network file allows. */
const SEARCH_OPTIONS = ['--quotes=20', '--calls=64'];

export async function startNodeParts(): Promise<NodeParts | { readonly missing: string }> {
  const servers = await startStoreServers();
  if ('missing' in servers) return servers;
  const folder = mkdtempSync(join(tmpdir(), 'staywire-bench-'));
  const operators = await startChild<readonly string[]>('./operators.process.ts', ALL_CORES);
  const start = (options: readonly string[]) =>
    startChild<string>('./service.process.ts', ALL_CORES, [
      ...SEARCH_OPTIONS,
      ...options,
      ...operators.ready,
    ]);
  const { postgresUrl, redisUrl } = servers.addresses;
  const startNode = () => start([`--postgres=${postgresUrl}`, `--redis=${redisUrl}`]);
  // The first makes the tables and reads the operators.
  const [embedded, first] = await Promise.all([start([]), startNode()]);
  const nodes = [first, ...(await Promise.all(Array.from({ length: NODES - 1 }, startNode)))];
  return {
    operators,
    services: { embedded: [embedded], 1: nodes.slice(0, 1), 2: nodes.slice(0, 2), 4: nodes },
    servers,
    folder,
    async close() {
      await Promise.all([embedded, ...nodes, operators].map((child) => child.close()));
      await servers.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function forEachSide<Value>(work: (side: Side) => Promise<Value>): Promise<PerSide<Value>> {
  return {
    embedded: await work('embedded'),
    1: await work(1),
    2: await work(2),
    4: await work(4),
  };
}

export function originsOf(services: readonly Child<string>[]): readonly string[] {
  return services.map(({ ready }) => ready);
}
