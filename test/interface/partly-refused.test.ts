import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';

const PARTLY = /Not everything in the request was taken.*; refusals says what was refused and why\./;

test('a whole stay with something that is refused returns the result, and names what was refused', async (t) => {
  const { open, operator } = await setScene(t);
  const byGet = await (await open()).read({ ...STAY, colour: 'red' });
  const byPost = await (await open('acme')).send({ brand_locked: true, ...STAY, colour: 'red' });
  for (const { status, body } of [byGet, byPost]) {
    assert.deepEqual([status, body.object, body.comparison_set.options_count], [200, 'search_result', 2]);
    assert.deepEqual(body.refused_fields, ['colour']);
    assert.deepEqual(body.refusals, [
      {
        field: 'colour',
        error: 'unknown_field',
        message: 'The request names a field that this search does not have.',
      },
    ]);
    assert.match(body.notes, PARTLY);
    const members = Object.keys(body);
    assert.ok(members.indexOf('refusals') < members.indexOf('results'), 'before the options');
  }
  assert.equal(operator.asked.length, 2);
});

test('everything that was refused beside a whole stay is listed in field order, each with its own facts', async (t) => {
  const { open } = await setScene(t);
  const sent = { adults: 2, 'a b': 1, colour: 'red', ...STAY, amenities: 'jacuzzi' };
  const { body } = await (await open()).send(sent);
  assert.deepEqual(
    body.refused_fields,
    ['amenities', 'adults', 'colour'],
    'a name that is none is not repeated',
  );
  assert.deepEqual(
    body.refusals.map(({ field, error, reason, did_you_mean }: Record<string, unknown>) => [
      field,
      error,
      reason,
      did_you_mean,
    ]),
    [
      ['amenities', 'invalid_value', { code: 'not_on_network' }, undefined],
      ['adults', 'unknown_field', undefined, 'guests'],
      [undefined, 'unknown_field', undefined, undefined],
      ['colour', 'unknown_field', undefined, undefined],
    ],
  );
});

test('what is suggested beside a result can be applied to that result', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.send({ ...STAY, amenities: 'wifi,pool' });
  assert.deepEqual(body.refusals[0].reason, { code: 'one_amenity_per_request' });
  assert.deepEqual(body.refusals[0].suggestions, ['pool'], 'every match has Wi-Fi');
  const narrowed = await conversation.send({ amenities: body.refusals[0].suggestions[0] });
  assert.deepEqual(narrowed.body.applied_filters, { amenities: ['pool'] });
  assert.equal('refusals' in narrowed.body, false);
});

test('a change that is refused in part after a result is priced anew with the rest', async (t) => {
  const { open, operator } = await setScene(t);
  const conversation = await open();
  const before = await conversation.search();
  const { raw, body } = await conversation.send({ guests: 3, check_out: '2027-04-01' });
  assert.equal(body.query.guests, 3);
  assert.equal(body.query.check_out, STAY.check_out, 'the departure that stands');
  assert.deepEqual(body.refused_fields, ['check_out']);
  assert.equal(body.refusals[0].reason.code, 'conflicts_with');
  assert.equal(operator.asked.length, 2);
  assert.notEqual(raw, before.raw);
  assert.equal((await conversation.result()).raw, raw);
  const nothing = await conversation.send({ guests: 3, check_out: '2027-04-01' });
  assert.equal(nothing.body.error, 'invalid_value', 'nothing changes any more, so it is the refusal');
  assert.deepEqual(nothing.body.accepted_fields, ['guests']);
  assert.equal((await conversation.result()).raw, raw);
  assert.equal(operator.asked.length, 2);
});

test('while fields are missing the answer is the refusal: the first at the top, the others beside it', async (t) => {
  const { open, operator } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.send({ ...STAY, guests: 99, colour: 'red' });
  assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'guests']);
  assert.deepEqual(body.missing_fields, ['guests']);
  assert.deepEqual(body.refused_fields, ['guests', 'colour']);
  assert.deepEqual(
    body.other_refusals.map(({ field }: { field: string }) => field),
    ['colour'],
  );
  assert.equal('refusals' in body, false);
  assert.equal(operator.asked.length, 0);
});

test('refusals are in the compact view too', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const compact = await conversation.read({ ...STAY, colour: 'red', view: 'compact' });
  assert.deepEqual(compact.body.refused_fields, ['colour']);
  assert.equal(compact.body.refusals.length, 1);
  assert.match(compact.body.notes, PARTLY);
  const read = await service.get(`/ai/v1/result?session=${conversation.token}&view=compact`);
  assert.equal(read.raw, compact.raw);
});

test('a search that is taken whole says nothing of refusals', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  await conversation.send({ ...STAY, colour: 'red' });
  const { body } = await conversation.send({ guests: 3 });
  assert.equal('refused_fields' in body || 'refusals' in body, false);
  assert.doesNotMatch(body.notes, PARTLY);
});

test('amenities that are given several times, in a list or in one text are too many, and cost nothing else', async (t) => {
  const { service, open } = await setScene(t);
  const query = new URLSearchParams(STAY);
  const parking = `/ai/v1/search?session=${(await open()).token}&${query}`;
  for (const answer of [
    await service.get(`${parking}&amenities=pool&amenities=wifi`),
    await (await open()).send({ ...STAY, amenities: ['pool', 'wifi'] }),
    await (await open()).send({ ...STAY, amenities: 'pool,parking' }),
    await (await open()).read({ ...STAY, amenities: 'pool, parking' }),
  ]) {
    assert.equal(answer.body.object, 'search_result', answer.raw);
    assert.deepEqual(answer.body.applied_filters, { amenities: [] });
    assert.deepEqual(answer.body.refusals[0].reason, { code: 'one_amenity_per_request' });
  }
  const conversation = await open();
  await conversation.search();
  const after = await service.get(`${conversation.address()}&amenities=pool&amenities=wifi`);
  assert.deepEqual([after.body.error, after.body.invalid_field], ['invalid_value', 'amenities']);
  assert.deepEqual(after.body.reason, { code: 'one_amenity_per_request' });
});

test('a parameter that is given several times is named, and a live session goes on from the answer', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  await conversation.send({ guests: 2 });
  for (const [twice, name] of [
    ['view=full&view=compact', 'view'],
    ['api_version=2026-11-01&api_version=2026-11-01', 'api_version'],
    ['idempotency_key=a&idempotency_key=a', 'idempotency_key'],
    ['field=guests&value=3&value=4', 'value'],
    ['field=guests&field=guests&value=3', 'field'],
  ] as const) {
    const { status, body } = await service.get(`${conversation.address()}&${twice}`);
    assert.deepEqual([status, body.error, body.invalid_field], [200, 'invalid_request', name]);
    assert.equal(body.session, conversation.token);
    assert.deepEqual(body.received, { guests: '2' });
    const next = await service.get(body.next_request.url);
    assert.equal(next.body.error, 'incomplete_payload', twice);
  }
  const result = await service.get(`/ai/v1/result?session=${conversation.token}&view=full&view=full`);
  assert.deepEqual([result.status, result.body.invalid_field], [400, 'view']);
  const auth = await service.get('/ai/v1/auth?source=acme&source=acme');
  assert.deepEqual(
    [auth.status, auth.body.error, auth.body.invalid_field],
    [400, 'invalid_request', 'source'],
  );
  assert.equal('session' in auth.body, false);
});

test('what one request had refused or cleared is not told to the next one, nor at later readings', async (t) => {
  const { service, open, operator } = await setScene(t);
  const conversation = await open();
  const refused = await conversation.send({ ...STAY, amenities: 'jacuzzi' });
  assert.deepEqual(refused.body.refused_fields, ['amenities']);
  assert.match(refused.body.notes, /Not everything in the request was taken/);
  assert.equal((await conversation.result()).raw, refused.raw, 'until then a reading gets the same bytes');
  const key = { 'idempotency-key': 'next' };
  const next = await conversation.send({ guests: 2 }, key);
  for (const member of ['refused_fields', 'refusals', 'cleared_fields', 'from_earlier_step']) {
    assert.equal(member in next.body, false, member);
  }
  assert.doesNotMatch(next.body.notes, /Not everything/);
  assert.deepEqual(next.body.results, refused.body.results, 'the prices are the same');
  assert.equal(operator.asked.length, 1, 'and nobody was asked again');
  assert.equal((await conversation.result()).raw, next.raw);
  const repeated = await conversation.send({ guests: 2 }, key);
  assert.equal(repeated.raw, next.raw);
  assert.equal(repeated.headers['idempotent-replayed'], 'true');
  const compact = await service.get(`/ai/v1/result?session=${conversation.token}&view=compact`);
  assert.equal('refusals' in compact.body, false);
  const narrowed = await service.get(
    `${next.body.available_requests.refine.url_template.replace('{amenities}', 'pool')}`,
  );
  assert.equal('from_earlier_step' in narrowed.body, false, 'its addresses are those of the present');
});

test('a partly refused request that met silence asks again when it is repeated', async (t) => {
  const { open, operator } = await setScene(t);
  let isSilent = true;
  operator.misbehave = (path, response) => {
    if (path !== '/quotes' || !isSilent) return false;
    response.writeHead(500).end();
    return true;
  };
  const conversation = await open();
  const sent = { ...STAY, colour: 'red' };
  const key = { 'idempotency-key': 'own' };
  const silent = await conversation.send(sent, key);
  assert.equal(silent.body.error, 'upstream_unavailable');
  assert.deepEqual(silent.body.refused_fields, ['colour'], 'what was refused is told all the same');
  isSilent = false;
  const again = await conversation.send(sent, key);
  assert.equal(again.body.object, 'search_result', again.raw);
  assert.deepEqual(again.body.refused_fields, ['colour']);
  assert.equal(again.headers['idempotent-replayed'], undefined, 'silence was not remembered');
});
