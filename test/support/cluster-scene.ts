import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { AssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import type { ActivityStore } from '../../src/analytics/activity-store.ts';
import type { ClusterStorageOptions } from '../../src/storage/cluster/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { BrandControls } from '../../src/sync/brand-controls.ts';
import { newSharedServers, type SharedServers } from './cluster-storage.ts';
import { brandEntry, NOON, networkFile } from './network.ts';
import { ACME } from './scene.ts';
import { type ScriptedOperator, type ScriptedProperty, startScriptedOperator } from './scripted-operator.ts';
import { temporaryDirectory } from './temporary-storage.ts';
import { startTestService, type TestService } from './test-service.ts';

export type SceneNode = {
  readonly service: TestService;
  readonly storage: Storage;
  /** Of its files. */
  readonly directory: string;
  close(): Promise<void>;
};

export type ClusterScene = {
  readonly operator: ScriptedOperator;
  readonly nodes: readonly [SceneNode, SceneNode];
  readonly shared: SharedServers;
};

type NodeOptions = Partial<ClusterStorageOptions> & {
  /** By how much the clock of each node is ahead. */
  readonly aheadMs?: readonly [number, number];
  readonly settings?: Parameters<typeof startTestService>[0]['settings'];
  readonly registry?: AssistantRegistry;
  readonly properties?: readonly ScriptedProperty[];
  readonly shared?: SharedServers;
  /** With which the nodes call the operator. */
  readonly token?: string;
  /** What the owner decides about brands, where it is not the store's. */
  readonly controls?: BrandControls;
  /** Where the nodes store what they count, if they count. */
  readonly activity?: Pick<ActivityStore, 'add'>;
};

/** Another node has the brand a moment after the first one is gone. */
export const SHORT_LEASES = { leaseMs: 1500, renewEveryMs: 300 };

/**
 * Two nodes in this process over one PostgreSQL and one Redis, with one operator. Their clocks stand still until a test moves them; the
 * stores go by real time. The first node leads the brand.
 */
export async function setClusterScene(
  t: TestContext,
  {
    aheadMs = [0, 0],
    settings,
    registry,
    properties = ACME.properties,
    shared = newSharedServers(),
    token,
    controls,
    activity,
    ...options
  }: NodeOptions = {},
): Promise<ClusterScene> {
  const operator = await startScriptedOperator();
  operator.properties = [...properties];
  const entry = brandEntry('acme', operator.origin);
  const booking_system = { kind: 'open' as const, url: operator.origin, token_variable: 'OPERATOR_TOKEN' };
  const network = networkFile([token === undefined ? entry : { ...entry, booking_system }]);
  const folder = temporaryDirectory(t);

  async function start(number: 0 | 1): Promise<SceneNode> {
    const directory = join(folder, `node-${number + 1}`);
    const storage = await shared.open({
      directory,
      rateRule: RATE_RULE,
      leaseTimes: SHORT_LEASES,
      ...options,
    });
    const service = await startTestService({
      network,
      storage,
      now: NOON + aheadMs[number],
      env: { OPERATOR_TOKEN: token ?? '' },
      ...(settings && { settings }),
      ...(registry && { registry }),
      ...(controls && { controls }),
      ...(activity && { activity }),
    });
    let closing: Promise<void> | undefined;
    return {
      service,
      storage,
      directory,
      close() {
        const closed = service.close();
        // Clients keep connections for later, which a service whose time stands still would wait for.
        service.server.closeAllConnections();
        closing ??= closed;
        return closing;
      },
    };
  }

  const nodes = [await start(0), await start(1)] as const;
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await operator.close();
    await shared.remove();
  });
  return { operator, nodes, shared };
}

/** Whoever waits for something asks often. */
const RATE_RULE = { limit: 100_000, windowMs: 60_000 };
const GIVE_UP_MS = 120_000;
const LOOK_EVERY_MS = 20;

/** Waits until it is so, and tells how long that took in milliseconds. */
export async function untilTrue(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  giveUpMs = GIVE_UP_MS,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > giveUpMs) throw new Error(`not within ${giveUpMs} ms: ${what}`);
    await wait(LOOK_EVERY_MS);
  }
  return performance.now() - startedAt;
}
