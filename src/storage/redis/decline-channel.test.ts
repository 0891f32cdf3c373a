import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { throwawayRedis } from '../../../test/support/throwaway-redis.ts';
import { systemClock } from '../../clock.ts';
import { declineChannelContract, listen, refused } from '../../sync/decline-channel.contract.ts';
import { createRedisDeclineChannel } from './decline-channel.ts';

async function setUp(t: TestContext) {
  const server = await throwawayRedis();
  if ('missing' in server) throw new Error(server.missing);
  const proxy = await startTcpProxy(server);
  t.after(() => proxy.close());
  const redis = await testRedis();
  const prefix = newPrefix();
  const node = (name: string) =>
    createRedisDeclineChannel({ redis, url: proxy.via(server.url), prefix, node: name, clock: systemClock });
  const published = () => redis.ask((client) => client.ping());
  return {
    ...{ one: node('one'), other: node('other'), published },
    ...{ proxy, redis, streamOf: (brand: string) => `${prefix}:refusals:{news}:${brand}` },
  };
}

describe('decline channel over Redis', { skip: skippedWithoutRedis }, () => {
  declineChannelContract({ ofNodes: setUp });

  it('goes on where it stopped after a broken connection', async (t) => {
    const { one, other, proxy } = await setUp(t);
    const atOther = listen(t, other);
    one.publish(refused('azul:1'));
    await atOther.receives(1);
    proxy.refuse();
    one.publish(refused('azul:2'));
    proxy.resume();
    one.publish(refused('azul:3'));
    assert.deepEqual(await atOther.receives(3), ['azul:1', 'azul:2', 'azul:3']);
  });

  it('counts as caught up where Redis is away, and receives what was published once it is back', async (t) => {
    const { one, other, proxy } = await setUp(t);
    one.publish(refused('azul:1'));
    proxy.refuse();
    const atOther = listen(t, other);
    await atOther.caughtUp;
    assert.deepEqual(atOther.received(), []);
    proxy.resume();
    assert.deepEqual(await atOther.receives(1), ['azul:1']);
  });

  it('takes what it knows of an entry of the next release, and passes over what it does not know', async (t) => {
    const { one, other, redis, streamOf } = await setUp(t);
    const text = JSON.stringify({ ...refused('azul:1'), hint: 'later' });
    const entries = [
      ['release', '9', 'refused', text, 'node', 'one'],
      ['node', 'one', 'greeting', 'hello'],
      ['node', 'one', 'refused', '{'],
    ];
    for (const entry of entries) await redis.ask((client) => client.xadd(streamOf('azul'), '*', ...entry));
    one.publish(refused('azul:2'));
    assert.deepEqual(await listen(t, other).receives(2), ['azul:1', 'azul:2']);
  });
});
