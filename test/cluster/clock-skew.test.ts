import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setClusterScene } from '../support/cluster-scene.ts';
import { skippedWithoutServers } from '../support/cluster-storage.ts';
import { converse, STAY } from '../support/conversation.ts';

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
});
