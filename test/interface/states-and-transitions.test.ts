import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { setScene } from '../support/scene.ts';

const RICH = {
  acme: {
    properties: [
      property('a', { amenities: { wifi: 'Wi-Fi' } }),
      property('b', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }),
      property('c', { amenities: { wifi: 'Wi-Fi', pool: 'Pool', sauna: 'Sauna' } }),
      property('d', { amenities: { wifi: 'Wi-Fi', sauna: 'Sauna' } }),
    ],
  },
};

const idsOf = (body: { results: { property_id: string }[] }) => body.results.map(({ property_id: id }) => id);

test('search incomplete → search incomplete: a value, and a field is still missing', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { status, body } = await conversation.send({ destination: 'lisbon-pt' });
  assert.equal(status, 200);
  assert.equal(body.error, 'incomplete_payload');
  assert.deepEqual(body.received, { destination: 'lisbon-pt' });
  assert.deepEqual(body.missing_fields, ['check_in_month', 'check_in_day', 'check_out', 'guests']);
  assert.equal(body.next_required, 'check_in_month');
  assert.ok(body.allowed_values.check_in_month.length > 0);
});

test('search incomplete → result ready: the last value returns the result', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { guests, ...rest } = STAY;
  assert.equal((await conversation.send(rest)).body.next_required, 'guests');
  const { status, body } = await conversation.send({ guests });
  assert.equal(status, 200);
  assert.equal(body.object, 'search_result');
  assert.equal('error' in body, false);
});

test('reading never changes the state', async (t) => {
  const { open, operator } = await setScene(t);
  const conversation = await open();
  await conversation.send({ destination: 'lisbon-pt' });
  const once = await conversation.read();
  for (const again of [await conversation.read(), await conversation.read()]) {
    assert.equal(again.raw, once.raw);
  }
  assert.equal(operator.asked.length, 0);
});

test('result ready → amenity step open, through refine.href', async (t) => {
  const { service, open } = await setScene(t, { brands: RICH });
  const conversation = await open();
  const { body: result } = await conversation.search();
  const { method, href } = result.available_requests.refine;
  assert.equal(method, 'POST');
  const { status, body } = await service.post(href, {});
  assert.equal(status, 200);
  assert.equal(body.error, 'incomplete_payload');
  assert.ok(body.message.startsWith('Missing required field: amenities.'), body.message);
  assert.deepEqual(body.missing_fields, ['amenities']);
  assert.equal(body.next_required, 'amenities');
  assert.deepEqual(body.received, STAY);
  assert.deepEqual(body.allowed_values, {
    amenities: [
      { value: 'pool', match_count: 2, of: 4 },
      { value: 'sauna', match_count: 2, of: 4 },
    ],
  });
  assert.deepEqual(
    body.available_requests
      .slice(0, -1)
      .map(({ field, value }: { field: string; value: string }) => [field, value]),
    [
      ['amenities', 'pool'],
      ['amenities', 'sauna'],
    ],
  );
  const last = body.available_requests.at(-1);
  assert.deepEqual(Object.keys(last), ['method', 'path', 'url']);
  assert.equal(last.method, 'GET');
  assert.equal(last.path, '/ai/v1/result');
});

test('amenity step open → result unchanged: the last request is the way back', async (t) => {
  const { service, open, operator } = await setScene(t, { brands: RICH });
  const conversation = await open();
  const { raw } = await conversation.search();
  const step = await conversation.send({});
  const back = await service.get(step.body.available_requests.at(-1).url);
  assert.equal(back.status, 200);
  assert.equal(back.raw, raw);
  assert.equal(operator.asked.length, 1);
});

test('amenity step open → narrowed: appended, freshly quoted, additive, counts recomputed', async (t) => {
  const { service, open, operator } = await setScene(t, { brands: RICH });
  const conversation = await open();
  const first = await conversation.search();
  service.time.now += 60_000;
  const step = await service.post(first.body.available_requests.refine.href, {});
  const narrowed = await service.post(step.body.next_request.url, {});
  assert.deepEqual(narrowed.body.applied_filters, { amenities: ['pool'] });
  assert.deepEqual(idsOf(narrowed.body), ['acme:b', 'acme:c']);
  assert.equal(narrowed.body.comparison_set.total_matches, 2);
  assert.equal(operator.asked.length, 2);
  assert.deepEqual(operator.asked[1]?.properties.toSorted(), ['b', 'c']);
  assert.equal(narrowed.body.results[0].quote.retrieved_at, '2027-03-01T12:01:00Z');
  assert.equal(
    (await conversation.result()).raw,
    narrowed.raw,
    'the narrowed result has replaced the wide one',
  );

  const again = await service.post(narrowed.body.available_requests.refine.href, {});
  assert.deepEqual(again.body.received, { ...STAY, amenities: ['pool'] });
  assert.deepEqual(again.body.allowed_values, { amenities: [{ value: 'sauna', match_count: 1, of: 2 }] });
  const last = await service.post(again.body.next_request.url, {});
  assert.deepEqual(last.body.applied_filters, { amenities: ['pool', 'sauna'] });
  assert.deepEqual(idsOf(last.body), ['acme:c']);
  assert.deepEqual(
    Object.keys(last.body.available_requests),
    ['clear_filters', 'change'],
    'no discriminating amenity remains',
  );
});

test('amenities before a result are not available', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  const { body } = await conversation.send({ amenities: 'pool' });
  assert.equal(body.error, 'refine_not_available');
  assert.deepEqual(body.received, { source: 'acme' });
  assert.equal(body.next_required, 'brand_locked');
});

test('from the entry to the narrowed result by opening addresses alone', async (t) => {
  const { service } = await setScene(t, { settings: { publicUrl: 'https://stays.example' } });
  for (const [entry, fields] of [
    ['/', 5],
    ['/?source=acme', 6],
  ] as const) {
    const { body } = await service.get(entry, { accept: 'application/json' });
    assert.match(body.start_by_get.url, /^https:\/\/stays\.example\/ai\/v1\/auth/);
    let answer = await service.get(body.start_by_get.url);
    answer = await service.get(answer.body.next_request.url);
    for (let step = 0; step < fields; step += 1) {
      assert.match(answer.body.next_request.url, /^https:\/\/stays\.example\//);
      answer = await service.get(answer.body.next_request.url);
    }
    assert.equal(answer.body.object, 'search_result');
    const refine = await service.get(answer.body.available_requests.refine.href);
    const narrowed = await service.get(refine.body.next_request.url);
    assert.equal(narrowed.body.comparison_set.options_count, 1);
  }
});
