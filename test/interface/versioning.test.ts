import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScene } from '../support/scene.ts';

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
