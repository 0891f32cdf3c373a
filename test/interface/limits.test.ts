import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import { createInProcessTransport } from '../requests/in-process-transport.ts';
import { converse, STAY } from '../support/conversation.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
import { setScene } from '../support/scene.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService, type TestAnswer } from '../support/test-service.ts';

const rateOf = ({ headers }: TestAnswer) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
});

test('the six-hundredth request is served and the next is not', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  for (let sent = 0; sent < 599; sent += 1) await conversation.read();
  const last = await conversation.read();
  assert.equal(last.body.error, 'incomplete_payload');
  assert.equal(last.headers['x-ratelimit-remaining'], '0');
  assert.equal((await conversation.read()).body.error, 'rate_limited');
});

test('overflow on search is 200 with the body and Retry-After; elsewhere 429', async (t) => {
  const { service, open } = await setScene(t, { settings: { rateLimit: 3 } });
  const conversation = await open();
  for (let sent = 0; sent < 3; sent += 1) await conversation.read();
  service.time.now += 12_345;
  const search = await conversation.send({ destination: 'lisbon-pt' });
  assert.equal(search.status, 200);
  assert.equal(search.body.status, 200);
  assert.equal(search.body.error, 'rate_limited');
  assert.equal(search.body.endpoint, '/ai/v1/search');
  assert.equal(search.body.retry_after_seconds, 48);
  assert.equal(search.headers['retry-after'], '48');
  assert.deepEqual(rateOf(search), { limit: '3', remaining: '0', reset: '1803902460' });
  const result = await conversation.result();
  assert.equal(result.status, 429);
  assert.equal(result.body.error, 'rate_limited');
  assert.equal(result.headers['retry-after'], '48');
});

test('a live session has a window of its own', async (t) => {
  const { open } = await setScene(t, { settings: { rateLimit: 5 } });
  const [one, other] = [await open(), await open()];
  for (let sent = 0; sent < 6; sent += 1) await one.read();
  assert.equal((await one.read()).body.error, 'rate_limited');
  assert.equal((await other.read()).headers['x-ratelimit-remaining'], '4');
});

test('requests without a live session count for the assistant and the address', async (t) => {
  const assistants = ['Alpha', 'Beta'].map((name) => ({
    id: name.toLowerCase(),
    name,
    status: 'approved',
    recognised_by: [{ user_agent: `${name}-User`, ranges: ['203.0.113.0/24', '2001:db8::/32'] }],
  }));
  const reading = describeAssistantRegistry({ assistants }, () => assert.fail('no file is named'));
  assert.equal(reading.kind, 'valid');
  const { service } = await setScene(t, {
    registry: reading.value,
    settings: { rateLimit: 3, trustedProxies: ['127.0.0.1'] },
  });
  const remaining = async (name: string, address: string, url = '/ai/v1/terms') => {
    const headers = { 'user-agent': `${name}-User`, 'x-forwarded-for': address };
    return Number((await service.get(url, headers)).headers['x-ratelimit-remaining']);
  };
  assert.equal(await remaining('Alpha', '203.0.113.1'), 2);
  assert.equal(await remaining('Alpha', '203.0.113.1', '/ai/v1/search?session=unknown'), 1);
  assert.equal(await remaining('Alpha', '203.0.113.1', '/ai/v1/nowhere'), 0, 'errors count as well');
  assert.equal(await remaining('Alpha', '203.0.113.2'), 2, 'another address');
  assert.equal(await remaining('Beta', '203.0.113.1'), 2, 'another assistant at the same address');
  assert.equal(await remaining('Alpha', '2001:db8:0:1::1'), 2);
  assert.equal(await remaining('Alpha', '2001:db8:0:1::2'), 1, 'one household has a whole /64');

  const used = await service.post(
    '/ai/v1/auth',
    {},
    { 'user-agent': 'Alpha-User', 'x-forwarded-for': '203.0.113.1' },
  );
  assert.equal(used.status, 429);
  assert.equal(used.body.error, 'rate_limited');
  for (const path of ['/ai/v1/schema', '/ai/v1/terms', '/ai/v1/result']) {
    const answer = await service.get(path, { 'user-agent': 'Alpha-User', 'x-forwarded-for': '203.0.113.1' });
    assert.equal(answer.status, 429, path);
  }
  const live = await converse(service, null, {
    'user-agent': 'Alpha-User',
    'x-forwarded-for': '203.0.113.3',
  });
  const moved = await service.get(live.address(), {
    'user-agent': 'Alpha-User',
    'x-forwarded-for': '203.0.113.1',
  });
  assert.equal(moved.body.error, 'incomplete_payload', 'a live session is not held up by its address');
});

test('a stranger beyond the limit gets 429 on every page, and nobody else does', async (t) => {
  const { service } = await setScene(t, { settings: { rateLimit: 3 } });
  const STRANGER = '203.0.113.9';
  const ask = (url: string, headers = {}) => service.call({ url, headers, remoteAddress: STRANGER });
  const { headers } = await ask('/openapi.json');
  for (const path of ['/ai/v1/terms', '/nowhere']) await ask(path);
  service.time.now += 12_000;
  for (const path of ['/', '/docs', '/openapi.json', '/nowhere', '/ai/v1/terms', '/ai/v1/search', '/mcp']) {
    const { status, body, headers } = await ask(path);
    assert.deepEqual([status, body.status, body.error], [429, 429, 'rate_limited'], path);
    assert.deepEqual([body.retry_after_seconds, headers['retry-after']], [48, '48'], path);
    assert.equal(headers['x-ratelimit-remaining'], '0', path);
  }
  const known = await ask('/openapi.json', { 'if-none-match': headers.etag });
  assert.equal(known.status, 429, 'what costs little counts as well');
  for (const path of ['/healthz', '/readyz']) assert.equal((await ask(path)).status, 200, path);
  const another = await service.call({ url: '/openapi.json', remoteAddress: '203.0.113.10' });
  assert.equal(another.status, 200);
  assert.equal((await service.get('/ai/v1/terms')).status, 200, 'an assistant has limits of its own');
  service.time.now += 48_000;
  assert.equal((await ask('/openapi.json')).status, 200);
});

test('behind a listed proxy each stranger has a limit of its own, and health checks use up none', async (t) => {
  const { service } = await setScene(t, { settings: { rateLimit: 2, trustedProxies: ['203.0.113.1'] } });
  const ask = async (from: string, url = '/openapi.json') => {
    const headers = { 'x-forwarded-for': from };
    return (await service.call({ url, headers, remoteAddress: '203.0.113.1' })).status;
  };
  for (let checks = 0; checks < 5; checks += 1) await ask('198.51.100.1', '/healthz');
  assert.deepEqual([await ask('198.51.100.1'), await ask('198.51.100.1')], [200, 200]);
  assert.equal(await ask('198.51.100.1'), 429);
  assert.equal(await ask('198.51.100.2'), 200);
});

test('what is overloaded says so and asks to come back, and finishes nothing by halves', async (t) => {
  const { service, open, operator } = await setScene(t);
  const conversation = await open();
  service.load.lagMs = 10_000;
  const refused = await conversation.send(STAY);
  assert.equal(refused.status, 200);
  assert.equal(refused.body.error, 'overloaded');
  assert.equal(refused.headers['retry-after'], String(refused.body.retry_after_seconds));
  const auth = await service.post('/ai/v1/auth', {});
  assert.equal(auth.status, 503);
  assert.equal(auth.body.error, 'overloaded');
  assert.equal(operator.asked.length, 0);
  service.load.lagMs = 0;
  assert.deepEqual((await conversation.read()).body.received, {});
});

/** One operator that makes one call at a time and answers when it is told to. */
async function setNarrowScene(t: TestContext) {
  const operator = await startScriptedOperator();
  operator.properties = [property('a'), property('b')];
  const booking_system = {
    kind: 'open' as const,
    url: operator.origin,
    timeout_ms: 30_000,
    concurrency: 1,
  };
  const service = await startTestService({
    network: networkFile([{ ...brandEntry('acme', operator.origin), booking_system }]),
    settings: { quoteDeadlineMs: 60_000, rateLimit: 100_000 },
  });
  t.after(async () => {
    operator.misbehave = () => false;
    for (const { answer } of calls) answer();
    await service.close();
    await operator.close();
  });
  const calls: { readonly answer: () => void; readonly response: ServerResponse }[] = [];
  operator.misbehave = (path, response) => {
    if (path !== '/quotes') return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    calls.push({ answer: () => resolve(false), response });
    return promise;
  };
  const asked = async (count: number) => {
    while (calls.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { service, operator, calls, asked };
}

test('a session has a short queue: eight wait, the ninth is told to come back, and nothing is lost', {
  skip: perNode('the requests of a session wait in the line of their node'),
}, async (t) => {
  const { service, calls, asked } = await setNarrowScene(t);
  const conversation = await converse(service);
  const key = { 'idempotency-key': 'mine' };
  const first = conversation.send(STAY, key);
  await asked(1);
  const duplicates = Array.from({ length: 8 }, () => conversation.send(STAY, key));
  await service.requestsInFlight(9);
  const refused = await conversation.send({ guests: '3' });
  assert.equal(refused.status, 200);
  assert.equal(refused.body.error, 'overloaded');
  assert.equal(refused.headers['retry-after'], '1');
  assert.match(refused.body.message, /^This session has 8 requests waiting/);
  const where = await service.get(refused.body.next_request.url);
  assert.equal(where.body.session, conversation.token, 'the way on reads the session');
  assert.equal((await conversation.read()).body.error, 'incomplete_payload', 'reading does not queue');
  calls[0]?.answer();
  const { raw } = await first;
  for (const duplicate of await Promise.all(duplicates)) {
    assert.equal(duplicate.raw, raw);
    assert.equal(duplicate.headers['idempotent-replayed'], 'true');
  }
  assert.equal(calls.length, 1);
  assert.equal((await conversation.read()).body.query.guests, 2, 'the refused one changed nothing');
});

test('another caller gets through after one turn, however many searches one caller has waiting', {
  skip: perNode('searches wait for an operator in the line of their node'),
}, async (t) => {
  const { service, operator, calls, asked } = await setNarrowScene(t);
  const doorOf = (assistant: string) =>
    createInProcessTransport({
      serveOperation: service.serveOperation,
      caller: { assistant, address: '192.0.2.1' },
    });
  const [greedy, modest] = [doorOf('greedy'), doorOf('modest')];
  const nights = (number: number) => ({
    ...STAY,
    check_out: new Date(Date.parse(STAY.check_in_day) + (number + 1) * 86_400_000).toISOString().slice(0, 10),
  });
  const sessions = await Promise.all(Array.from({ length: 50 }, () => greedy.call('openSession')));
  const all = sessions.map(({ body }, number) =>
    greedy.call('search', nights(number), { token: body.session }),
  );
  await service.requestsInFlight(50);
  const token: string = (await modest.call('openSession')).body.session;
  const wanted = modest.call('search', { ...STAY, guests: '4' }, { token });
  await service.requestsInFlight(51);
  for (let turn = 0; turn < 3; turn += 1) {
    await asked(turn + 1);
    calls[turn]?.answer();
  }
  assert.equal((await wanted).body.object, 'search_result');
  const first = operator.asked.slice(0, 3).map(({ guests }) => guests);
  assert.ok(first.includes(4), `one of the first three calls is for the other caller: ${first}`);
  operator.misbehave = () => false;
  for (const { answer } of calls) answer();
  await Promise.all(all);
});
