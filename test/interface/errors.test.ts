import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';

test('an incomplete payload carries all that is needed to go on', async (t) => {
  const { service, open } = await setScene(t);
  const { body } = await (await open('acme')).send({ brand_locked: true });
  for (const key of [
    'error',
    'message',
    'received',
    'missing_fields',
    'allowed_values',
    'field_order',
    'next_required',
    'depends_on',
    'next_request',
    'available_requests',
    'schema_url',
    'terms_url',
    'terms_notice',
    'self_url',
    'session',
  ]) {
    assert.ok(key in body, key);
  }
  const followed = await service.post(body.next_request.url, {});
  assert.equal(followed.body.received.destination, body.next_request.value);
});

test('an invalid value leaves the state alone, is not repeated, and comes with its reason and the whole step', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  await conversation.send({ brand_locked: true });
  const before = await conversation.read();
  const wrongType = 'It has the wrong type or form. What the field takes: ';
  const aParty = `${wrongType}A whole number from 1 on, or its text.`;
  const aBoolean = `${wrongType}A JSON boolean, or the text true or false.`;
  const aPlace = `${wrongType}A place identifier, or a name or alias of exactly one offered place, whatever its case or accents, also with its region or country: Lisbon, Portugal.`;
  for (const [field, value, code, sentence] of [
    ['destination', 'atlantis-zz', 'not_on_network', 'No place on this network has that name.'],
    ['check_in_month', '2026-01', 'in_the_past', 'It is in the past.'],
    ['check_in_month', '2027-13', 'no_such_date', 'The calendar has no such date.'],
    ['check_in_month', 'next month', 'not_a_date', 'It is not written as YYYY-MM.'],
    ['check_in_day', '05/08/2027', 'not_a_date', 'It is not written as YYYY-MM-DD.'],
    ['guests', '0', 'wrong_type', aParty],
    ['guests', -1, 'wrong_type', aParty],
    ['guests', 2.5, 'wrong_type', aParty],
    ['guests', 'two', 'wrong_type', aParty],
    ['guests', 5, 'party_too_large', 'No home that fits the other answers sleeps so many; 4 is the most.'],
    ['guests', '', 'wrong_type', aParty],
    ['guests', null, 'wrong_type', aParty],
    ['guests', [2], 'wrong_type', aParty],
    ['brand_locked', 'yes', 'wrong_type', aBoolean],
    ['brand_locked', 1, 'wrong_type', aBoolean],
    ['destination', ['lisbon-pt'], 'wrong_type', aPlace],
    ['destination', { id: 'lisbon-pt' }, 'wrong_type', aPlace],
  ] as const) {
    const { status, raw, body } = await conversation.send({ [field]: value });
    const about = `${field} = ${JSON.stringify(value)}`;
    assert.equal(status, 200);
    assert.equal(body.error, 'invalid_value', about);
    assert.ok(body.message.startsWith(`Invalid value for field: ${field}. ${sentence}`), about);
    assert.match(body.message, /[Aa]sk the traveller/, about);
    assert.equal(body.reason.code, code, about);
    assert.equal(body.invalid_field, field);
    assert.deepEqual(body.refused_fields, [field]);
    assert.equal('accepted_fields' in body, false);
    for (const key of [
      'received',
      'missing_fields',
      'field_order',
      'depends_on',
      'next_required',
      'available_requests',
      'url_template',
      'places',
      'field_hints',
    ]) {
      assert.deepEqual(body[key], before.body[key], `${about}: ${key}`);
    }
    for (const text of ['atlantis', '05/08', 'next month', '"two"']) {
      assert.ok(!raw.includes(text), 'what was refused is not repeated');
    }
  }
  assert.equal((await conversation.read()).raw, before.raw);
});

test('a field that this search does not have is refused by name, and costs no other', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  for (const [sent, name] of [
    [{ pets: 'true' }, 'pets'],
    [{ field: 'pets', value: 'true' }, 'pets'],
    [{ source: 'acme' }, 'source'],
  ] as const) {
    const { body } = await conversation.send(sent);
    assert.equal(body.error, 'unknown_field');
    assert.equal(body.invalid_field, name);
    assert.deepEqual(body.refused_fields, [name]);
    assert.deepEqual(body.received, {}, 'nothing of the request was taken');
  }
  const byQuery = await conversation.read({ pets: '1' });
  assert.deepEqual([byQuery.body.error, byQuery.body.invalid_field], ['unknown_field', 'pets']);
  const beside = await conversation.send({ guests: 2, pets: 1 });
  assert.deepEqual([beside.body.error, beside.body.invalid_field], ['unknown_field', 'pets']);
  assert.deepEqual(beside.body.accepted_fields, ['guests']);
  assert.deepEqual(beside.body.received, { guests: '2' });
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

test('a place that is refused after a result leads neither back to it nor on with its place', async (t) => {
  const { service, open } = await setScene(t);
  for (const sent of [{ destination: 'Berlin' }, { ...STAY, destination: 'Berlin' }]) {
    const conversation = await open();
    const found = await conversation.search();
    const { body } = await conversation.send(sent);
    assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'destination']);
    assert.deepEqual([body.cleared_fields, body.next_required], [['destination'], 'destination']);
    const step = await service.get(body.next_request.url);
    assert.deepEqual([step.body.error, step.body.next_required], ['incomplete_payload', 'destination']);
    assert.match(step.body.message, /refused: ask the traveller/);
    const { destination: _, ...others } = STAY;
    assert.deepEqual(step.body.received, others, 'the rest of the stay stands');
    const later = await conversation.send({ guests: '3' });
    assert.deepEqual([later.body.error, later.body.next_required], ['incomplete_payload', 'destination']);
    const kept = await conversation.result();
    assert.equal(kept.raw, found.raw, 'what was found can still be read');
    assert.equal(kept.headers['x-result-current'], 'false');
  }
});

const WHOLE_STAY = {
  destination: 'Lisbon',
  check_in_day: '2027-04-10',
  check_out: '2027-04-13',
  guests: '2',
};

test('what changes the words of the traveller is marked, and the message says to ask', async (t) => {
  const { open } = await setScene(t);
  for (const [sent, changes] of [
    [{ guests: '10' }, ['guests']],
    [{ destination: 'Lisbom' }, ['destination']],
    [{ check_in_day: '2026-04-10', check_out: '2026-04-13' }, ['check_in_day', 'check_out']],
    [{ check_out: '2028-01-10' }, ['check_out']],
  ] as const) {
    const { body } = await (await open()).send({ ...WHOLE_STAY, ...sent });
    assert.equal(body.error, 'invalid_value', JSON.stringify(sent));
    assert.deepEqual(body.next_request.changes, changes, JSON.stringify(sent));
    const asked = `Ask the traveller before you follow next_request: it changes ${changes.join(', ')}.`;
    assert.ok(body.message.includes(asked), body.message);
  }
  for (const sent of [{ check_in_day: '10 April 2027' }, { check_in_day: '2027/04/10' }]) {
    const { body } = await (await open()).send({ ...WHOLE_STAY, ...sent });
    assert.equal(body.reason.code, 'not_a_date');
    assert.equal('changes' in body.next_request, false, 'the same day, written otherwise');
    assert.doesNotMatch(body.message, /traveller/);
  }
  const doubtful = await (await open()).send({ check_in_day: '05/04/2027' });
  assert.deepEqual(doubtful.body.next_request.changes, ['check_in_day'], 'April or May');
});
