import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts';
import { untilItAnswers } from '../../../test/support/test-redis.ts';
import { ownRedis } from '../../../test/support/throwaway-redis.ts';
import { openRedis } from './connection.ts';

/** Not so short that a busy machine takes longer for what succeeds. */
const SOON = 1000;

const server = await ownRedis();
const skip = 'missing' in server && server.missing;

/** A connection through a proxy, to a server that this file has for itself. */
async function setUp(t: TestContext) {
  if ('missing' in server) throw new Error(server.missing);
  const proxy = await startTcpProxy(server);
  const reports: string[] = [];
  const redis = await openRedis({
    url: proxy.via(server.url),
    deadlineMs: SOON,
    report: (text) => reports.push(text),
  });
  t.after(async () => {
    await redis.close();
    await proxy.close();
  });
  return { server, proxy, redis, reports, ready: () => untilItAnswers(redis) };
}

const isUnreachable = { name: 'StorageFailure', kind: 'unreachable' };

describe('a connection to Redis', { skip }, () => {
  it('ends what is under way when it is cut, sends none of it again, and comes back by itself', async (t) => {
    const { redis, proxy, reports, ready } = await setUp(t);
    await redis.ask((client) => client.set('cut', 0));
    proxy.swallowAnswers();
    const counting = redis.ask((client) => client.incr('cut'));
    const behind = redis.ask((client) => client.get('cut'));
    proxy.cut();
    await Promise.all([assert.rejects(counting, isUnreachable), assert.rejects(behind, isUnreachable)]);
    assert.equal(redis.isReachable(), false);
    proxy.resume();
    await ready();
    assert.ok(Number(await redis.ask((client) => client.get('cut'))) <= 1);
    assert.equal(reports.filter((text) => text.startsWith('Redis is unreachable')).length, 1);
    assert.equal(reports.at(-1), 'Redis answers again.');
  });

  it('waits for no answer longer than its deadline, and for none at all once that has passed', async (t) => {
    const { redis, proxy, ready } = await setUp(t);
    proxy.hang();
    const [first, second] = [redis.ask((client) => client.get('a')), redis.ask((client) => client.get('b'))];
    await Promise.all([assert.rejects(first, isUnreachable), assert.rejects(second, isUnreachable)]);
    await assert.rejects(
      redis.ask((client) => client.get('a')),
      isUnreachable,
    );
    proxy.resume();
    await ready();
  });

  it('opens without a server, and is there once the server is', async (t) => {
    const { proxy } = await setUp(t);
    proxy.refuse();
    const redis = await openRedis({ url: `redis://127.0.0.1:${proxy.port}`, deadlineMs: SOON });
    t.after(() => redis.close());
    assert.equal(redis.isReachable(), false);
    await assert.rejects(
      redis.ask((client) => client.ping()),
      isUnreachable,
    );
    proxy.resume();
    await untilItAnswers(redis);
  });

  it('is refused where the server lacks the database that is named', async (t) => {
    const { server } = await setUp(t);
    const redis = await openRedis({ url: `${server.url}/3` });
    t.after(() => redis.close());
    await redis.ask((client) => client.set('in', 'three'));
    await assert.rejects(openRedis({ url: `${server.url}/99` }), { kind: 'refused' });
    assert.equal(await redis.ask((client) => client.get('in')), 'three');
  });

  it('sends a script again that the server has forgotten, and goes on after a restart', async (t) => {
    const { redis, server, ready } = await setUp(t);
    const twice = redis.script<number>({
      keys: 1,
      lua: "return redis.call('INCRBY', KEYS[1], ARGV[1])",
    });
    assert.equal(await twice('n', 1), 1);
    await redis.ask((client) => client.script('FLUSH'));
    assert.deepEqual(await Promise.all([twice('n', 1), twice('n', 1)]), [2, 3]);
    await server.stop();
    await assert.rejects(twice('n', 1), isUnreachable);
    await server.start();
    await ready();
    assert.equal(await twice('n', 1), 1, 'the server has forgotten everything');
  });

  it('tells nobody its password when that is wrong', async (t) => {
    const { proxy } = await setUp(t);
    const reports: string[] = [];
    const url = `redis://somebody:s3cret@127.0.0.1:${proxy.port}`;
    const redis = await openRedis({ url, report: (text) => reports.push(text) });
    t.after(() => redis.close());
    const failure: unknown = await redis.ask((client) => client.ping()).catch((error) => error);
    assert.ok(!inspect([failure, reports], { depth: 9 }).includes('s3cret'));
    assert.match(reports.join(), /^Redis is unreachable\. .*WRONGPASS/);
  });

  it('tells a server that has no room from one that is away', async (t) => {
    const { redis } = await setUp(t);
    await redis.ask((client) => client.config('SET', 'maxmemory', '1'));
    await assert.rejects(
      redis.ask((client) => client.set('a', 'b')),
      { kind: 'full' },
    );
    await redis.ask((client) => client.config('SET', 'maxmemory', '0'));
  });
});
