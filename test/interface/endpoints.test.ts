import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScene } from '../support/scene.ts';

test('GET and POST do the same on search', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open('acme');
  const got = await service.get(conversation.address());
  for (const posted of [
    await service.post(conversation.address(), {}),
    await service.post(conversation.address()),
    await service.post(conversation.address(), ''),
  ]) {
    assert.deepEqual({ ...posted.body, method: '' }, { ...got.body, method: '' });
  }
  assert.equal(got.body.method, 'GET');
  const one = await open('acme');
  const other = await open('acme');
  const byGet = await one.read({ field: 'brand_locked', value: 'false' });
  const byPost = await other.send({ brand_locked: false });
  assert.deepEqual(
    { ...byGet.body, method: '' },
    { ...JSON.parse(byPost.raw.replaceAll(other.token, one.token)), method: '' },
  );
});

test('a value in the body wins over one in the query; an empty body lets the query speak', async (t) => {
  const { service, open } = await setScene(t);
  const byQuery = { field: 'destination', value: 'lisbon-pt' };
  const first = await open();
  const empty = await service.post(first.address(byQuery), {});
  assert.deepEqual(empty.body.received, { destination: 'lisbon-pt' });
  for (const sent of [{ destination: 'porto-pt' }, { field: 'destination', value: 'porto-pt' }]) {
    const { body } = await service.post((await open()).address(byQuery), sent);
    assert.deepEqual(body.received, { destination: 'porto-pt' });
  }
  const other = await service.post((await open()).address(byQuery), { guests: 2 });
  assert.deepEqual(other.body.received, { guests: '2' });
});

test('parameters that the interface does not know are ignored', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).read({ utm_source: 'x', page: '2' });
  assert.equal(body.error, 'incomplete_payload');
});

test('what an address does not take is refused with the methods that it takes', async (t) => {
  const { service } = await setScene(t);
  const cases = [
    ['/ai/v1/auth', ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'POST'],
    ['/ai/v1/search', ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'POST, GET'],
    ['/ai/v1/result', ['POST', 'PUT', 'DELETE', 'OPTIONS'], 'GET, HEAD'],
    ['/ai/v1/schema', ['POST', 'PUT', 'DELETE'], 'GET, HEAD'],
    ['/ai/v1/terms', ['POST', 'PUT', 'DELETE'], 'GET, HEAD'],
    ['/healthz', ['POST', 'DELETE'], 'GET, HEAD'],
  ] as const;
  for (const [url, methods, allow] of cases) {
    for (const method of methods) {
      const { status, headers, body } = await service.call({ method, url });
      assert.equal(status, 405, `${method} ${url}`);
      assert.equal(headers.allow, allow, `${method} ${url}`);
      if (method !== 'HEAD') assert.equal(body.error, 'method_not_allowed');
    }
  }
});

test('HEAD answers like GET, without the body, where GET only reads', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  const origin = await service.listen();
  for (const path of [
    '/ai/v1/schema',
    '/ai/v1/terms',
    `/ai/v1/result?session=${conversation.token}`,
    '/healthz',
  ]) {
    const response = await fetch(origin + path, { method: 'HEAD' });
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(await response.text(), '');
  }
});

test('an address that is not part of the interface', async (t) => {
  const { service } = await setScene(t);
  for (const url of [
    '/ai/v1',
    '/ai/v1/',
    '/ai/v1/search/',
    '/ai/v2/search',
    '/ai/v1/AUTH',
    '/nothing',
    '/ai',
  ]) {
    for (const method of ['GET', 'POST'] as const) {
      const { status, body } = await service.call({ method, url });
      assert.equal(status, 404, `${method} ${url}`);
      assert.equal(body.error, 'not_found');
      assert.equal(body.terms_url, '/ai/v1/terms');
    }
  }
});

test('health checks are open to anyone', async (t) => {
  const { service } = await setScene(t);
  for (const [url, status] of [
    ['/healthz', 'alive'],
    ['/readyz', 'ready'],
  ] as const) {
    const answer = await service.call({ method: 'GET', url, remoteAddress: '203.0.113.9' });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { status });
  }
});

test('a service that has nothing to search is alive but not ready', async (t) => {
  const { service, open } = await setScene(t, { brands: { acme: { properties: [] } } });
  assert.equal((await service.get('/healthz')).status, 200);
  assert.equal((await service.get('/readyz')).status, 503);
  const { status, headers, body } = await (await open('acme')).read();
  assert.equal(status, 200);
  assert.equal(body.error, 'upstream_unavailable');
  assert.equal(headers['retry-after'], '30');
});

test('the entry lists the sources and shows the call that starts', async (t) => {
  const { service } = await setScene(t);
  const plain = await service.get('/', { accept: 'application/json' });
  assert.deepEqual(plain.body.sources, [{ source: 'acme', name: 'Brand acme', single_location: false }]);
  const named = await service.get('/?source=acme', { accept: 'application/json' });
  assert.equal(named.body.source, 'acme');
  assert.deepEqual(named.body.start.body, { source: 'acme' });
});
