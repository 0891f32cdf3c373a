import assert from 'node:assert/strict';
import { test } from 'node:test';
import { property } from '../support/network.ts';
import { ACME, setScene } from '../support/scene.ts';

const HARBOUR = {
  harbour: { properties: [property('h')], entry: { single_location: 'lisbon-pt' } },
  acme: ACME,
};

test('a sourced session has six fields', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open('acme')).read();
  assert.deepEqual(body.field_order, [
    'brand_locked',
    'destination',
    'check_in_month',
    'check_in_day',
    'check_out',
    'guests',
  ]);
  assert.deepEqual(body.missing_fields, body.field_order);
  assert.deepEqual(body.depends_on, {
    destination: 'brand_locked',
    check_in_day: 'check_in_month',
    check_out: 'check_in_day',
  });
});

test('a direct session has five, and its destination depends on nothing', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).read();
  assert.deepEqual(body.field_order, [
    'destination',
    'check_in_month',
    'check_in_day',
    'check_out',
    'guests',
  ]);
  assert.deepEqual(body.depends_on, { check_in_day: 'check_in_month', check_out: 'check_in_day' });
});

test('a direct session has no brand to lock to', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.send({ brand_locked: true });
  assert.equal(body.error, 'unknown_field');
  assert.equal('brand_locked' in (await conversation.search()).body.query, false);
});

test('a single-location storefront has no destination step in either brand scope', async (t) => {
  const { open } = await setScene(t, { brands: HARBOUR });
  for (const [locked, options] of [
    [true, ['harbour:h']],
    [false, ['acme:a', 'acme:b', 'harbour:h']],
  ] as const) {
    const conversation = await open('harbour');
    const { body } = await conversation.read();
    assert.deepEqual(body.field_order, [
      'brand_locked',
      'check_in_month',
      'check_in_day',
      'check_out',
      'guests',
    ]);
    assert.deepEqual(body.depends_on, { check_in_day: 'check_in_month', check_out: 'check_in_day' });
    assert.equal('destination' in body.allowed_values, false);
    const refused = await conversation.send({ destination: 'porto-pt' });
    assert.equal(refused.body.error, 'unknown_field');
    const { body: result } = await conversation.send({
      brand_locked: locked,
      check_in_month: '2027-04',
      check_in_day: '2027-04-10',
      check_out: '2027-04-13',
      guests: 2,
    });
    assert.deepEqual(result.query, {
      destination: 'lisbon-pt',
      check_in: '2027-04-10',
      check_out: '2027-04-13',
      nights: 3,
      guests: 2,
      brand_locked: locked,
    });
    assert.deepEqual(
      result.results.map((option: { property_id: string }) => option.property_id),
      options,
    );
  }
});

test('a dependent field has no values until its prerequisite is set', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  const openFields = async () => Object.keys((await conversation.read()).body.allowed_values);
  assert.deepEqual(await openFields(), ['brand_locked', 'check_in_month', 'guests']);
  await conversation.send({ brand_locked: true });
  assert.deepEqual(await openFields(), ['destination', 'check_in_month', 'guests']);
  await conversation.send({ check_in_month: '2027-04' });
  assert.deepEqual(await openFields(), ['destination', 'check_in_day', 'guests']);
  await conversation.send({ check_in_day: '2027-04-10' });
  assert.deepEqual(await openFields(), ['destination', 'check_out', 'guests']);
});

test('a refused day brings no values before its month is set, and suggests what fits everything received', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('small', { max_guests: 2 }),
          property('large', { max_guests: 6 }, [{ from: '2027-04-10', to: '2027-04-20', available: true }]),
        ],
      },
    },
  });
  const conversation = await open();
  await conversation.send({ guests: 6 });
  const { body } = await conversation.send({ check_in_day: '2027-04-08' });
  assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'check_in_day']);
  assert.deepEqual(Object.keys(body.allowed_values), ['destination', 'check_in_month']);
  assert.deepEqual(body.reason, { code: 'conflicts_with', fields: ['guests'] });
  assert.deepEqual(body.suggestions.slice(0, 2), ['2027-04-10', '2027-04-11']);
});

test('a dependent field supplied too early names what has to come first', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  for (const [field, value] of [
    ['destination', 'lisbon-pt'],
    ['check_out', '2027-04-13'],
  ] as const) {
    const { body } = await conversation.send({ [field]: value });
    assert.equal(body.error, 'prerequisite_missing');
    assert.equal(body.invalid_field, field);
    assert.deepEqual(body.refused_fields, [field]);
    assert.match(body.message, new RegExp(`^Another field must be set before field: ${field}(\\.|$)`));
    assert.deepEqual(body.received, { source: 'acme' });
    assert.equal(body.next_required, 'brand_locked');
  }
});

test('a day needs no month before it: it sets its month, and moves it', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const first = await conversation.send({ check_in_day: '2027-04-10' });
  assert.deepEqual(first.body.received, { check_in_month: '2027-04', check_in_day: '2027-04-10' });
  assert.deepEqual(first.body.missing_fields, ['destination', 'check_out', 'guests']);
  const moved = await conversation.send({ check_in_day: '2027-05-10' });
  assert.deepEqual(moved.body.received, { check_in_month: '2027-05', check_in_day: '2027-05-10' });
  assert.equal('cleared_fields' in moved.body, false);
});

test('a day in another month than the same request names is at odds with it', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).send({ check_in_month: '2027-04', check_in_day: '2027-05-10' });
  assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'check_in_day']);
  assert.deepEqual(body.reason, { code: 'conflicts_with', fields: ['check_in_month'] });
  assert.deepEqual(body.received, { check_in_month: '2027-04' });
});

test('the types of allowed values', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  const first = (await conversation.read()).body.allowed_values;
  assert.deepEqual(
    first.brand_locked.map(({ value }: { value: unknown }) => value),
    [true, false],
  );
  for (const { description } of first.brand_locked) assert.match(description, /: when the traveller/);
  for (const month of first.check_in_month) assert.match(month, /^\d{4}-\d{2}$/);
  for (const guests of first.guests) assert.match(guests, /^[1-9]\d*$/);
  const second = (await conversation.send({ brand_locked: true, check_in_month: '2027-03' })).body
    .allowed_values;
  for (const place of second.destination) assert.match(place, /^[a-z0-9-]+$/);
  for (const day of second.check_in_day) assert.match(day, /^2027-03-\d{2}$/);
  assert.equal(second.check_in_day[0], '2027-03-01', 'today is still on offer');
  const third = (await conversation.send({ check_in_day: '2027-03-30' })).body.allowed_values;
  assert.deepEqual(third.check_out.slice(0, 3), ['2027-03-31', '2027-04-01', '2027-04-02']);
});

test('amenities are offered with how many of how many matches have them', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  const { body } = await conversation.send({});
  assert.deepEqual(body.allowed_values, { amenities: [{ value: 'pool', match_count: 1, of: 2 }] });
});

test('all encodings of a value are equal', async (t) => {
  const { service, open } = await setScene(t);
  const cases = [
    [
      'brand_locked',
      [
        { brand_locked: true },
        { brand_locked: 'true' },
        { field: 'brand_locked', value: true },
        { field: 'brand_locked', value: 'true' },
      ],
      'true',
      true,
    ],
    [
      'check_in_month',
      [{ check_in_month: '2027-04' }, { field: 'check_in_month', value: '2027-04' }],
      '2027-04',
      '2027-04',
    ],
    [
      'guests',
      [{ guests: 2 }, { guests: '2' }, { field: 'guests', value: 2 }, { field: 'guests', value: '2' }],
      '2',
      '2',
    ],
  ] as const;
  for (const [field, bodies, text, received] of cases) {
    for (const sent of bodies) {
      const { body } = await (await open('acme')).send(sent);
      assert.deepEqual(body.received, { source: 'acme', [field]: received }, JSON.stringify(sent));
    }
    const byQuery = await (await open('acme')).read({ field, value: text });
    assert.deepEqual(byQuery.body.received, { source: 'acme', [field]: received });
    const posted = await open('acme');
    const byPost = await service.post(posted.address({ field, value: text }), {});
    assert.deepEqual(byPost.body.received, { source: 'acme', [field]: received });
  }
});

test('one amenity can be sent as a text, as an array of one, or named as a field', async (t) => {
  const { open } = await setScene(t);
  for (const sent of [
    { amenities: 'pool' },
    { amenities: ['pool'] },
    { field: 'amenities', value: 'pool' },
    { field: 'amenities', value: ['pool'] },
  ]) {
    const conversation = await open();
    await conversation.search();
    const { body } = await conversation.send(sent);
    assert.deepEqual(body.applied_filters, { amenities: ['pool'] }, JSON.stringify(sent));
  }
});

test('an offered request can be sent back whole as the body', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.read();
  const taken = await conversation.send(body.available_requests[1]);
  assert.deepEqual(taken.body.received, { destination: 'lisbon-pt' });
});
