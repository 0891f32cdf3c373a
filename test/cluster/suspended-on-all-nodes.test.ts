import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { untilTrue } from '../support/cluster-scene.ts';
import { skippedWithoutServers } from '../support/cluster-storage.ts';
import { runCommand } from '../support/command-line.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startNodeCluster } from '../support/node-cluster.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { temporaryDatabaseUrl } from '../support/throwaway-postgres.ts';
import { ownRedis } from '../support/throwaway-redis.ts';

/** Much longer than is promised, for a busy machine. How often the registry is looked at is pinned where it is watched. */
const MAX_MS = 60_000;

async function statusOf(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/ai/v1/terms`);
  await answer.arrayBuffer();
  return answer.status;
}

describe('an assistant in the registry that nodes share', { skip: skippedWithoutServers }, () => {
  it('is suspended and approved on all of them by one command, without a restart', async (t) => {
    const redis = await ownRedis();
    const postgresUrl = await temporaryDatabaseUrl(t);
    assert.ok('url' in redis && postgresUrl !== undefined);
    t.after(() => redis.stop());
    const redisUrl = redis.url;
    const directory = temporaryDirectory(t);
    const staywire = async (...words: string[]) => {
      const env = { STAYWIRE_POSTGRES_URL: postgresUrl, STAYWIRE_DATA_DIR: join(directory, 'commands') };
      const run = await runCommand(['assistants', ...words], { directory, env });
      assert.equal(run.code, 0, run.stderr);
    };
    await staywire('approve', 'concierge', '--name', 'Concierge', '--network', '127.0.0.1', '--force');
    const operator = await startScriptedOperator();
    operator.properties = [property('a')];
    const cluster = await startNodeCluster({
      nodes: 2,
      network: networkFile([brandEntry('acme', operator.origin)]),
      postgresUrl,
      redisUrl,
      env: { STAYWIRE_ASSISTANTS: '', STAYWIRE_TRUSTED_PROXIES: '', STAYWIRE_TRUSTED_NETWORKS: '' },
    });
    t.after(async () => {
      await cluster.close();
      await operator.close();
    });
    const allAnswer = async (expected: number) =>
      (await Promise.all(cluster.origins().map(statusOf))).every((status) => status === expected);
    assert.ok(await allAnswer(200));
    for (const [command, expected] of [
      ['suspend', 403],
      ['approve', 200],
    ] as const) {
      await staywire(command, 'concierge', '--note', 'as the owner wishes');
      const tookMs = await untilTrue(
        `${command} is in force on all nodes`,
        () => allAnswer(expected),
        MAX_MS,
      );
      t.diagnostic(`${command}: in force on all nodes ${Math.round(tookMs)} ms after the command ended`);
    }
  });
});
