import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAgainstContract } from '../support/contract-check.ts';
import { exchange } from '../support/raw-http.ts';
import { setScene } from '../support/scene.ts';

const PATHS = ['/ai/v1/auth', '/ai/v1/search', '/ai/v1/result', '/ai/v1/schema', '/ai/v1/terms'] as const;

test('a page on a name that was rebound to this machine gets nothing, whatever it asks for', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const stranger = await service.call({
    method: 'GET',
    url: '/ai/v1/result',
    remoteAddress: '203.0.113.9',
  });
  for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost:x']) {
    for (const url of [
      ...PATHS,
      '/',
      '/?source=acme',
      '/nothing',
      `/ai/v1/result?session=${conversation.token}`,
    ]) {
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        const { status, body } = await service.call({ method, url, headers: { host } });
        assert.deepEqual(
          [status, body.error, body.reason],
          [403, 'access_denied', undefined],
          `${host} ${url}`,
        );
      }
    }
    const refused = await service.get('/ai/v1/result', { host });
    assert.equal(refused.raw, stranger.raw, 'the same bytes as for any other stranger');
    for (const url of ['/healthz', '/readyz']) {
      assert.equal((await service.get(url, { host })).status, 200, `a health check names any host: ${host}`);
    }
  }
});

test('the service answers under its own names', async (t) => {
  const { service } = await setScene(t, {
    settings: { publicUrl: 'https://stays.example', hosts: ['staywire'] },
  });
  for (const host of [
    'localhost',
    '127.0.0.1:8080',
    '[::1]:8080',
    'stays.example',
    'staywire:8080',
    '10.1.2.3',
  ]) {
    assert.equal((await service.get('/ai/v1/terms', { host })).status, 200, host);
    assert.equal((await service.get('/', { host })).status, 200, host);
  }
});

test('a request without a host, with two, or with another one in its target is refused in the shape of the contract', async (t) => {
  const { service } = await setScene(t);
  const origin = await service.listen();
  const ask = async (request: string, ...headers: string[]) => {
    const answer = await exchange(origin, [[request, ...headers, 'Connection: close', '', ''].join('\r\n')]);
    const path = request.split(' ')[1]?.replace(/^https?:\/\/[^/]*/, '') || '/';
    return {
      status: answer.status,
      raw: answer.raw,
      body: checkAgainstContract({ method: 'GET', url: path }, answer),
    };
  };
  const refusals = [
    ['GET /ai/v1/terms HTTP/1.1'],
    ['GET /ai/v1/terms HTTP/1.0'],
    ['GET / HTTP/1.0'],
    ['GET / HTTP/1.1', 'Host:'],
    ['GET /ai/v1/terms HTTP/1.1', 'Host: localhost', 'Host: localhost'],
    ['GET /ai/v1/terms HTTP/1.1', 'Host: localhost', 'host: evil.example'],
    ['GET /ai/v1/terms HTTP/1.1', 'Host: evil.example', 'Host: localhost'],
    ['GET http://evil.example/ai/v1/terms HTTP/1.1', 'Host: localhost'],
    ['GET http://evil.example/ HTTP/1.1', 'Host: localhost'],
    ['GET http://evil.example HTTP/1.1', 'Host: localhost'],
    ['GET http://localhost/ai/v1/terms HTTP/1.1', 'Host: evil.example'],
  ] as const;
  for (const [request, ...headers] of refusals) {
    const { status, raw, body } = await ask(request, ...headers);
    assert.deepEqual([status, body.error], [403, 'access_denied'], request);
    assert.doesNotMatch(raw, /evil/);
  }
  assert.equal((await ask('GET /healthz HTTP/1.0')).status, 200);
  assert.equal((await ask('GET /healthz HTTP/1.1')).status, 200);
  assert.equal((await ask('GET /ai/v1/terms HTTP/1.0', 'Host: localhost')).status, 200);
});

test('no answer repeats an address that the caller made up', async (t) => {
  const { service } = await setScene(t, { settings: { publicUrl: 'https://stays.example' } });
  const origin = await service.listen();
  for (const method of ['GET', 'POST', 'PUT', 'OPTIONS', 'EVIL']) {
    for (const target of [
      '//evil.example/ai/v1/auth',
      '/ai/v1//evil.example',
      '/ai/v1/auth//evil.example',
      '/\\evil.example',
      '/%5cevil.example',
      '/ai/v1/%0aevil.example',
      '/ai/v1/%zzevil.example',
      'http://localhost/evil.example',
      'http://localhost/ai/v1/evil.example',
      'http://evil.example/ai/v1/evil.example',
      'http://evil.example/nothing',
      'evil.example:443',
      '*evil.example',
    ]) {
      const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      const { status, raw, headers } = await exchange(origin, [head]);
      assert.ok(status >= 400 && status < 500, `${method} ${target}: ${status}`);
      assert.doesNotMatch(raw + JSON.stringify(headers), /evil/i, `${method} ${target}`);
    }
  }
});

test('a request that a page sends is a person’s, whatever the method, also on this machine', async (t) => {
  const { service } = await setScene(t);
  const fromPages: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:8080' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-dest': 'image' },
  ];
  for (const headers of fromPages) {
    for (const url of PATHS) {
      for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS'] as const) {
        const answer = await service.call({ method, url, headers });
        assert.equal(answer.status, 403, `${method} ${url} ${JSON.stringify(headers)}`);
        if (method !== 'HEAD') assert.equal(answer.body.reason, 'end_user_access');
        const granted = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
        assert.deepEqual(granted, []);
      }
    }
    assert.equal(
      (await service.get('/', { ...headers, accept: 'text/html' })).status,
      200,
      'the entry is public',
    );
  }
  const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  for (const url of ['/', '/healthz', '/ai/v1/auth', '/nothing']) {
    const { headers } = await service.call({ method: 'OPTIONS', url, headers: preflight });
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('access-control-')),
      [],
    );
  }
});

test('no answer can be framed, sniffed or loaded into another site’s page', async (t) => {
  const { service } = await setScene(t);
  for (const [url, accept] of [
    ['/', 'text/html'],
    ['/', 'text/markdown'],
    ['/', 'application/json'],
    ['/healthz', '*/*'],
    ['/nothing', '*/*'],
    ['/ai/v1/auth', '*/*'],
    ['/ai/v1/terms', '*/*'],
    ['/ai/v1/result', '*/*'],
  ] as const) {
    const { headers } = await service.get(url, { accept });
    assert.match(
      String(headers['content-security-policy']),
      /default-src 'none'.*frame-ancestors 'none'/,
      url,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff', url);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', url);
    assert.equal(headers['referrer-policy'], 'no-referrer', url);
  }
});

test('every sign of a proxy that nobody listed closes the way by address', async (t) => {
  const { service } = await setScene(t);
  for (const name of [
    'cf-connecting-ip',
    'cdn-loop',
    'true-client-ip',
    'x-envoy-external-address',
    'fly-client-ip',
    'x-forwarded-anything',
  ]) {
    const { status, body } = await service.get('/ai/v1/terms', { [name]: '127.0.0.1' });
    assert.deepEqual([status, body.error], [403, 'access_denied'], name);
  }
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  assert.equal((await service.get('/ai/v1/terms', trace)).status, 200);
});

test('of an address that is not ours, the log holds nothing that the caller wrote', async (t) => {
  const { service, open } = await setScene(t);
  const { token } = await open();
  const encoded = [...token].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  service.logLines.length = 0;
  const asked = [
    [`/ai/v1/${token}`, '/ai/*'],
    [`/ai/v1/%73${token.slice(1)}`, '/ai/*'],
    [`/ai/v1/${encoded}`, '/ai/*'],
    [`/${encoded.replaceAll('%', '%25')}`, '*'],
    ['/evil.example', '*'],
    ['/ai/v1/search', '/ai/v1/search'],
    ['/%61i/v1/terms', '/ai/v1/terms'],
    ['/healthz?x=evil', '/healthz'],
  ] as const;
  for (const [url] of asked) await service.call({ method: 'GET', url });
  await service.call({ method: 'DELETE', url: '/ai/v1/search' });
  await service.call({ method: 'DELETE', url: '/readyz' });
  const lines = service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  assert.deepEqual(
    lines.map(({ path }) => path),
    [...asked.map(([, path]) => path), '/ai/v1/search', '/readyz'],
  );
  assert.doesNotMatch(service.logLines.join(''), /evil|%73|ses_/);
});

test('with a public address, what is followed is absolute and what names a resource stays relative', async (t) => {
  const { service, open } = await setScene(t, { settings: { publicUrl: 'https://stays.example' } });
  const conversation = await open('acme');
  const { token, opened } = conversation;
  assert.equal(
    opened.body.next_request.url,
    `https://stays.example/ai/v1/search?session=${token}&idempotency_key=sw.0.read`,
  );
  assert.equal(opened.body.self_url, '/ai/v1/auth');
  const step = await conversation.read();
  assert.match(step.body.next_request.url, /^https:\/\/stays\.example\/ai\/v1\/search\?/);
  for (const { url } of step.body.available_requests)
    assert.match(url, /^https:\/\/stays\.example\/ai\/v1\//);
  assert.deepEqual(
    [step.body.self_url, step.body.schema_url, step.body.terms_url],
    [`/ai/v1/search?session=${token}`, '/ai/v1/schema', '/ai/v1/terms'],
  );
  const { body } = await conversation.search();
  assert.match(body.available_requests.refine.href, /^https:\/\/stays\.example\/ai\/v1\/search\?session=/);
  assert.equal(body.available_requests.refine.path, '/ai/v1/search');
  assert.equal(body.self_url, `/ai/v1/result?session=${token}`);
  const lost = await service.get('/ai/v1/result');
  assert.equal(lost.body.next_request.url, 'https://stays.example/ai/v1/auth');
});

test('the Host header never decides an address', async (t) => {
  const { service } = await setScene(t);
  const { body } = await service.post('/ai/v1/auth', {}, { 'x-forwarded-host': 'evil.example' });
  assert.equal(body.error, 'access_denied', 'X-Forwarded-Host is the mark of a proxy that nobody listed');
  const direct = await service.post('/ai/v1/auth', {}, { host: 'app.localhost:4711' });
  assert.match(direct.body.next_request.url, /^\/ai\/v1\/search\?session=ses_/);
});
