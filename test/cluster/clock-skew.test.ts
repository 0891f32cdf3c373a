import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Clock, systemClock, timeOn } from '../../src/clock.ts';
import { openRedis } from '../../src/storage/redis/connection.ts';
import { setClusterScene, untilTrue } from '../support/cluster-scene.ts';
import { clusterServers, newSharedServers, skippedWithoutServers } from '../support/cluster-storage.ts';
import { converse, STAY } from '../support/conversation.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

const MINUTE = 60_000;
const SESSION_MINUTES = 30;
const SKEWS_MS = [5_000, -5_000, 30_000, -30_000];

describe('nodes whose clocks differ', { skip: skippedWithoutServers }, () => {
  for (const skewMs of SKEWS_MS) {
    it(`by ${skewMs / 1000} s serve a session in turn, and end it within that time of each other`, async (t) => {
      const { nodes } = await setClusterScene(t, {
        aheadMs: [0, skewMs],
        settings: { sessionMinutes: SESSION_MINUTES },
      });
      const [one, other] = nodes;
      const { token } = await converse(one.service);
      const search = `/ai/v1/search?session=${token}`;
      let turn = 0;
      for (const [field, value] of Object.entries(STAY)) {
        turn += 1;
        const { body, raw } = await (turn % 2 === 0 ? one : other).service.post(search, { field, value });
        assert.ok(body.object === 'search_result' || body.received[field] === value, raw);
      }
      const result = `/ai/v1/result?session=${token}`;
      assert.equal((await one.service.get(result)).raw, (await other.service.get(result)).raw);

      /** Lets time pass on both, and what is due be done: what has expired is deleted every ten seconds. */
      const pass = async (milliseconds: number) => {
        for (const { service } of nodes) await service.time.pass(milliseconds);
      };
      const errorsOn = () =>
        Promise.all(nodes.map(async ({ service }) => (await service.get(result)).body.error));
      const lifeMs = SESSION_MINUTES * MINUTE;
      await pass(lifeMs - Math.abs(skewMs) - 1000);
      assert.deepEqual(
        await errorsOn(),
        [undefined, undefined],
        'it lives on both until the first clock ends it',
      );
      await pass(Math.abs(skewMs) + 500);
      const isAhead = skewMs > 0;
      assert.deepEqual(await errorsOn(), [undefined, isAhead ? 'session_expired' : undefined]);
      await pass(1000);
      assert.deepEqual(await errorsOn(), ['session_expired', isAhead ? 'session_expired' : undefined]);
      await pass(Math.abs(skewMs));
      assert.deepEqual(await errorsOn(), ['session_expired', 'session_expired']);
    });
  }

  it('delete nothing that still lives for another', async (t) => {
    const { nodes } = await setClusterScene(t, {
      aheadMs: [0, 30_000],
      settings: { sessionMinutes: SESSION_MINUTES },
    });
    const [one, ahead] = nodes;
    const conversation = await converse(one.service);
    await conversation.search();
    // For the node that is ahead the session has ended, and for the other it has twenty seconds to live.
    await ahead.service.time.pass(SESSION_MINUTES * MINUTE - 20_000);
    await one.service.time.pass(SESSION_MINUTES * MINUTE - 20_000);
    // By the clock that is ahead, as its own rounds do.
    const now = ahead.service.time.now;
    await ahead.storage.sessions.deleteExpired({ bodiesBefore: now, sessionsBefore: now, limit: 100 });
    assert.equal((await conversation.result()).body.object, 'search_result');
    assert.equal((await conversation.read()).status, 200);
  });

  it('count one window of a caller, from its first request on any of them', async (t) => {
    const shared = newSharedServers();
    const redis = await openRedis({ url: clusterServers().redisUrl });
    t.after(() => redis.close());
    const rateRule = { limit: 10, windowMs: MINUTE };
    const skews = [0, 5_000, -30_000];
    const folder = temporaryDirectory(t);
    const nodes = await Promise.all(
      skews.map(async (skewMs, number) => {
        // Elapsed time begins with the start of each machine.
        const clock: Clock = {
          ...systemClock,
          now: () => systemClock.now() + skewMs,
          elapsed: () => systemClock.elapsed() + number * 1_000_000_000,
        };
        const storage = await shared.open({ directory: `${folder}/${number}`, rateRule, clock });
        // Until a node has asked Redis for its time it counts for itself.
        await untilTrue('it counts in Redis', async () => {
          await storage.rateWindows.take(`node ${number}`, timeOn(clock));
          return (await redis.ask((client) => client.exists(`${shared.prefix}:rate:{node ${number}}`))) === 1;
        });
        return { storage, clock };
      }),
    );
    t.after(async () => {
      await Promise.all(nodes.map(({ storage }) => storage.close()));
      await shared.remove();
    });
    const readings = [];
    for (let request = 0; request < rateRule.limit + 1; request += 1) {
      const node = nodes[request % nodes.length];
      assert.ok(node);
      readings.push(await node.storage.rateWindows.take('caller', timeOn(node.clock)));
    }
    assert.deepEqual(
      readings.map(({ remaining }) => remaining),
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0],
    );
    assert.deepEqual([readings.at(-2)?.allowed, readings.at(-1)?.allowed], [true, false]);
    // The same moment, which each node tells by its own clock.
    const ends = readings.map(
      ({ resetAt }, request) => resetAt - (skews[request % skews.length] ?? 0) / 1000,
    );
    assert.ok(Math.max(...ends) - Math.min(...ends) <= 1, `they end at ${ends}`);
    for (const { retryAfterSeconds } of readings.slice(-1)) {
      assert.ok(retryAfterSeconds > 0 && retryAfterSeconds <= 60, `${retryAfterSeconds} s`);
    }
  });
});
