import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SceneNode, setClusterScene, untilTrue } from '../support/cluster-scene.ts';
import { skippedWithoutServers } from '../support/cluster-storage.ts';
import { converse } from '../support/conversation.ts';
import { property } from '../support/network.ts';

/** Longer than the network file says between two readings of a brand. */
const REFRESH_MS = 1_000_000;
const TRIED_AGAIN_AFTER_MS = 5000;
const PROMISED_MS = 2000;

/** The cities that a node offers; the search of a session that supplies nothing. */
async function offering({ service }: SceneNode): Promise<() => Promise<readonly string[]>> {
  const { read } = await converse(service);
  return async () => {
    const { body } = await read();
    return body.allowed_values.destination;
  };
}

/** Lets time pass until the first node has read the brand. More than once where the reading before had not quite ended. */
async function readAgain(nodes: readonly [SceneNode, SceneNode]): Promise<void> {
  let isRead = false;
  void nodes[0].service.nextRefresh('acme').then(() => {
    isRead = true;
  });
  let passedAt = Number.NEGATIVE_INFINITY;
  await untilTrue('the brand is read', async () => {
    if (!isRead && performance.now() - passedAt > TRIED_AGAIN_AFTER_MS) {
      // The follower first: of a calendar that was read minutes ahead of its clock, a node does not know the age.
      for (const { service } of nodes.toReversed()) await service.time.pass(REFRESH_MS);
      passedAt = performance.now();
    }
    return isRead;
  });
}

describe('what an operator changes', { skip: skippedWithoutServers }, () => {
  it('is offered and withdrawn on all nodes', async (t) => {
    const { operator, nodes } = await setClusterScene(t, { settings: { sessionMinutes: 1440 } });
    const [leader, follower] = nodes;
    const [offeredByLeader, offeredByFollower] = [await offering(leader), await offering(follower)];
    const [lisbon, pool, porto] = operator.properties;
    assert.ok(lisbon && pool && porto);
    const evora = property('d', { place: 'evora-pt', location: 'Évora' });
    const changes = {
      'a home that is new': { properties: [lisbon, pool, porto, evora], city: 'evora-pt', isOffered: true },
      'a home that is booked out': {
        properties: [lisbon, pool, { ...porto, periods: [] }, evora],
        city: 'porto-pt',
        isOffered: false,
      },
      'a home that is free again': {
        properties: [lisbon, pool, porto, evora],
        city: 'porto-pt',
        isOffered: true,
      },
      'a home that is gone': { properties: [lisbon, pool, porto], city: 'evora-pt', isOffered: false },
    };
    for (const [name, { properties, city, isOffered }] of Object.entries(changes)) {
      operator.properties = properties;
      const isSo = async (offered: () => Promise<readonly string[]>) =>
        (await offered()).includes(city) === isOffered;
      assert.equal(await isSo(offeredByFollower), false, name);
      const reading = readAgain(nodes);
      await untilTrue(`${name}, on the leader`, () => isSo(offeredByLeader));
      const tookMs = await untilTrue(`${name}, on the other`, () => isSo(offeredByFollower));
      t.diagnostic(`${name}: ${Math.round(tookMs)} ms after the leader; ${PROMISED_MS} ms are promised`);
      await reading;
    }
  });
});
