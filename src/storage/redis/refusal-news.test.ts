import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { newPrefix } from '../../../test/support/new-prefix.ts';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { skippedWithoutRedis, testRedis } from '../../../test/support/test-redis.ts';
import { throwawayRedis } from '../../../test/support/throwaway-redis.ts';
import { systemClock } from '../../clock.ts';
import type { RefusedStayNews } from '../../sync/refusal-news.ts';
import { createRedisRefusalNews } from './refusal-news.ts';

const refused = (property: string): RefusedStayNews => ({
  property,
  stay: { checkIn: 20_000, checkOut: 20_005, guests: 2 } as RefusedStayNews['stay'],
  reason: 'not_available' as RefusedStayNews['reason'],
});

async function setUp(t: TestContext) {
  const server = await throwawayRedis();
  if ('missing' in server) throw new Error(server.missing);
  const proxy = await startTcpProxy(server);
  t.after(() => proxy.close());
  const redis = await testRedis();
  const prefix = newPrefix();
  const node = (name: string) =>
    createRedisRefusalNews({ redis, url: proxy.via(server.url), prefix, node: name, clock: systemClock });
  return { node, proxy, redis, stream: `${prefix}:refusals` };
}

/** The properties that a node hears of, one after the other. */
function listen(t: TestContext, news: ReturnType<typeof createRedisRefusalNews>) {
  const heard: { readonly property: string; readonly ageMs: number }[] = [];
  let tell = () => {};
  const listening = news.hear(({ property }, ageMs) => {
    heard.push({ property, ageMs });
    tell();
  });
  t.after(() => listening.stop());
  return {
    async hears(count: number) {
      while (heard.length < count) {
        const next = Promise.withResolvers<void>();
        tell = next.resolve;
        await next.promise;
      }
      return heard.map(({ property }) => property);
    },
    ages: () => heard.map(({ ageMs }) => ageMs),
  };
}

describe('news of refusals over Redis', { skip: skippedWithoutRedis }, () => {
  it('reaches other nodes and not the one that tells, also what was told before they listened', async (t) => {
    const { node } = await setUp(t);
    const [one, other] = [node('one'), node('other')];
    one.tell(refused('azul:1'));
    const atOther = listen(t, other);
    assert.deepEqual(await atOther.hears(1), ['azul:1']);
    const atOne = listen(t, one);
    other.tell(refused('azul:2'));
    one.tell(refused('azul:3'));
    assert.deepEqual(await atOne.hears(1), ['azul:2']);
    assert.deepEqual(await atOther.hears(2), ['azul:1', 'azul:3']);
    assert.ok(atOther.ages().every((age) => age >= 0 && age < 600_000));
  });

  it('goes on where it stopped after a broken connection', async (t) => {
    const { node, proxy } = await setUp(t);
    const [one, other] = [node('one'), node('other')];
    const atOther = listen(t, other);
    one.tell(refused('azul:1'));
    await atOther.hears(1);
    proxy.refuse();
    one.tell(refused('azul:2'));
    proxy.resume();
    one.tell(refused('azul:3'));
    assert.deepEqual(await atOther.hears(3), ['azul:1', 'azul:2', 'azul:3']);
  });

  it('takes what it knows of an entry of the next release, and passes over what it does not know', async (t) => {
    const { node, redis, stream } = await setUp(t);
    const text = JSON.stringify({ ...refused('azul:1'), hint: 'later' });
    await redis.ask((client) => client.xadd(stream, '*', 'release', '9', 'refused', text, 'node', 'one'));
    await redis.ask((client) => client.xadd(stream, '*', 'node', 'one', 'greeting', 'hello'));
    await redis.ask((client) => client.xadd(stream, '*', 'node', 'one', 'refused', '{'));
    node('one').tell(refused('azul:2'));
    assert.deepEqual(await listen(t, node('other')).hears(2), ['azul:1', 'azul:2']);
  });
});
