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

test('an invalid value leaves the state alone, is not repeated, and comes with the whole step', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  await conversation.send({ brand_locked: true });
  const before = await conversation.read();
  for (const [field, value] of [
    ['destination', 'atlantis-zz'],
    ['check_in_month', '2026-01'],
    ['check_in_month', '2027-13'],
    ['check_in_month', 'next month'],
    ['guests', '0'],
    ['guests', -1],
    ['guests', 2.5],
    ['guests', '02'],
    ['guests', 5],
    ['guests', ''],
    ['guests', null],
    ['guests', [2]],
    ['brand_locked', 'yes'],
    ['brand_locked', 1],
    ['destination', ['lisbon-pt']],
    ['destination', { id: 'lisbon-pt' }],
  ] as const) {
    const { status, raw, body } = await conversation.send({ [field]: value });
    const about = `${field} = ${JSON.stringify(value)}`;
    assert.equal(status, 200);
    assert.equal(body.error, 'invalid_value', about);
    assert.equal(body.message, `Invalid value for field: ${field}`);
    assert.equal(body.invalid_field, field);
    for (const key of [
      'received',
      'missing_fields',
      'field_order',
      'depends_on',
      'next_required',
      'next_request',
      'available_requests',
    ]) {
      assert.deepEqual(body[key], before.body[key], `${about}: ${key}`);
    }
    assert.ok(!raw.includes('atlantis'), 'what was refused is not repeated');
  }
  assert.equal((await conversation.read()).raw, before.raw);
});

test('an invalid value for a field that is set already brings the values that it could have', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  await conversation.send({ guests: 2 });
  const { body } = await conversation.send({ guests: 99 });
  assert.equal(body.error, 'invalid_value');
  assert.deepEqual(body.received, { guests: '2' });
  assert.deepEqual(body.allowed_values.guests, ['1', '2', '3', '4']);
});

test('an invalid value after a result keeps the result and shows the way back to it', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { raw } = await conversation.search();
  const { body } = await conversation.send({ check_out: '2027-04-01' });
  assert.equal(body.error, 'invalid_value');
  assert.deepEqual(body.received, STAY);
  const back = body.available_requests.at(-1);
  assert.equal(back.path, '/ai/v1/result');
  assert.equal((await service.get(back.url)).raw, raw);
});

test('a field that this search does not have is not repeated either', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  for (const sent of [
    { pets: 'true' },
    { field: 'pets', value: 'true' },
    { source: 'acme' },
    { session: 'x' },
    { guests: 2, pets: 1 },
  ]) {
    const { raw, body } = await conversation.send(sent);
    assert.equal(body.error, 'unknown_field');
    assert.equal('invalid_field' in body, false);
    assert.ok(!raw.includes('pets'));
    assert.deepEqual(body.received, {}, 'nothing of the request was taken');
  }
  const byQuery = await conversation.read({ field: 'pets', value: '1' });
  assert.equal(byQuery.body.error, 'unknown_field');
});

test('half of a pair, or a pair that contradicts the rest, cannot be read', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  for (const sent of [
    { field: 'guests' },
    { value: '2' },
    { field: 7, value: 2 },
    { field: 'guests', value: 2, guests: 3 },
  ]) {
    const { body } = await conversation.send(sent);
    assert.equal(body.error, 'invalid_request', JSON.stringify(sent));
    assert.deepEqual(body.received, {});
    assert.equal(body.next_required, 'destination', 'the step is there');
  }
  for (const parameters of [{ field: 'guests' }, { value: '2' }]) {
    assert.equal((await conversation.read(parameters)).body.error, 'invalid_request');
  }
  const same = await conversation.send({ field: 'guests', value: 2, guests: '2' });
  assert.deepEqual(same.body.received, { guests: '2' }, 'saying the same twice is no contradiction');
});

test('a request that cannot be read on a live session comes with the step as it stands', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  await conversation.send({ destination: 'lisbon-pt' });
  const { status, body } = await conversation.send('{"guests":');
  assert.equal(status, 200);
  assert.equal(body.error, 'invalid_request');
  assert.deepEqual(body.received, { destination: 'lisbon-pt' });
  assert.equal(body.next_required, 'check_in_month');
  assert.equal(body.session, conversation.token);
});

test('every error says what was wrong in words and in a code', async (t) => {
  const { service } = await setScene(t);
  for (const url of ['/ai/v1/result', '/ai/v1/search', '/ai/v1/nowhere', '/nowhere']) {
    const { body } = await service.get(url);
    assert.match(body.error, /^[a-z_]+$/);
    assert.match(body.message, /^[A-Z].+\.$/);
  }
});
