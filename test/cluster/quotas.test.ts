import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setClusterScene } from '../support/cluster-scene.ts';
import { skippedWithoutServers } from '../support/cluster-storage.ts';
import { converse, STAY } from '../support/conversation.ts';
import { limitedAssistants } from '../support/limited-assistants.ts';
import type { TestService } from '../support/test-service.ts';

/** The same service, as a caller at that address sees it. */
function calledFrom(service: TestService, remoteAddress: string): TestService {
  const headers = { 'content-type': 'application/json' };
  return {
    ...service,
    post: (url, body = {}) =>
      service.call({ method: 'POST', url, headers, payload: JSON.stringify(body), remoteAddress }),
  };
}

describe('the quota of an assistant', { skip: skippedWithoutServers }, () => {
  it('counts its requests over all nodes', async (t) => {
    const { registry, change } = limitedAssistants({ acme: { requests: 4 } });
    const { nodes } = await setClusterScene(t, { registry });
    const statuses: number[] = [];
    const ask = async (number: number) => {
      const call = { method: 'GET', url: '/ai/v1/terms', remoteAddress: `10.0.0.${number}` } as const;
      statuses.push((await nodes[number % 2 === 0 ? 0 : 1].service.call(call)).status);
    };
    for (let number = 0; number < 6; number += 1) await ask(number);
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
    change({ acme: { requests: 5 } });
    await ask(6);
    await ask(7);
    assert.deepEqual(statuses.slice(6), [200, 429], 'every node goes by the limit as it is now');
  });

  it('counts its searches over all nodes', async (t) => {
    const { registry } = limitedAssistants({ acme: { searches: 1 } });
    const { nodes, operator } = await setClusterScene(t, { registry });
    const mayAnswer = Promise.withResolvers<boolean>();
    const isAsked = Promise.withResolvers<void>();
    operator.misbehave = (path) => {
      if (path !== '/quotes') return false;
      isAsked.resolve();
      return mayAnswer.promise;
    };
    const [one, other] = await Promise.all(
      nodes.map(({ service }) => converse(calledFrom(service, '10.0.0.1'))),
    );
    assert.ok(one && other);
    const first = one.send(STAY);
    await isAsked.promise;
    const refused = await other.send({ ...STAY, guests: '3' });
    assert.deepEqual([refused.body.error, refused.body.retry_after_seconds], ['overloaded', 2]);
    mayAnswer.resolve(false);
    assert.equal((await first).body.object, 'search_result');
    assert.equal((await other.send({ ...STAY, guests: '3' })).body.object, 'search_result');
  });
});
