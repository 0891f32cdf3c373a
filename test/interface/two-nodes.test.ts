import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { systemRandom } from '../../src/random.ts';
import { openingsInMemory, type RecentOpenings } from '../../src/sessions/recent-openings.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { createRedisOpenings } from '../../src/storage/redis/openings.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { converse, STAY } from '../support/conversation.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { newPrefix } from '../support/new-prefix.ts';
import { redisSessions } from '../support/redis-sessions.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { skippedWithoutRedis, testRedis } from '../support/test-redis.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';

/** What two services do that share their sessions, when both get the requests of one. */

const rateRule = { limit: 600, windowMs: 60_000 };

/** The storage of two nodes. */
type SharedStorage = () => Promise<readonly [Storage, Storage]>;

const sharedMemory: SharedStorage = async () => {
  const storage = await openMemoryStorage({ directory: '', rateRule });
  const kept = new Map<string, RecentOpenings<never>>();
  const newOpenings = openingsInMemory(systemClock);
  const openings = <Opened>(purpose: string) => {
    const known = kept.get(purpose) ?? newOpenings<never>(purpose);
    kept.set(purpose, known);
    return known as unknown as RecentOpenings<Opened>;
  };
  return [
    { ...storage, openings },
    { ...storage, openings },
  ];
};

const sharedRedis: SharedStorage = async () => {
  const redis = await testRedis();
  const prefix = newPrefix();
  const node = async (): Promise<Storage> => {
    const storage = await openMemoryStorage({ directory: '', rateRule });
    const key = new Uint8Array(32);
    return {
      ...storage,
      sessions: redisSessions(redis, prefix),
      openings: createRedisOpenings({ redis, prefix, key, random: systemRandom, clock: systemClock }),
    };
  };
  return [await node(), await node()];
};

async function setUp(t: TestContext, shared: SharedStorage) {
  const operator = await startScriptedOperator();
  operator.properties = [property('a'), property('b')];
  const network = networkFile([brandEntry('acme', operator.origin)]);
  const [first, second] = await shared();
  const one = await startTestService({ network, storage: first });
  const other = await startTestService({ network, storage: second });
  t.after(async () => {
    await Promise.all([one.close(), other.close()]);
    await operator.close();
  });
  return { operator, one, other };
}

/** Lets the time of a node go on until it has answered. */
async function passUntil(node: TestService, answer: Promise<TestAnswer>): Promise<TestAnswer> {
  let isAnswered = false;
  const settled = answer.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) await node.time.pass(100);
  return settled;
}

function twoNodes(shared: SharedStorage): void {
  it('ask the operators once for a request that reaches both, and give the same answer', async (t) => {
    const { operator, one, other } = await setUp(t, shared);
    const { address } = await converse(one);
    const asked = Promise.withResolvers<void>();
    const mayAnswer = Promise.withResolvers<void>();
    operator.misbehave = async (path) => {
      if (path !== '/quotes') return false;
      asked.resolve();
      await mayAnswer.promise;
      return false;
    };
    const key = { 'idempotency-key': 'the same' };
    const first = one.post(address(), STAY, key);
    await asked.promise;
    const second = other.post(address(), STAY, key);
    await other.requestsInFlight(1);
    for (let times = 0; times < 20; times += 1) await other.time.pass(100);
    assert.equal(operator.asked.length, 0, 'nobody has been answered yet');
    mayAnswer.resolve();
    const answers = [await first, await passUntil(other, second)];
    assert.equal(operator.asked.length, 1);
    assert.deepEqual(
      answers.map(({ headers }) => headers['idempotent-replayed']),
      [undefined, 'true'],
    );
    assert.equal(answers[0]?.body.object, 'search_result');
    assert.deepEqual(answers[1]?.body.options, answers[0]?.body.options);
  });

  it('take all values of a session that both change at the same time', async (t) => {
    const { one, other } = await setUp(t, shared);
    const { address, token } = await converse(one);
    const values = [
      { destination: 'lisbon-pt' },
      { guests: '2' },
      ...['wifi', 'pool', 'kitchen', 'parking'].map((amenity) => ({ amenities: [amenity] })),
    ];
    const requests = values.flatMap((body, at) => [
      one.post(address(), body, { 'idempotency-key': `${at}` }),
      other.post(address(), body, { 'idempotency-key': `${at}` }),
    ]);
    for (const answer of await Promise.all(requests)) assert.notEqual(answer.body.error, 'overloaded');
    const { received } = (await other.get(`/ai/v1/search?session=${token}`)).body;
    assert.equal(received.destination, 'lisbon-pt');
    assert.equal(received.guests, '2');
  });

  it('open one session under a key, and another once it is used', async (t) => {
    const { one, other } = await setUp(t, shared);
    const key = { 'idempotency-key': 'opening' };
    const open = (node: TestService) => node.post('/ai/v1/auth', {}, key);
    const opened = await Promise.all([open(one), open(other), open(one), open(other)]);
    const tokens = new Set<string>(opened.map(({ body }) => body.session));
    assert.equal(tokens.size, 1);
    assert.equal(opened.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 3);
    const [token = ''] = tokens;
    await other.get(`/ai/v1/search?session=${token}`);
    assert.notEqual((await open(one)).body.session, token);
  });
}

describe('two nodes that share a memory', () => twoNodes(sharedMemory));
describe('two nodes on one Redis', { skip: skippedWithoutRedis }, () => twoNodes(sharedRedis));
