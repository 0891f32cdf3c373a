import assert from 'node:assert/strict';
import { test } from 'node:test';
import { converse } from '../support/conversation.ts';
import { registryOf } from '../support/registry-of.ts';
import { setScene } from '../support/scene.ts';

const ENDPOINTS = [
  ['POST', '/ai/v1/auth'],
  ['GET', '/ai/v1/auth'],
  ['GET', '/ai/v1/search'],
  ['POST', '/ai/v1/search'],
  ['GET', '/ai/v1/result'],
  ['GET', '/ai/v1/schema'],
  ['GET', '/ai/v1/terms'],
] as const;
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

const ALPHA = {
  id: 'alpha',
  name: 'Alpha',
  status: 'approved',
  recognised_by: [{ user_agent: 'Alpha-User', ranges: ['203.0.113.0/24', '2001:db8:a::/48'] }],
};
const BETA = {
  id: 'beta',
  name: 'Beta',
  status: 'approved',
  recognised_by: [{ user_agent: 'Beta-User', ranges: ['203.0.113.0/24'] }],
};

test('where loopback is trusted, this machine may call and nobody else', async (t) => {
  const { service } = await setScene(t);
  for (const remoteAddress of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
    assert.equal((await service.call({ method: 'GET', url: '/ai/v1/terms', remoteAddress })).status, 200);
  }
  for (const remoteAddress of ['10.0.0.1', '192.168.1.1', '203.0.113.7', '::ffff:8.8.8.8', '2001:db8::1']) {
    for (const [method, url] of ENDPOINTS) {
      const answer = await service.call({ method, url, remoteAddress });
      assert.equal(answer.status, 403, `${method} ${url} from ${remoteAddress}`);
      assert.equal(answer.body.error, 'access_denied');
    }
  }
});

test('who is refused learns for whom the interface is, how to sign, and where to read more', async (t) => {
  const { service } = await setScene(t);
  const { headers, body } = await service.call({
    method: 'POST',
    url: '/ai/v1/search?session=x',
    remoteAddress: '203.0.113.7',
  });
  assert.deepEqual(body, {
    api_version: '2026-11-01',
    status: 403,
    endpoint: '/ai/v1/search',
    method: 'POST',
    error: 'access_denied',
    message: 'This interface is for approved AI assistants.',
    access: { audience: 'ai_assistants', end_user_access: false },
    help_url: '/for-assistants',
    schema_url: '/ai/v1/schema',
    terms_url: '/ai/v1/terms',
    self_url: '/ai/v1/search',
  });
  assert.match(String(headers['accept-signature']), /tag="web-bot-auth"/);
  assert.equal(headers.link, '</for-assistants>; rel="help"');
});

test('a listed proxy is believed about who called', async (t) => {
  const { service } = await setScene(t, {
    registry: registryOf(ALPHA),
    settings: { trustedProxies: ['10.0.0.0/8'] },
  });
  const agent = { 'user-agent': 'Mozilla/5.0 (compatible; Alpha-User/1.0)' };
  const call = (remoteAddress: string, headers: Record<string, string>) =>
    service.call({ method: 'GET', url: '/ai/v1/terms', remoteAddress, headers: { ...agent, ...headers } });
  assert.equal((await call('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).status, 200);
  assert.equal((await call('10.0.0.1', { forwarded: 'for="203.0.113.9:4711"' })).status, 200);
  assert.equal((await call('10.0.0.1', { 'x-forwarded-for': '203.0.113.9, 10.9.9.9' })).status, 200);
  assert.equal((await call('10.0.0.1', { 'x-forwarded-for': '198.51.100.1' })).status, 403);
  assert.equal(
    (await call('10.0.0.1', { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' })).status,
    403,
    'what an unlisted hop wrote is not believed',
  );
  assert.equal((await call('10.0.0.1', { 'x-forwarded-for': 'nonsense' })).status, 403);
  assert.equal((await call('198.51.100.1', { 'x-forwarded-for': '203.0.113.9' })).status, 403);
});

test('a registered assistant is known by its User-Agent token and its published ranges, together', async (t) => {
  const { service } = await setScene(t, { registry: registryOf(ALPHA) });
  const call = (remoteAddress: string, userAgent: string) =>
    service.call({
      method: 'GET',
      url: '/ai/v1/terms',
      remoteAddress,
      headers: { 'user-agent': userAgent },
    });
  assert.equal((await call('203.0.113.9', 'Alpha-User/1.0')).status, 200);
  assert.equal((await call('2001:db8:a:1::9', 'alpha-user')).status, 200);
  assert.equal((await call('203.0.113.9', 'curl/8')).status, 403);
  assert.equal((await call('203.0.113.9', 'Not-Alpha-Users/1.0')).status, 403);
  assert.equal((await call('198.51.100.9', 'Alpha-User/1.0')).status, 403);
  assert.equal(
    (await call('127.0.0.1', 'Alpha-User/1.0')).status,
    403,
    'with a registry, loopback is nobody',
  );
});

test('a refusal is the same bytes whether or not the session exists', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  const unknown = `ses_${'B'.repeat(43)}`;
  for (const path of ['/ai/v1/result', '/ai/v1/search']) {
    for (const headers of [NAVIGATION, { 'x-forwarded-for': '203.0.113.7' }]) {
      const known = await service.get(`${path}?session=${conversation.token}`, headers);
      const other = await service.get(`${path}?session=${unknown}`, headers);
      assert.equal(known.status, 403);
      assert.equal(known.raw, other.raw);
    }
  }
});

test('the gate stands before everything else: body, key, version, method, path', async (t) => {
  const { service } = await setScene(t);
  const remoteAddress = '203.0.113.7';
  for (const [method, url, payload] of [
    ['POST', '/ai/v1/auth', '{broken'],
    ['POST', '/ai/v1/search?idempotency_key=not%20valid', '{}'],
    ['GET', '/ai/v1/terms?api_version=1999-01-01', ''],
    ['DELETE', '/ai/v1/search', ''],
    ['GET', '/ai/v1/nowhere', ''],
    ['GET', '/%61i/v1/terms', ''],
    ['GET', '/ai/v1/%zz', ''],
    ['POST', '/ai/v1/auth', `{"source":"${'x'.repeat(20_000)}"}`],
  ] as const) {
    const { status } = await service.call({
      method,
      url,
      remoteAddress,
      ...(payload === '' ? {} : { payload, headers: { 'content-type': 'application/json' } }),
    });
    assert.equal(status, 403, `${method} ${url}`);
  }
});

test('a session belongs to the assistant that opened it; for another it does not exist', async (t) => {
  const { service } = await setScene(t, {
    registry: registryOf(ALPHA, BETA),
    settings: { trustedProxies: ['127.0.0.1'] },
  });
  const as = (agent: string) => ({ 'user-agent': agent, 'x-forwarded-for': '203.0.113.9' });
  const conversation = await converse(service, 'acme', as('Alpha-User/1.0'));
  await conversation.search();
  const own = await conversation.result();
  assert.equal(own.status, 200);

  const foreign = await service.get(`/ai/v1/result?session=${conversation.token}`, as('Beta-User/1.0'));
  const unknown = await service.get(`/ai/v1/result?session=ses_${'C'.repeat(43)}`, as('Beta-User/1.0'));
  assert.equal(foreign.status, 404);
  assert.equal(foreign.body.error, 'session_not_found');
  assert.equal(foreign.raw, unknown.raw, 'nobody learns that it exists');
  const changed = await service.post(conversation.address(), { guests: 3 }, as('Beta-User/1.0'));
  assert.deepEqual([changed.status, changed.body.error], [200, 'session_not_found']);
  assert.equal((await conversation.result()).raw, own.raw);
});
