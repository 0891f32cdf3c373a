import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import { converse, STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';
import type { TestAnswer } from '../support/test-service.ts';

const rateOf = ({ headers }: TestAnswer) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
});

test('600 requests in 60 seconds, counted down one by one', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  service.time.now += 500;
  for (const remaining of ['599', '598', '597']) {
    const answer = await conversation.read();
    assert.deepEqual(rateOf(answer), { limit: '600', remaining, reset: '1803902461' });
  }
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

test('what was refused was not carried out, and the window ends when it said it would', async (t) => {
  const { service, open } = await setScene(t, { settings: { rateLimit: 2 } });
  const conversation = await open();
  await conversation.read();
  await conversation.read();
  for (let knocking = 0; knocking < 5; knocking += 1) {
    service.time.now += 10_000;
    assert.equal((await conversation.send({ destination: 'lisbon-pt' })).body.error, 'rate_limited');
  }
  service.time.now += 9999;
  assert.equal((await conversation.read()).headers['retry-after'], '1');
  service.time.now += 1;
  const { body, headers } = await conversation.read();
  assert.equal(body.error, 'incomplete_payload', 'knocking has not extended the window');
  assert.deepEqual(body.received, {});
  assert.equal(headers['x-ratelimit-remaining'], '1');
  assert.equal(headers['x-ratelimit-reset'], '1803902520', 'a new window of 60 s from here');
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

test('a session that has ended counts for its caller again', async (t) => {
  const { service, open } = await setScene(t, { settings: { rateLimit: 4, sessionMinutes: 1 } });
  const conversation = await open();
  service.time.now += 60_000;
  const terms = await service.get('/ai/v1/terms');
  const ended = await conversation.read();
  assert.equal(ended.body.error, 'session_expired');
  assert.equal(
    Number(ended.headers['x-ratelimit-remaining']),
    Number(terms.headers['x-ratelimit-remaining']) - 1,
  );
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

test('reads are refused last: someone has already worked for them', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  service.load.lagMs = 500;
  assert.equal((await conversation.read()).body.error, 'overloaded');
  assert.equal((await conversation.result()).status, 200);
  service.load.lagMs = 2000;
  assert.equal((await conversation.result()).status, 503);
});
