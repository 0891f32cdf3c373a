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
    const [{ message, ...refusal }, ...others] = body.refusals;
    assert.deepEqual([refusal, others], [{ field: 'colour', error: 'unknown_field' }, []]);
    assert.match(message, /^This search does not have a field colour\. The fields are [a-z_, ]+\.$/);
    for (const field of Object.keys(STAY)) assert.ok(message.includes(field), field);
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
  const { body } = await conversation.send({ ...STAY, amenities: 'poool' });
  assert.deepEqual(body.refusals[0].suggestions, ['pool']);
  assert.equal(body.next_request.value, 'pool');
  const narrowed = await conversation.send({ amenities: body.refusals[0].suggestions[0] });
  assert.deepEqual(narrowed.body.applied_filters, { amenities: ['pool'] });
  assert.equal('refusals' in narrowed.body, false);
});

test('a change that is refused in part after a result keeps the rest, and asks for what was to be replaced', async (t) => {
  const { service, open, operator } = await setScene(t);
  const conversation = await open();
  const before = await conversation.search();
  const { body } = await conversation.send({ guests: 3, check_out: '2027-04-01' });
  assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'check_out']);
  assert.equal(body.reason.code, 'conflicts_with');
  assert.deepEqual([body.accepted_fields, body.cleared_fields], [['guests'], ['check_out']]);
  assert.deepEqual(body.missing_fields, ['check_out']);
  assert.equal(operator.asked.length, 1, 'no price for a stay that nobody asked for');
  assert.equal((await conversation.result()).raw, before.raw);
  const nothing = await conversation.send({ guests: 3, check_out: '2027-04-01' });
  assert.deepEqual([nothing.body.error, nothing.body.received], ['invalid_value', body.received]);
  const { guests, nights } = (await service.get(body.next_request.url)).body.query;
  assert.deepEqual([guests, nights > 0], [3, true], 'from the nearest departure on');
});

const { destination: LISBON, guests: TWO } = STAY;
const APRIL = { destination: LISBON, guests: TWO, check_in_day: '2027-04-20', check_out: '2027-04-27' };

test('what leads on from refused dates is the stay that was meant, not one with a date of the old stay', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const before = await conversation.send(APRIL);
  const both = await conversation.send({ check_in_day: '13/03/2027', check_out: '20/03/2027' });
  assert.deepEqual(both.body.refused_fields, ['check_in_day', 'check_out']);
  assert.equal(both.body.other_refusals[0].suggestions[0], '2027-03-20');
  assert.equal((await conversation.result()).raw, before.raw, 'nothing was taken');
  const followed = await service.get(both.body.next_request.url);
  const { check_in, check_out } = followed.body.query;
  assert.deepEqual([check_in, check_out], ['2027-03-13', '2027-03-20']);
  assert.equal('field' in both.body.next_request, false, 'it cannot be followed in part');

  await conversation.send(APRIL);
  const unsaid = await conversation.send({ check_in_day: '13/03/2027', check_out: 'a week later' });
  assert.deepEqual(unsaid.body.suggestions[0], '2027-03-13');
  const back = await service.get(unsaid.body.next_request.url);
  assert.equal(back.body.error, 'incomplete_payload', 'nothing tells which stay was meant');
  assert.match(back.body.message, /^Missing required field: check_in_day\. .*ask the traveller/);
});

test('a date that was taken is never joined to the date that was to be replaced', async (t) => {
  const { service, open, operator } = await setScene(t);
  const conversation = await open();
  await conversation.send(APRIL);
  const { body } = await conversation.send({ check_in_day: '2027-03-13', check_out: '20/03/2027' });
  assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'check_out']);
  assert.deepEqual([body.accepted_fields, body.cleared_fields], [['check_in_day'], ['check_out']]);
  assert.deepEqual([body.next_required, body.next_request.value], ['check_out', '2027-03-20']);
  assert.equal(operator.asked.length, 1);
  assert.equal((await service.get(body.next_request.url)).body.query.nights, 7);

  await conversation.send(APRIL);
  const misnamed = await conversation.send({ check_in: '2027-04-13', check_out: '2027-04-28' });
  assert.equal(misnamed.body.error, 'prerequisite_missing');
  assert.deepEqual(misnamed.body.refused_fields, ['check_out', 'check_in']);
  assert.equal(misnamed.body.other_refusals[0].did_you_mean, 'check_in_day');
});

test('a destination that is refused beside new dates is asked for, and the old one is not priced', async (t) => {
  const { service, open, operator } = await setScene(t);
  const conversation = await open();
  await conversation.send(APRIL);
  const dates = { check_in_day: '2027-03-13', check_out: '2027-03-20' };
  const { body } = await conversation.send({ destination: 'Lisbn', ...dates });
  assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'destination']);
  assert.deepEqual(
    [body.accepted_fields, body.cleared_fields],
    [['check_in_day', 'check_out'], ['destination']],
  );
  assert.deepEqual([body.received.check_out, body.received.guests], ['2027-03-20', String(TWO)]);
  assert.equal(operator.asked.length, 1);
  assert.deepEqual(body.suggestions, [LISBON], 'it may have been the old one all the same');
  const { query } = (await service.get(body.next_request.url)).body;
  assert.deepEqual([query.destination, query.check_in], [LISBON, '2027-03-13']);
});

test('what stands is suggested where it was meant, and following it returns the result', async (t) => {
  const { service, open, operator } = await setScene(t);
  const conversation = await open();
  const before = await conversation.send(APRIL);
  for (const [sent, suggested] of [
    [{ check_in_day: '20 April 2027', check_out: '27 April 2027' }, '2027-04-20'],
    [{ check_in_month: 'April 2027' }, '2027-04'],
    [{ destination: 'Lisbn' }, LISBON],
  ] as const) {
    const { body } = await conversation.send(sent);
    assert.equal(body.suggestions[0], suggested);
    assert.equal((await service.get(body.next_request.url)).raw, before.raw);
  }
  assert.equal(operator.asked.length, 1);
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
