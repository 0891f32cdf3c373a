import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setClusterScene } from '../support/cluster-scene.ts';
import { skippedWithoutServers } from '../support/cluster-storage.ts';
import { STAY } from '../support/conversation.ts';
import { createPlainActivityStore } from '../support/plain-activity-store.ts';
import type { TestAnswer } from '../support/test-service.ts';

describe('a session whose requests reach two nodes', { skip: skippedWithoutServers }, () => {
  it('is counted once for each thing that it asked for, whichever node it asked first', async (t) => {
    const activity = createPlainActivityStore();
    const { nodes } = await setClusterScene(t, { activity });
    const [one, other] = nodes.map(({ service }) => service);
    assert.ok(one && other);
    const send = (node: typeof one, token: string, values: Record<string, unknown>): Promise<TestAnswer> =>
      node.post(`/ai/v1/search?session=${token}`, values);
    const open = async (node: typeof one): Promise<string> =>
      (await node.post('/ai/v1/auth', {})).body.session;
    const noteAll = async () => {
      for (const node of [one, other, one, other]) await node.flushActivity();
    };

    const counted = (...measures: readonly string[]) => {
      const sums: Record<string, number> = {};
      for (const { counts } of activity.batches()) {
        for (const { measure, place, facet, reason, count } of counts) {
          if (!measures.includes(measure)) continue;
          const text = [measure, place, facet, reason].join(' ');
          sums[text] = (sums[text] ?? 0) + count;
        }
      }
      return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
    };

    const tokens = [await open(one), await open(other)];
    for (const token of tokens) {
      // At both at once, before either has noted anything, and once more after that.
      const refused: readonly TestAnswer[] = await Promise.all(
        [one, other].map((node) => send(node, token, { destination: 'Atlantis' })),
      );
      for (const { body } of refused) assert.equal(body.error, 'invalid_value');
    }
    await noteAll();
    assert.deepEqual(counted('standings'), { 'standings  destination destination:not_on_network': 2 });
    for (const token of tokens)
      for (const node of [one, other]) await send(node, token, { destination: 'Atlantis' });
    await noteAll();
    for (const token of tokens) {
      await send(one, token, { destination: 'Ys' });
      await send(other, token, { destination: 'Ys' });
      const result = await send(one, token, STAY);
      assert.equal(result.body.object, 'search_result');
      await send(other, token, { guests: '1' });
    }
    await noteAll();

    assert.deepEqual(counted('sessions', 'missing_places', 'wishes', 'parties'), {
      'sessions   ': 2,
      'missing_places  atlantis ': 2,
      'missing_places  ys ': 2,
      'wishes   not_on_network': 2,
      'wishes lisbon-pt 2027-04 found': 2,
      'parties lisbon-pt 1 ': 2,
      'parties lisbon-pt 2 ': 2,
    });
    assert.deepEqual(counted('standings'), { 'standings  completed ': 2 });
  });
});
