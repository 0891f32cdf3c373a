import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkFile } from '../../src/network/network-file.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** One process of a cluster, and its own ways to the stores, which a test can spoil. */
export type ClusterNode = {
  readonly name: string;
  /** Undefined while it is down. */
  origin(): string | undefined;
  readonly redis: TcpProxy;
  readonly postgres: TcpProxy;
  start(): Promise<void>;
  /** As a machine that fails: no time to finish anything. */
  kill(): Promise<void>;
  /** As a rolling update does. */
  stop(): Promise<void>;
  /** What it has printed in all its lives. */
  output(): string;
};

export type NodeCluster = {
  readonly nodes: readonly ClusterNode[];
  /** The origins of those that are up. */
  origins(): readonly string[];
  close(): Promise<void>;
};

/** Callers of these two addresses are two assistants, also through a proxy on 127.0.0.1. */
export const ASSISTANT_ADDRESSES = ['127.0.1.1', '127.0.1.2'] as const;

/** Nodes as their owner runs them, over one PostgreSQL and one Redis; the folders of the nodes outlive their processes. */
export async function startNodeCluster({
  nodes: count,
  network,
  postgresUrl,
  redisUrl,
  env = {},
}: {
  readonly nodes: number;
  /** Of all nodes, or of each by its name. */
  readonly network: NetworkFile | ((node: string) => NetworkFile);
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<NodeCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-cluster-'));
  const registry = join(directory, 'assistants.json');
  const assistants = ASSISTANT_ADDRESSES.map((address, at) => ({
    id: `assistant-${at + 1}`,
    name: `Assistant ${at + 1}`,
    status: 'approved',
    recognised_by: [{ network: [address] }],
  }));
  writeFileSync(registry, JSON.stringify({ assistants }));

  async function createNode(number: number): Promise<ClusterNode> {
    const name = `node-${number}`;
    const redis = await startTcpProxy({ port: Number(new URL(redisUrl).port) });
    const postgres = await startTcpProxy({ port: Number(new URL(postgresUrl).port) });
    let running: ServiceProcess | undefined;
    let origin: string | undefined;
    let output = '';

    async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
      const ending = running;
      running = undefined;
      origin = undefined;
      if (!ending) return;
      ending.child.kill(signal);
      output += (await ending.ended).output;
    }

    return {
      name,
      redis,
      postgres,
      origin: () => origin,
      async start() {
        running = startServiceProcess({
          dataDirectory: join(directory, name),
          network: typeof network === 'function' ? network(name) : network,
          env: {
            STAYWIRE_NODE: name,
            STAYWIRE_POSTGRES_URL: postgres.via(postgresUrl),
            STAYWIRE_REDIS_URL: redis.via(redisUrl),
            STAYWIRE_ASSISTANTS: registry,
            STAYWIRE_TRUSTED_PROXIES: '127.0.0.1',
            STAYWIRE_TRUSTED_NETWORKS: '127.0.1.9/32',
            ...env,
          },
        });
        origin = await running.ready;
      },
      kill: () => end('SIGKILL'),
      stop: () => end('SIGTERM'),
      output: () => output,
    };
  }

  const nodes = await Promise.all(Array.from({ length: count }, (_, at) => createNode(at + 1)));
  await Promise.all(nodes.map((node) => node.start()));
  return {
    nodes,
    origins: () => nodes.flatMap((node) => node.origin() ?? []),
    async close() {
      await Promise.all(nodes.map((node) => node.stop()));
      await Promise.all(nodes.flatMap(({ redis, postgres }) => [redis.close(), postgres.close()]));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
