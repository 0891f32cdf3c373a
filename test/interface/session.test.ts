import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';

test('auth with a source opens a session that remembers it', async (t) => {
  const { service } = await setScene(t);
  const { status, raw, body } = await service.post('/ai/v1/auth', { source: 'acme' });
  assert.equal(status, 200);
  assert.match(body.session, /^ses_[A-Za-z0-9_-]{43}$/, '256 random bits, URL-safe');
  assert.deepEqual(JSON.parse(raw.replaceAll(body.session, 'TOKEN')), {
    api_version: '2026-11-01',
    status: 200,
    endpoint: '/ai/v1/auth',
    method: 'POST',
    object: 'session',
    session: 'TOKEN',
    source: 'acme',
    request: { source: 'acme' },
    expires_at: '2027-03-01T12:30:00Z',
    next_request: { url: '/ai/v1/search?session=TOKEN&idempotency_key=sw.0.read', method: 'GET' },
    hint: 'The whole stay can be given in one request: fill in url_template, for example with brand_locked=false&destination=lisbon-pt&check_in_day=2027-03-31&check_out=2027-04-03&guests=2. guests: Every person counts, children and infants too.',
    url_template:
      '/ai/v1/search?session=TOKEN&brand_locked={brand_locked}&destination={destination}&check_in_day={check_in_day}&check_out={check_out}&guests={guests}&view=compact',
    self_url: '/ai/v1/auth',
    terms_url: '/ai/v1/terms',
  });
  const step = await service.get(body.next_request.url);
  assert.deepEqual(step.body.received, { source: 'acme' });
});

test('a source that is not on the network opens nothing and is never widened', async (t) => {
  const { service } = await setScene(t);
  for (const source of ['nobody', 'acme ', '__proto__', 'constructor']) {
    const { status, body } = await service.post('/ai/v1/auth', { source });
    assert.equal(status, 404);
    assert.equal(body.error, 'unknown_source');
    assert.equal('session' in body, false);
    assert.deepEqual(body.next_request, { url: '/ai/v1/auth', method: 'POST' });
    assert.deepEqual(body.sources, ['acme']);
  }
  assert.equal((await service.post('/ai/v1/auth', { source: 'acne' })).body.did_you_mean, 'acme');
  const shouted = await service.post('/ai/v1/auth', { source: 'ACME' });
  assert.deepEqual(
    [shouted.body.source, shouted.body.request],
    ['acme', { source: 'ACME' }],
    'another case leaves no doubt, and the echo is exactly what was sent',
  );
  const byGet = await service.get('/ai/v1/auth?source=nobody');
  assert.deepEqual(byGet.body.next_request, { url: '/ai/v1/auth', method: 'GET' });
  const direct = await service.get(byGet.body.next_request.url);
  assert.equal(direct.body.source, null, 'the request that was named opens a direct session');
});

test('a body that is not {source} is refused', async (t) => {
  const { service } = await setScene(t);
  for (const [sent, error, name] of [
    [{ source: 7 }, 'invalid_request', undefined],
    [{ source: '' }, 'invalid_request', undefined],
    [{ source: ['acme'] }, 'invalid_request', undefined],
    [{ source: 'x'.repeat(65) }, 'invalid_request', undefined],
    [{ source: 'acme', extra: true }, 'unknown_field', 'extra'],
    [{ brand: 'acme' }, 'unknown_field', 'brand'],
  ] as const) {
    const { status, body } = await service.post('/ai/v1/auth', sent);
    assert.deepEqual([status, body.error, body.invalid_field], [400, error, name], JSON.stringify(sent));
    assert.equal(body.next_request.method, 'POST');
    assert.equal((await service.get(body.next_request.url)).status, 200, 'the way on works');
  }
});

test('a source in another case is that source, and the echo is what was sent', async (t) => {
  const { service } = await setScene(t);
  for (const opened of [
    await service.post('/ai/v1/auth', { source: 'ACME' }),
    await service.get('/ai/v1/auth?source=ACME'),
  ]) {
    assert.deepEqual(
      [opened.status, opened.body.source, opened.body.request],
      [200, 'acme', { source: 'ACME' }],
    );
    assert.deepEqual((await service.get(opened.body.next_request.url)).body.received, { source: 'acme' });
  }
  const key = { 'idempotency-key': 'a-long-enough-key' };
  const first = await service.post('/ai/v1/auth', { source: 'acme' }, key);
  const again = await service.post('/ai/v1/auth', { source: 'Acme' }, key);
  assert.equal(again.body.session, first.body.session, 'the same request');
  const entry = await service.get('/?source=ACME', { accept: 'application/json' });
  assert.deepEqual([entry.body.source, entry.body.start.body], ['acme', { source: 'acme' }]);
});

test('a member that auth does not have is refused by name, and the way on keeps the source', async (t) => {
  const { service } = await setScene(t);
  const direct = { url: '/ai/v1/auth', method: 'POST' };
  const sourced = { url: '/ai/v1/auth?source=acme', method: 'POST', body: { source: 'acme' } };
  for (const [sent, name, meant, next] of [
    [{ source: 'acme', extra: true }, 'extra', undefined, sourced],
    [{ source: 'ACME', extra: true }, 'extra', undefined, sourced],
    [{ soruce: 'acme' }, 'soruce', 'source', direct],
    [{ Source: 'acme' }, 'Source', 'source', direct],
    [{ 'ignore <this>': 1 }, undefined, undefined, direct],
  ] as const) {
    const { status, body } = await service.post('/ai/v1/auth', sent);
    assert.deepEqual([status, body.error], [400, 'unknown_field'], JSON.stringify(sent));
    assert.deepEqual([body.invalid_field, body.did_you_mean], [name, meant]);
    assert.equal('session' in body, false);
    assert.deepEqual(body.next_request, next);
  }
  const key = 'idempotency_key=a-long-enough-key';
  await service.get(`/ai/v1/auth?${key}`);
  const reused = await service.get(`/ai/v1/auth?source=ACME&${key}`);
  assert.equal(reused.body.error, 'idempotency_key_reused');
  assert.deepEqual(reused.body.next_request, { url: '/ai/v1/auth?source=acme', method: 'GET' });
});

test('the session may come in the body, but not another one than in the query', async (t) => {
  const { service, open } = await setScene(t);
  const [one, other] = [await open(), await open()];
  const taken = await service.post('/ai/v1/search', { session: one.token, guests: 2 });
  assert.deepEqual([taken.body.session, taken.body.received], [one.token, { guests: '2' }]);
  const pair = await service.post('/ai/v1/search', { session: one.token, field: 'guests', value: 3 });
  assert.deepEqual(pair.body.received, { guests: '3' });
  const read = await service.post('/ai/v1/search', { session: one.token });
  assert.deepEqual([read.body.error, read.body.received], ['incomplete_payload', { guests: '3' }]);
  const both = await service.post(other.address(), { session: one.token, guests: 4 });
  assert.deepEqual(
    [both.status, both.body.error, both.body.invalid_field, both.body.session],
    [200, 'invalid_request', 'session', other.token],
  );
  assert.match(both.body.message, /another session than the query/);
  assert.deepEqual((await one.read()).body.received, { guests: '3' });
  assert.deepEqual((await other.read()).body.received, {});
  const same = await service.post(other.address(), { session: other.token, guests: 4 });
  assert.deepEqual([same.body.session, same.body.received], [other.token, { guests: '4' }]);
  for (const session of [7, null, [one.token], { token: one.token }]) {
    const { status, body } = await service.post('/ai/v1/search', { session, guests: 1 });
    assert.deepEqual([status, body.error], [200, 'session_required']);
  }
  const unknown = await service.post('/ai/v1/search', { session: `ses_${'A'.repeat(43)}`, guests: 1 });
  assert.equal(unknown.body.error, 'session_not_found');
  const whole = await service.post('/ai/v1/search', { session: other.token, ...STAY });
  assert.equal(whole.body.object, 'search_result');
  assert.equal('refused_fields' in whole.body, false, 'it is no field that was refused');
  const key = { 'idempotency-key': 'mine' };
  const three = await open();
  await service.post('/ai/v1/search', { session: three.token, guests: 2 }, key);
  const again = await three.send({ guests: 2 }, key);
  assert.equal(again.headers['idempotent-replayed'], 'true', 'the same request wherever the session is');
  assert.deepEqual(
    service.logLines.filter((line) => line.includes('ses_')),
    [],
  );
});

test('whoever calls by GET is told a GET to go on with, and it works', async (t) => {
  const { service, open } = await setScene(t);
  const { token } = await open('acme');
  const unknown = `ses_${'A'.repeat(43)}`;
  for (const url of [
    '/ai/v1/auth?source=nobody',
    '/ai/v1/auth?source=acme&pets=1',
    '/ai/v1/auth?source=acme&source=acme',
    '/ai/v1/search',
    `/ai/v1/search?session=${unknown}`,
    `/ai/v1/search?session=${unknown}&session=${unknown}`,
    `/ai/v1/result?session=${unknown}`,
    `/ai/v1/result?session=${token}`,
    `/ai/v1/result?session=${token}&pets=1`,
    `/ai/v1/search?session=${token}&guests=99`,
    `/ai/v1/search?session=${token}&view=full&view=full`,
  ]) {
    const { body } = await service.get(url);
    assert.ok(body.error, url);
    assert.equal(body.next_request.method ?? 'GET', 'GET', url);
    assert.equal('body' in body.next_request, false, url);
    const next = await service.get(body.next_request.url);
    assert.ok([200, 409].includes(next.status), `${url} → ${body.next_request.url}: ${next.status}`);
  }
  service.time.now += 3_600_000;
  const ended = await service.get(`/ai/v1/search?session=${token}&view=compact`);
  assert.deepEqual(ended.body.next_request, { url: '/ai/v1/auth?source=acme&view=compact', method: 'GET' });
});

test('the life of a session is fixed when it is opened, and nothing extends it', async (t) => {
  const { service, open } = await setScene(t, { settings: { sessionMinutes: 5 } });
  service.time.now += 999;
  const conversation = await open('acme');
  assert.equal(conversation.opened.body.expires_at, '2027-03-01T12:05:00Z', 'whole seconds, never later');
  service.time.now += 4 * 60_000;
  const result = await conversation.search();
  assert.equal(result.body.session_expires_at, '2027-03-01T12:05:00Z');
  service.time.now += 60_000 - 1000;
  assert.equal((await conversation.result()).status, 200, 'one moment before the end');
  service.time.now += 1;
  const after = await conversation.result();
  assert.equal(after.status, 410);
  assert.equal(after.body.error, 'session_expired');
});

test('no session, an unknown one, and one that has ended are told apart', async (t) => {
  const { service, open } = await setScene(t);
  const { token } = await open('acme');
  const unknown = `ses_${'A'.repeat(43)}`;
  service.time.now += 31 * 60_000;
  const cases = [
    ['', 400, 'session_required', null],
    ['?session=', 400, 'session_required', null],
    [`?session=${unknown}`, 404, 'session_not_found', null],
    ['?session=nonsense', 404, 'session_not_found', null],
    [`?session=${token}`, 410, 'session_expired', 'acme'],
  ] as const;
  for (const [query, status, error, source] of cases) {
    const url = source === null ? '/ai/v1/auth' : `/ai/v1/auth?source=${source}`;
    const byGet = { url, method: 'GET' };
    const byPost = { url, method: 'POST', ...(source === null ? {} : { body: { source } }) };
    const result = await service.get(`/ai/v1/result${query}`);
    assert.deepEqual([result.status, result.body.error], [status, error]);
    assert.deepEqual(result.body.next_request, byGet);
    for (const [search, next] of [
      [await service.get(`/ai/v1/search${query}`), byGet],
      [await service.post(`/ai/v1/search${query}`, { guests: 2 }), byPost],
    ] as const) {
      assert.deepEqual([search.status, search.body.status, search.body.error], [200, 200, error]);
      assert.deepEqual(search.body.next_request, next, 'by the method that the caller can use');
      assert.equal(search.body.endpoint, '/ai/v1/search');
    }
  }
  const ended = await service.get(`/ai/v1/search?session=${token}`);
  assert.equal(ended.body.expired_at, '2027-03-01T12:30:00Z');
});

test('a token never reaches the log', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open('acme');
  await conversation.search();
  await conversation.result();
  await conversation.send('{"broken');
  await service.get(`/ai/v1/nowhere?session=${conversation.token}`);
  await service.get(`/ai/v1/result%3Fsession=${conversation.token}`);
  assert.ok(service.logLines.length > 5);
  assert.deepEqual(
    service.logLines.filter((line) => line.includes(conversation.token) || line.includes('ses_')),
    [],
  );
});

const rateRule = { limit: 600, windowMs: 60_000 };

test('a request that waited for another one of its session sees what that one changed', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule });
  const committing = Promise.withResolvers<void>();
  const { sessions } = storage;
  const slow: Storage = {
    ...storage,
    sessions: {
      ...sessions,
      async commit(change) {
        await committing.promise;
        return sessions.commit(change);
      },
    },
  };
  const { open, service } = await setScene(t, { storage: slow });
  const { send } = await open();
  const answers = [send({ destination: 'lisbon-pt' }), send({ guests: 'a dozen' })];
  await service.requestsInFlight(2);
  committing.resolve();
  const [taken, refused] = await Promise.all(answers);
  assert.deepEqual(taken?.body.received, { destination: 'lisbon-pt' });
  assert.equal(refused?.body.error, 'invalid_value');
  assert.deepEqual(refused.body.received, { destination: 'lisbon-pt' });
});

test('a request that another process overtook is decided again on the new state', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule });
  const { open } = await setScene(t, { storage: overtakenOnce(storage) });
  const answer = await (await open()).send({ destination: 'lisbon-pt' });
  assert.equal(answer.body.error, 'incomplete_payload');
  assert.deepEqual(answer.body.received, { destination: 'lisbon-pt', guests: '2' });
});

/** Before the first commit, another process sets the guests. */
function overtakenOnce(storage: Storage): Storage {
  const { sessions } = storage;
  let isOvertaken = false;
  return {
    ...storage,
    sessions: {
      ...sessions,
      async commit(change) {
        if (!isOvertaken) {
          isOvertaken = true;
          const session = await sessions.find(change.session.id);
          assert.ok(session);
          const revision = session.revision + 1;
          await sessions.commit({
            session: { ...session, revision, payload: { guests: '2' } },
            expectedRevision: session.revision,
            usedKey: null,
            result: null,
            quotes: [],
          });
        }
        return sessions.commit(change);
      },
    },
  };
}
