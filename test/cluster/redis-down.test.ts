import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type SceneNode, setClusterScene, untilTrue } from '../support/cluster-scene.ts';
import { clusterServers, skippedWithoutServers } from '../support/cluster-storage.ts';
import { converse, STAY } from '../support/conversation.ts';
import { sendToMcp, toolMessage } from '../support/mcp-message.ts';
import type { TestAnswer } from '../support/test-service.ts';
import { ownRedis } from '../support/throwaway-redis.ts';

const MCP_SEARCH = toolMessage('search_stays', {
  destination: 'Lisbon',
  check_in_day: STAY.check_in_day,
  check_out: STAY.check_out,
  guests: 2,
});

async function setRedisScene(t: TestContext) {
  const redis = await ownRedis();
  if ('missing' in redis) return t.skip(redis.missing);
  t.after(() => redis.stop());
  const { postgresUrl } = clusterServers();
  const scene = await setClusterScene(t, { servers: { postgresUrl, redisUrl: redis.url } });
  return { ...scene, redis };
}

const opens = async ({ service }: SceneNode) => (await service.post('/ai/v1/auth', {})).status === 200;

function assertRetryable(answer: TestAnswer, status: number): void {
  assert.deepEqual([answer.status, answer.body.error], [status, 'storage_unavailable'], answer.raw);
  assert.ok(Number(answer.headers['retry-after']) > 0, 'it says when to ask again');
  assert.ok(answer.body.retry_after_seconds > 0);
}

describe('Redis', { skip: skippedWithoutServers }, () => {
  it('that is down costs sessions and steps alone, until it is back', async (t) => {
    const scene = await setRedisScene(t);
    if (!scene) return;
    const { nodes, operator, redis } = scene;
    const before = await converse(nodes[0].service);
    await before.search();
    const asked = operator.asked.length;
    await redis.stop();

    for (const { service, storage } of nodes) {
      await untilTrue('it is known to be down', () => storage.writeFault() === 'unreachable');
      assertRetryable(await service.post('/ai/v1/auth', {}), 503);
      assertRetryable(await service.get(`/ai/v1/auth?idempotency_key=${'k'.repeat(20)}`), 503);
      const search = `/ai/v1/search?session=${before.token}`;
      assertRetryable(await service.get(search), 200);
      assertRetryable(await service.post(search, { guests: '3' }), 200);
      assertRetryable(await service.get(`/ai/v1/result?session=${before.token}`), 503);
      const mcp = await sendToMcp(await service.listen(), MCP_SEARCH);
      assert.equal(mcp.body.result.isError, true, mcp.text);
      assert.match(mcp.text, /storage_unavailable/);
      for (const path of ['/ai/v1/schema', '/ai/v1/terms', '/healthz', '/readyz']) {
        assert.equal((await service.get(path)).status, 200, path);
      }
    }
    assert.equal(operator.asked.length, asked, 'no operator was asked for prices in vain');

    await redis.start();
    for (const node of nodes) {
      const tookMs = await untilTrue('it serves again', () => opens(node));
      t.diagnostic(`a node opened sessions ${Math.round(tookMs)} ms after Redis was back`);
      await (await converse(node.service)).search();
    }
  });
});
