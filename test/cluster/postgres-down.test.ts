import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPostgresPool } from '../../src/storage/postgres/connection.ts';
import { untilTrue } from '../support/cluster-scene.ts';
import { skippedWithoutServers } from '../support/cluster-storage.ts';
import { askNode, CURRENT_STAY, currentlyFree, openSession } from '../support/current-stay.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startNodeCluster } from '../support/node-cluster.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { ownPostgres } from '../support/throwaway-postgres.ts';
import { ownRedis } from '../support/throwaway-redis.ts';

const START_LIMIT_MS = 60_000;

describe('PostgreSQL that is down', { skip: skippedWithoutServers }, () => {
  it('stops no search and no start, and the ledger has every quote once afterwards', async (t) => {
    const [postgres, redis] = [await ownPostgres(), await ownRedis()];
    if ('missing' in postgres || 'missing' in redis) return t.skip('NOT TESTED: there are no servers');
    const operator = await startScriptedOperator();
    operator.properties = ['a', 'b', 'c'].map((reference) => property(reference, {}, currentlyFree()));
    const cluster = await startNodeCluster({
      nodes: 2,
      network: networkFile([brandEntry('acme', operator.origin)]),
      postgresUrl: postgres.url,
      redisUrl: redis.url,
      env: { STAYWIRE_LOG_LEVEL: 'warn' },
    });
    t.after(async () => {
      await cluster.close();
      await operator.close();
      await redis.stop();
      postgres.stop();
    });
    const [killed, other] = cluster.nodes;
    assert.ok(killed && other);
    const shown = new Set<string>();
    const searchOn = async (origin: string | undefined) => {
      const session = await openSession(origin);
      const { body, raw } = await askNode(origin, `/ai/v1/search?session=${session}`, {
        values: CURRENT_STAY,
      });
      assert.equal(body.object, 'search_result', raw);
      assert.equal(body.results.length, 3);
      for (const { quote } of body.results) shown.add(quote.nxq);
      return { session, raw };
    };
    for (const { origin, name } of cluster.nodes) {
      await untilTrue(
        `${name} has the homes`,
        async () => (await askNode(origin(), '/readyz')).status === 200,
      );
      await searchOn(origin());
    }

    postgres.crash();
    let last = await searchOn(killed.origin());
    await searchOn(other.origin());
    await killed.kill();
    const again = await askNode(other.origin(), `/ai/v1/result?session=${last.session}`);
    assert.equal(again.raw, last.raw, 'the other node has what the killed one acknowledged');
    const startedAt = performance.now();
    await killed.start();
    t.diagnostic(`a node started without PostgreSQL in ${Math.round(performance.now() - startedAt)} ms`);
    assert.equal((await askNode(killed.origin(), '/readyz')).status, 200);
    for (const { origin } of cluster.nodes) last = await searchOn(origin());

    postgres.start();
    const pool = createPostgresPool({ url: postgres.url });
    t.after(() => pool.close());
    const issued = async () =>
      (await pool.query<{ nxq: string }>('SELECT nxq FROM issued_quote')).map(({ nxq }) => nxq);
    const isWhole = async () => {
      const ledger = new Set(await issued());
      return [...shown].every((nxq) => ledger.has(nxq));
    };
    const tookMs = await untilTrue('all quotes are in the ledger', isWhole, START_LIMIT_MS);
    t.diagnostic(
      `${shown.size} quotes were in the ledger ${Math.round(tookMs)} ms after PostgreSQL was back`,
    );
    assert.equal((await issued()).length, shown.size, 'each of them once, and no other');
  });
});
