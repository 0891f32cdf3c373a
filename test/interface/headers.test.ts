import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScene } from '../support/scene.ts';
import type { TestAnswer } from '../support/test-service.ts';

function holdStandardHeaders({ headers }: TestAnswer, about: string): void {
  assert.equal(headers['content-type'], 'application/json', about);
  assert.equal(headers['x-ratelimit-limit'], '600', about);
  assert.match(String(headers['x-ratelimit-remaining']), /^\d+$/, about);
  assert.equal(
    headers['x-ratelimit-reset'],
    '1803902460',
    `${about}: 60 s after the first request, in epoch seconds`,
  );
  assert.equal(headers['x-api-version'], '2026-11-01', about);
  assert.match(String(headers['x-request-id']), /^req_[A-Za-z0-9_-]{16}$/, about);
}

test('every header is on every answer, errors included', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open('acme');
  await conversation.search();
  const session = `session=${conversation.token}`;
  const key = { 'idempotency-key': 'a-key-of-mine-0001' };
  const json = { 'content-type': 'application/json', ...key };
  const answers: Record<string, TestAnswer> = {
    auth: await service.post('/ai/v1/auth', {}, key),
    'auth, unknown source': await service.post('/ai/v1/auth', { source: 'nobody' }, key),
    'auth, malformed': await service.post('/ai/v1/auth', '{', key),
    'auth, media type': await service.post('/ai/v1/auth', 'x', { ...key, 'content-type': 'text/plain' }),
    'auth, method': await service.call({ method: 'PUT', url: '/ai/v1/auth', headers: key }),
    step: await service.post(`/ai/v1/search?${session}`, {}, key),
    'search, malformed': await service.post(`/ai/v1/search?${session}`, '{', key),
    'search, no session': await service.post('/ai/v1/search', {}, key),
    'search, invalid value': await service.post(`/ai/v1/search?${session}`, { guests: 99 }, key),
    'search, too large': await service.call({
      method: 'POST',
      url: `/ai/v1/search?${session}`,
      headers: json,
      payload: `{"guests":"${'9'.repeat(17_000)}"}`,
    }),
    result: await service.get(`/ai/v1/result?${session}`, key),
    'result, no session': await service.get('/ai/v1/result', key),
    schema: await service.get('/ai/v1/schema', key),
    terms: await service.get('/ai/v1/terms', key),
    version: await service.get('/ai/v1/terms', { ...key, 'x-api-version': '1999-01-01' }),
    'not found': await service.get('/ai/v1/nothing', key),
    denied: await service.call({
      method: 'GET',
      url: '/ai/v1/terms',
      headers: key,
      remoteAddress: '203.0.113.5',
    }),
    browser: await service.get('/ai/v1/terms', {
      ...key,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }),
  };
  for (const [about, answer] of Object.entries(answers)) {
    holdStandardHeaders(answer, about);
    assert.equal(answer.headers['idempotency-key'], 'a-key-of-mine-0001', `${about}: a valid key is echoed`);
  }
  const ids = Object.values(answers).map(({ headers }) => headers['x-request-id']);
  assert.equal(new Set(ids).size, ids.length, 'every request has an identifier of its own');
});

test('a key is echoed from the query as well, and none is made up', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  for (const key of ['k.1:~-_', '"quoted"', 'with space, and comma', '{"a":1}']) {
    const named = await conversation.read({ idempotency_key: key });
    assert.equal(named.headers['idempotency-key'], key);
    const sent = await service.get(conversation.address(), { 'idempotency-key': key });
    assert.equal(sent.headers['idempotency-key'], key);
  }
  const none = await conversation.read();
  assert.equal('idempotency-key' in none.headers, false);
  const invalid = await service.get(conversation.address(), { 'idempotency-key': 'k'.repeat(256) });
  assert.equal('idempotency-key' in invalid.headers, false);
});

test('nothing with a session is stored by anyone in between', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  for (const answer of [
    conversation.opened,
    await conversation.read(),
    await conversation.result(),
    await service.get('/ai/v1/result?session=x'),
    await service.get('/ai/v1/nothing'),
  ]) {
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(
      answer.headers['referrer-policy'],
      'no-referrer',
      'a token in an address must not travel on',
    );
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  }
});

test('the identifier of a request is found in the log', async (t) => {
  const { service } = await setScene(t);
  const { headers } = await service.get('/ai/v1/terms');
  const lines = service.logLines.filter((line) => line.includes(String(headers['x-request-id'])));
  assert.equal(lines.length, 1);
});

test('the version is a date in every body and every header', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  for (const { headers, body } of [
    conversation.opened,
    await conversation.read(),
    await conversation.search(),
    await conversation.result(),
    await service.get('/ai/v1/schema'),
    await service.get('/ai/v1/terms'),
    await service.get('/ai/v1/nowhere'),
  ]) {
    assert.equal(headers['x-api-version'], '2026-11-01');
    assert.equal(body.api_version, '2026-11-01');
  }
});

test('a request may pin the version by header or by query', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const pinned = { 'x-api-version': '2026-11-01' };
  assert.equal((await service.post('/ai/v1/auth', {}, pinned)).status, 200);
  assert.equal((await service.get('/ai/v1/terms?api_version=2026-11-01')).status, 200);
  assert.equal((await conversation.read({ api_version: '2026-11-01' })).body.error, 'incomplete_payload');
  assert.equal((await service.get(conversation.address(), pinned)).body.error, 'incomplete_payload');
});

test('a version that is not supported is refused with those that are, and nothing is done', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  for (const version of ['2025-01-01', '2026-11-02', 'latest', '', 'v1', '2026-11-01 ']) {
    const query = new URLSearchParams({ api_version: version });
    for (const path of ['/ai/v1/terms', '/ai/v1/schema', '/ai/v1/result']) {
      const { status, body } = await service.get(`${path}?${query}`);
      assert.equal(status, 400, `${path} ${version}`);
      assert.equal(body.error, 'unsupported_version');
      assert.deepEqual(body.supported_versions, ['2026-11-01']);
    }
    const search = await service.post(conversation.address({ api_version: version }), {
      destination: 'lisbon-pt',
    });
    assert.deepEqual([search.status, search.body.error], [200, 'unsupported_version']);
    assert.deepEqual(search.body.supported_versions, ['2026-11-01']);
  }
  const byHeader = await service.post('/ai/v1/auth', {}, { 'x-api-version': '2025-01-01' });
  assert.equal(byHeader.status, 400);
  assert.equal('session' in byHeader.body, false);
  assert.deepEqual((await conversation.read()).body.received, {});
});

test('one good and one bad version do not agree', async (t) => {
  const { service } = await setScene(t);
  const { body } = await service.get('/ai/v1/terms?api_version=2026-11-01', {
    'x-api-version': '2024-01-01',
  });
  assert.equal(body.error, 'unsupported_version');
});
