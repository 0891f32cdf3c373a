import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createPostgresPool } from '../../src/storage/postgres/connection.ts';
import { untilTrue } from '../support/cluster-scene.ts';
import { askNode, CURRENT_STAY, currentlyFree, openSession } from '../support/current-stay.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startNodeCluster } from '../support/node-cluster.ts';
import { type ScriptedOperator, startScriptedOperator } from '../support/scripted-operator.ts';
import { temporaryDatabaseUrl } from '../support/throwaway-postgres.ts';
import { ownRedis } from '../support/throwaway-redis.ts';

const NODES = ['node-1', 'node-2', 'node-3'];
const BRANDS = ['azul', 'branca', 'cinza', 'dourada', 'encarnada', 'fulva'];
const SHARE = BRANDS.length / NODES.length;
/** As short as a network file allows. */
const REFRESH_SECONDS = 5;
const LIMIT_MS = 90_000;
const PROMISED_MS = 30_000;
const SEARCHES_IN_FLIGHT = 4;
const WALKERS = 3;

/** Each node reaches the operator of a brand at an address of its own, which tells who reads. */
async function startOperators() {
  const readingNow = new Map(BRANDS.map((brand) => [brand, [] as string[]]));
  const overlaps: string[] = [];
  let readers = new Map<string, Set<string>>();
  let quotesAllowed: Promise<void> = Promise.resolve();
  let quotesHeld = 0;
  const servers = new Map<string, ScriptedOperator>();
  for (const node of NODES) {
    for (const brand of BRANDS) {
      const operator = await startScriptedOperator();
      operator.properties = [property(`${brand}-1`, {}, currentlyFree())];
      operator.misbehave = async (path, response) => {
        if (path === '/quotes') {
          quotesHeld += 1;
          await quotesAllowed;
          return false;
        }
        const reading = readingNow.get(brand) ?? [];
        if (reading.some((other) => other !== node)) overlaps.push(`${brand}: ${node} beside ${reading}`);
        reading.push(node);
        response.once('close', () => reading.splice(reading.indexOf(node), 1));
        if (path === '/catalogue') readers.set(brand, (readers.get(brand) ?? new Set()).add(node));
        // Long enough for another reader to be noticed.
        await wait(50);
        return false;
      };
      servers.set(`${node} ${brand}`, operator);
    }
  }
  return {
    overlaps,
    /** Who has read each brand since this was called. */
    listen() {
      readers = new Map();
      return readers;
    },
    networkOf: (node: string) => ({
      ...networkFile(BRANDS.map((brand) => brandEntry(brand, servers.get(`${node} ${brand}`)?.origin ?? ''))),
      refresh_seconds: REFRESH_SECONDS,
    }),
    /** Quotes are answered once the returned function is called. */
    holdQuotes() {
      const { promise, resolve } = Promise.withResolvers<void>();
      quotesAllowed = promise;
      quotesHeld = 0;
      return resolve;
    },
    quotesHeld: () => quotesHeld,
    close: () => Promise.all([...servers.values()].map((server) => server.close())),
  };
}

describe('three nodes with six brands', () => {
  it('divide them, replace a node that is killed, and go on when one is stopped', async (t) => {
    const [postgresUrl, redis] = [await temporaryDatabaseUrl(t), await ownRedis()];
    if (postgresUrl === undefined || 'missing' in redis) return t.skip('NOT TESTED: there are no servers');
    const operators = await startOperators();
    const pool = createPostgresPool({ url: postgresUrl });
    const cluster = await startNodeCluster({
      nodes: NODES.length,
      network: operators.networkOf,
      ...{ postgresUrl, redisUrl: redis.url },
      env: { STAYWIRE_LOG_LEVEL: 'warn' },
    });
    t.after(async () => {
      operators.holdQuotes()();
      await cluster.close();
      await pool.close();
      await operators.close();
      await redis.stop();
    });
    const [killed, stopped, last] = cluster.nodes;
    assert.ok(killed && stopped && last);
    const holders = async () => {
      const rows = await pool.query<{ brand: string; holder: string }>(
        'SELECT brand, holder FROM brand_lease',
      );
      return new Map(rows.map(({ brand, holder }) => [brand, holder]));
    };

    await t.test('each of them reads its share, and nobody else reads it', async () => {
      await untilTrue(
        'the brands are divided',
        async () => {
          const shares = Object.values(Object.groupBy((await holders()).values(), (holder) => holder));
          return shares.length === NODES.length && shares.every((share) => share?.length === SHARE);
        },
        LIMIT_MS,
      );
      // What was begun before they were divided ends.
      await wait(1000);
      const readers = operators.listen();
      await untilTrue('all were read', () => readers.size === BRANDS.length, LIMIT_MS);
      await wait(REFRESH_SECONDS * 1000);
      for (const [brand, nodes] of readers) assert.equal(nodes.size, 1, `${brand} was read by ${[...nodes]}`);
      const shares = Object.groupBy(
        [...readers.values()].flatMap((nodes) => [...nodes]),
        (node) => node,
      );
      assert.deepEqual(
        NODES.map((node) => shares[node]?.length),
        NODES.map(() => SHARE),
      );
    });

    await t.test('one that is killed is replaced', async (t) => {
      const before = operators.listen();
      await untilTrue('all were read', () => before.size === BRANDS.length, LIMIT_MS);
      const orphans = BRANDS.filter((brand) => before.get(brand)?.has(killed.name));
      assert.equal(orphans.length, SHARE);
      await killed.kill();
      const readers = operators.listen();
      const tookMs = await untilTrue(
        'others read its brands',
        () => orphans.every((brand) => readers.has(brand)),
        LIMIT_MS,
      );
      t.diagnostic(
        `brands of a killed node were read by others after ${Math.round(tookMs)} ms; ${PROMISED_MS} ms are promised`,
      );
      assert.ok(orphans.every((brand) => !readers.get(brand)?.has(killed.name)));
    });

    await t.test(
      'one that is stopped under load answers what it has accepted, and leaves its brands',
      async (t) => {
        const mine = await untilTwoShare();
        const release = operators.holdQuotes();
        const sessions = await Promise.all(
          Array.from({ length: SEARCHES_IN_FLIGHT }, () => openSession(stopped.origin())),
        );
        const origin = stopped.origin();
        const inFlight = sessions.map((session, at) =>
          askNode(origin, `/ai/v1/search?session=${session}`, { values: CURRENT_STAY, key: `search-${at}` }),
        );
        await untilTrue('operators were asked', () => operators.quotesHeld() > 0);
        const walks = Array.from({ length: WALKERS }, (_, at) => walk(origin, at));
        // All of them are under way.
        await untilTrue('walkers walk', () => walks.every(({ acknowledged }) => acknowledged.length > 2));

        const stoppedAt = performance.now();
        const ending = stopped.stop();
        await untilTrue('it takes no new connections', () =>
          askNode(origin, '/healthz').then(
            () => false,
            () => true,
          ),
        );
        release();
        for (const [at, answer] of (await Promise.all(inFlight)).entries()) {
          assert.equal(answer.body.object, 'search_result', answer.raw);
          const elsewhere = await askNode(last.origin(), `/ai/v1/result?session=${sessions[at]}`);
          assert.equal(elsewhere.raw, answer.raw, 'the other node has the result');
        }
        await ending;
        t.diagnostic(`the node ended ${Math.round(performance.now() - stoppedAt)} ms after the signal`);
        const left = await holders();
        assert.ok(
          [...left.values()].every((holder) => holder !== mine),
          'it has given up its leases',
        );
        const readers = operators.listen();
        const isLed = async () =>
          new Set((await holders()).values()).size === 1 && (await holders()).size === BRANDS.length;
        const tookMs = await untilTrue('the last node leads all', isLed, LIMIT_MS);
        t.diagnostic(`the last node led all brands ${Math.round(tookMs)} ms after the other had ended`);
        await untilTrue('it reads them all', () => BRANDS.every((brand) => readers.has(brand)), LIMIT_MS);

        for (const { ended, acknowledged, unanswered } of walks) {
          await ended;
          for (const { session, values } of acknowledged) {
            const { body } = await askNode(last.origin(), `/ai/v1/search?session=${session}`);
            for (const [field, value] of Object.entries(values)) assert.equal(body.received[field], value);
          }
          for (const { session, values, key } of unanswered) {
            const path = `/ai/v1/search?session=${session}`;
            const { body, raw } = await askNode(last.origin(), path, { values, key });
            for (const [field, value] of Object.entries(values))
              assert.equal(body.received[field], value, raw);
          }
        }
      },
    );

    assert.deepEqual(operators.overlaps, [], 'no operator was read by two nodes at a time');

    /** Until the two that are left have half of the brands each. Returns who holds those of the one that is stopped next. */
    async function untilTwoShare(): Promise<string> {
      await untilTrue(
        'two nodes share the brands',
        async () => {
          const all = await holders();
          return all.size === BRANDS.length && new Set(all.values()).size === 2;
        },
        LIMIT_MS,
      );
      const readers = operators.listen();
      await untilTrue('all were read', () => readers.size === BRANDS.length, LIMIT_MS);
      const brand = BRANDS.find((one) => readers.get(one)?.has(stopped?.name ?? ''));
      return (await holders()).get(brand ?? '') ?? assert.fail('the node leads no brand');
    }
  });
});

type Step = {
  readonly session: string;
  readonly values: Readonly<Record<string, string>>;
  readonly key: string;
};

/** Opens sessions and takes a step in each, until the node takes no more. */
function walk(origin: string | undefined, walker: number) {
  const acknowledged: Step[] = [];
  const unanswered: Step[] = [];

  async function goOn(): Promise<void> {
    for (let number = 0; ; number += 1) {
      const session = await openSession(origin).catch(() => undefined);
      if (session === undefined) return;
      const step = {
        session,
        values: { destination: CURRENT_STAY.destination },
        key: `walk-${walker}-${number}`,
      };
      try {
        const { body, raw } = await askNode(origin, `/ai/v1/search?session=${session}`, step);
        assert.equal(body.received?.destination, CURRENT_STAY.destination, raw);
        acknowledged.push(step);
      } catch (fault) {
        if (fault instanceof assert.AssertionError) throw fault;
        unanswered.push(step);
        return;
      }
    }
  }

  const ended = goOn();
  ended.catch(() => {});
  return { acknowledged, unanswered, ended };
}
