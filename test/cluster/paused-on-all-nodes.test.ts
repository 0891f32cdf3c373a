import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createControlsInMemory } from '../support/brand-controls-in-memory.ts';
import { type SceneNode, setClusterScene, untilTrue } from '../support/cluster-scene.ts';
import { skippedWithoutServers } from '../support/cluster-storage.ts';
import { converse } from '../support/conversation.ts';
import { property } from '../support/network.ts';

/** How often a node looks at what was decided elsewhere. */
const LOOK_MS = 1000;

async function answerOf({ service }: SceneNode) {
  const { body } = await (await converse(service)).read();
  return body;
}

describe('a brand that is paused on one node', { skip: skippedWithoutServers }, () => {
  it('is off all of them with their next look, and comes back on all of them without a call', async (t) => {
    const { operator, nodes } = await setClusterScene(t, { controls: createControlsInMemory() });
    const [leader, follower] = nodes;
    const paths: string[] = [];
    operator.misbehave = (path) => {
      paths.push(path);
      return false;
    };
    await follower.service.operators.pause('acme');
    assert.equal((await answerOf(follower)).error, 'nothing_on_offer');
    assert.equal((await answerOf(leader)).error, 'incomplete_payload', 'it has not looked yet');
    await leader.service.time.pass(LOOK_MS);
    for (const node of nodes) {
      const { error, message } = await answerOf(node);
      assert.equal(error, 'nothing_on_offer');
      assert.match(message, /not on offer here at present: Brand acme\./);
      assert.equal((await node.service.get('/readyz')).status, 200);
    }
    await leader.service.operators.resume('acme');
    await follower.service.time.pass(LOOK_MS);
    for (const node of nodes) {
      await untilTrue(
        'its homes are back',
        async () => (await answerOf(node)).error === 'incomplete_payload',
      );
      const [health] = await node.service.operators.health();
      assert.deepEqual([health?.homes, health?.pausedAt], [3, null]);
    }
    assert.deepEqual(paths, []);
  });

  it('is read anew by the node that leads it, whoever asks for it', async (t) => {
    const { operator, nodes } = await setClusterScene(t, { controls: createControlsInMemory() });
    const [leader, follower] = nodes;
    operator.properties = [...operator.properties, property('new', { place: 'evora-pt', location: 'Évora' })];
    const read = leader.service.nextRefresh('acme');
    await follower.service.operators.readNow('acme');
    await leader.service.time.pass(LOOK_MS);
    await read;
    for (const node of nodes) {
      await untilTrue('the new home is on offer', async () =>
        (await answerOf(node)).allowed_values.destination.includes('evora-pt'),
      );
    }
  });
});
