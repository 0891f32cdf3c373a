import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScene } from '../support/scene.ts';

test('both can be kept, and a caller that has them gets nothing again', async (t) => {
  const { service } = await setScene(t);
  for (const url of ['/ai/v1/schema', '/ai/v1/terms']) {
    const first = await service.get(url);
    const etag = String(first.headers.etag);
    assert.equal(first.status, 200);
    assert.match(etag, /^"[A-Za-z0-9_-]{16,}"$/);
    assert.match(String(first.headers['cache-control']), /^private, max-age=\d+$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await service.get(url, { 'if-none-match': tags });
      assert.equal(again.status, 304, tags);
      assert.equal(again.raw, '');
      assert.equal(again.headers.etag, etag);
    }
    const other = await service.get(url, { 'if-none-match': '"other"' });
    assert.equal(other.status, 200);
    assert.equal(other.raw, first.raw);
  }
});

test('schema: the fields with position, type, format and prerequisite', async (t) => {
  const { service } = await setScene(t);
  const { body } = await service.get('/ai/v1/schema');
  const named = body.fields.map(({ name, position, type, depends_on }: Record<string, unknown>) => [
    name,
    position,
    type,
    depends_on,
  ]);
  assert.deepEqual(named, [
    ['brand_locked', 1, 'boolean', null],
    ['destination', 2, 'string', 'brand_locked'],
    ['check_in_month', 3, 'string', null],
    ['check_in_day', 4, 'string', 'check_in_month'],
    ['check_out', 5, 'string', 'check_in_day'],
    ['guests', 6, 'string', null],
    ['amenities', null, 'string', null],
  ]);
  for (const field of body.fields) {
    for (const key of ['required', 'format', 'accepts', 'meaning'])
      assert.ok(field[key].length > 0, `${field.name}.${key}`);
  }
  assert.deepEqual(body.field_orders, {
    sourced: ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'],
    direct: ['destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'],
    single_location: ['brand_locked', 'check_in_month', 'check_in_day', 'check_out', 'guests'],
  });
});

test('schema: every field of every body that we send has a meaning', async (t) => {
  const { service, open } = await setScene(t);
  const schema = (await service.get('/ai/v1/schema')).body;
  const conversation = await open('acme');
  const step = await conversation.read();
  const result = await conversation.search();
  const refine = await conversation.send({});
  for (const [described, body] of [
    [schema.session_fields, conversation.opened.body],
    [schema.step_fields, step.body],
    [schema.step_fields, refine.body],
    [schema.result_fields, result.body],
  ]) {
    for (const path of pathsIn(body)) {
      assert.ok(described[path], `${path} is described`);
    }
    for (const [path, { type, meaning }] of Object.entries<{ type: string; meaning: string }>(described)) {
      assert.ok(meaning.length > 3, `${path} has a meaning`);
      assert.ok(type.length > 0, `${path} has a type`);
    }
  }
});

/** Maps whose keys are data, not fields. */
const MAPS = ['depends_on', 'places', 'field_hints', 'available_requests.change', 'results[].amenities'];

function pathsIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((entry) => pathsIn(entry, `${at}[]`)))];
  if (typeof value !== 'object' || value === null || MAPS.includes(at)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...pathsIn(member, path)];
  });
}

test('schema: limits, versions, closed value sets', async (t) => {
  const { service } = await setScene(t, {
    settings: { rateLimit: 77, rateWindowSeconds: 30, sessionMinutes: 12, maxOptions: 9 },
  });
  const { body } = await service.get('/ai/v1/schema');
  const { rate_limit: rate, ...limits } = body.limits;
  assert.deepEqual([rate.requests, rate.window_seconds], [77, 30]);
  assert.deepEqual(limits, {
    session_minutes: 12,
    results_per_session: 200,
    own_keys_per_session: 1000,
    requests_waiting_per_session: 8,
    options_per_result: 9,
    amenities_per_refine_request: 1,
    body_bytes: 16384,
    destinations_listed: 200,
    available_requests_listed: 60,
    available_requests_listed_compact: 12,
    allowed_values_listed_compact: 60,
    suggestions: 5,
    nights_ahead: 540,
  });
  assert.equal(body.versions.current, '2026-11-01');
  assert.deepEqual(body.versions.supported, ['2026-11-01']);
  assert.match(body.versions.deprecation, /12 months/);
  assert.deepEqual(body.value_sets, {
    'availability.status': ['available'],
    'availability.booking_mode': ['instant', 'request'],
    'availability.inventory_source': ['live_booking_system', 'rate_card'],
    'cancellation.free_cancellation': ['until', 'over', 'never', 'unpublished'],
    'images.gallery.type': [
      'exterior',
      'interior',
      'bedroom',
      'bathroom',
      'kitchen',
      'living_area',
      'outdoor',
      'view',
      'amenity',
      'floor_plan',
      'other',
    ],
    'quote.price_guarantee': ['held', 'at_retrieval'],
  });
  assert.ok(body.idempotency.length > 0);
  assert.ok(body.beyond_the_base_interface.length > 0);
  assert.equal(body.events, 'There are no events, webhooks or callbacks.');
});

test('schema: every error with endpoints, statuses, meaning and recovery', async (t) => {
  const { service } = await setScene(t);
  const { body } = await service.get('/ai/v1/schema');
  for (const error of body.errors) {
    assert.match(error.code, /^[a-z_]+$/);
    assert.ok(
      error.endpoints.length > 0 && error.meaning.length > 0 && error.recovery.length > 0,
      error.code,
    );
  }
  const onSearch = body.errors.filter(
    ({ http_status_on_search: status }: Record<string, number>) => status !== 200,
  );
  assert.deepEqual(
    onSearch.map(({ code }: { code: string }) => code),
    ['access_denied', 'not_found', 'method_not_allowed'],
  );
});

test('terms: version, effective date, purpose, what may be shared, what is proprietary, contact', async (t) => {
  const { service } = await setScene(t);
  const { body } = await service.get('/ai/v1/terms');
  assert.deepEqual(
    [body.object, body.version, body.effective_at, body.contact, body.self_url],
    ['terms', '1', '2026-11-01', 'owner@example.com', '/ai/v1/terms'],
  );
  assert.match(body.purpose, /booking itself is made on the operator’s own website/);
  assert.match(body.may_share.join(' '), /user_facing_urls/);
  assert.match(body.proprietary.join(' '), /\/ai\/v1/);
  assert.match(body.updates, /governs/);
});
