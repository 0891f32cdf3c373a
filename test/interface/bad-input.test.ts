import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setScene } from '../support/scene.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test('bodies that are no JSON object: search stays 200 and nothing changes; auth says 400', async (t) => {
  const { service, open } = await setScene(t, { settings: { rateLimit: 1_000_000 } });
  const conversation = await open();
  await conversation.send({ destination: 'lisbon-pt' });
  const invalidUtf8 = Buffer.concat([
    Buffer.from('{"destination":"'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('"}'),
  ]);
  const bodies: (string | Buffer)[] = [
    '{',
    '}',
    '{"guests":}',
    "{'guests':2}",
    '{"guests":2,}',
    '{"guests":2} trailing',
    'guests=2',
    'null',
    'true',
    '7',
    '"guests"',
    '[]',
    '[{"guests":2}]',
    'NaN',
    '{"guests":NaN}',
    '{"guests":0x2}',
    '\u0000',
    ' ',
    invalidUtf8,
    Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    '['.repeat(8000),
    `${'['.repeat(8000)}${']'.repeat(8000)}`,
  ];
  for (const payload of bodies) {
    const about = String(payload).slice(0, 40);
    const search = await service.call({
      method: 'POST',
      url: conversation.address(),
      headers: JSON_TYPE,
      payload,
    });
    assert.deepEqual([search.status, search.body.error], [200, 'invalid_request'], about);
    assert.deepEqual(search.body.received, { destination: 'lisbon-pt' });
    const auth = await service.call({ method: 'POST', url: '/ai/v1/auth', headers: JSON_TYPE, payload });
    assert.deepEqual([auth.status, auth.body.error], [400, 'invalid_request'], about);
  }
});

test('values of the wrong type, doubtful and absurd dates, control characters, and far too long ones', async (t) => {
  const { open } = await setScene(t, { settings: { rateLimit: 1_000_000 } });
  const conversation = await open('acme');
  await conversation.send({ brand_locked: true, check_in_month: '2027-04' });
  const before = await conversation.read();
  const nonsense: Record<string, unknown[]> = {
    brand_locked: ['yes', 'maybe', '', 0, 1, null, [], {}, [true]],
    destination: ['', ' ', 7, null, [], {}, 'x'.repeat(10_000), '\u0000', '../../etc', '%00', '\ud800'],
    check_in_month: [
      '2027-00',
      '2027-13',
      '27-04',
      '04/2027',
      'April 2027',
      '0000-01',
      '275760-09',
      '2027-04-01',
      202704,
      null,
      [],
    ],
    check_in_day: [
      '2027-02-30',
      '2027-04-31',
      '0000-00-00',
      '0001-01-01',
      '275760-09-13',
      '+275760-09-13',
      '-000001-01-01',
      '2027-04-10T00:00:00Z',
      '10/04/2027',
      '10 April 2027',
      '10',
      'tomorrow',
      '9999-12-31',
      '',
      20270410,
      null,
      ['2027-04-10'],
    ],
    guests: [
      '',
      '0',
      '-1',
      '1.5',
      '1e1',
      '0x2',
      '+2',
      'two',
      '2 adults',
      '٢',
      '99999999999999999999',
      0,
      -1,
      1.5,
      1e21,
      null,
      true,
      [],
      {},
    ],
  };
  for (const [field, values] of Object.entries(nonsense)) {
    for (const value of values) {
      const { status, body } = await conversation.send({ [field]: value });
      assert.equal(status, 200);
      assert.equal(body.error, 'invalid_value', `${field} = ${JSON.stringify(value).slice(0, 60)}`);
      assert.equal(body.invalid_field, field);
      assert.deepEqual(body.received, before.body.received);
    }
  }
  await conversation.send({ check_in_day: '2027-04-10' });
  for (const value of ['2027-04-10', '2027-04-09', '2027-02-30', '2999-01-01', '13/04/2027', '13', 3, null]) {
    assert.equal((await conversation.send({ check_out: value })).body.error, 'invalid_value', String(value));
  }
});

test('names that mean something to JavaScript are names that no field has', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const together = await open();
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '']) {
    for (const sent of [
      `{${JSON.stringify(name)}: {"guests": "2"}}`,
      `{"field": ${JSON.stringify(name)}, "value": "2"}`,
    ]) {
      const { status, body } = await conversation.send(sent);
      assert.deepEqual([status, body.error], [200, 'unknown_field'], sent);
      assert.deepEqual(body.received, {});
    }
    const byQuery = await conversation.read({ field: name, value: '2' });
    assert.equal(byQuery.body.error, 'unknown_field');
    const beside = await together.send(`{"guests": 2, ${JSON.stringify(name)}: 1}`);
    assert.equal(beside.body.error, 'unknown_field');
    assert.deepEqual(beside.body.accepted_fields, ['guests'], 'it costs no other value');
    assert.deepEqual(beside.body.received, { guests: '2' });
    const auth = await service.post('/ai/v1/auth', `{${JSON.stringify(name)}: "acme"}`);
    assert.equal(auth.status, 400);
  }
  assert.equal(Reflect.get({}, 'guests'), undefined, 'nothing was polluted');
});

test('more than 16 KiB is not read, whatever it says', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const padded = (bytes: number) => `{"guests":"2"${' '.repeat(bytes - 14)}}`;
  assert.equal(Buffer.byteLength(padded(16_384)), 16_384);
  const most = await conversation.send(padded(16_384));
  assert.deepEqual(most.body.received, { guests: '2' });
  const over = await conversation.send(padded(16_385).replace('"2"', '"3"'));
  assert.deepEqual([over.status, over.body.error], [200, 'invalid_request']);
  assert.deepEqual(over.body.received, { guests: '2' });
  const auth = await service.post('/ai/v1/auth', padded(20_000));
  assert.deepEqual([auth.status, auth.body.error], [400, 'invalid_request']);
});

test('another media type than JSON', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'nonsense',
    'application/jsonx',
  ]) {
    const headers = { 'content-type': type };
    const search = await service.call({
      method: 'POST',
      url: conversation.address(),
      headers,
      payload: '{"guests":2}',
    });
    assert.deepEqual([search.status, search.body.error], [200, 'unsupported_media_type'], type);
    assert.deepEqual(search.body.received, {});
    const auth = await service.call({ method: 'POST', url: '/ai/v1/auth', headers, payload: '{}' });
    assert.deepEqual([auth.status, auth.body.error], [415, 'unsupported_media_type'], type);
  }
  const charset = { 'content-type': 'application/json; charset=utf-8' };
  assert.deepEqual((await conversation.send({ guests: 2 }, charset)).body.received, { guests: '2' });
});

test('a member of the body given twice is refused, whatever its values and however it is spelled', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  for (const payload of [
    '{"guests":"2","guests":"3"}',
    '{"guests":2,"guests":2}',
    '{ "guests" : 2 , "destination":"lisbon-pt", "gu\\u0065sts" : 3 }',
    '{"source":"acme","source":"sol"}',
    '{"field":"guests","value":"2","value":"3"}',
  ]) {
    const call = { method: 'POST', headers: JSON_TYPE, payload } as const;
    const search = await service.call({ ...call, url: conversation.address() });
    assert.deepEqual([search.status, search.body.error], [200, 'invalid_request'], payload);
    assert.match(search.body.message, /more than once/);
    const auth = await service.call({ ...call, url: '/ai/v1/auth' });
    assert.deepEqual([auth.status, auth.body.error], [400, 'invalid_request'], payload);
  }
  assert.deepEqual((await conversation.read()).body.received, {});
  const schema = await service.get('/ai/v1/schema');
  assert.match(schema.raw, /a member of the body given twice/);
});

test('a parameter given twice is not guessed at', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const other = await open();
  for (const query of [
    `session=${conversation.token}&session=${other.token}`,
    `session=${conversation.token}&session=${conversation.token}`,
    `session=${conversation.token}&field=guests&value=2&value=3`,
    `session=${conversation.token}&field=guests&field=destination&value=2`,
    `session=${conversation.token}&idempotency_key=a&idempotency_key=b`,
    `session=${conversation.token}&api_version=2026-11-01&api_version=2026-11-01`,
  ]) {
    const search = await service.get(`/ai/v1/search?${query}`);
    assert.deepEqual([search.status, search.body.error], [200, 'invalid_request'], query);
    const result = await service.get(`/ai/v1/result?${query}`);
    assert.deepEqual([result.status, result.body.error], [400, 'invalid_request'], query);
  }
  assert.deepEqual((await conversation.read()).body.received, {});
});

test('addresses that are spelled oddly', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const encoded = await service.get(`/%61i/v1/search?session=${conversation.token}`);
  assert.equal(encoded.body.error, 'incomplete_payload', 'the same address, percent-encoded');
  for (const url of [
    '/ai/v1/%zz',
    '/ai/v1/search%',
    '/%',
    '/ai/v1/search%2f',
    '/ai/v1/search;session=x',
    '//ai/v1/search',
    '/ai//v1/search',
    '/ai/v1/../v1/terms/x',
    '/ai/v1/search%00',
    `/ai/v1/${'x'.repeat(5000)}`,
  ]) {
    const { status, body } = await service.get(url);
    assert.equal(status, 404, url);
    assert.equal(body.error, 'not_found');
  }
});
