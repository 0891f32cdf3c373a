import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alwaysFree, PLACES, property } from '../support/network.ts';
import { scaledCases } from '../support/property-cases.ts';
import { setScene } from '../support/scene.ts';

test('the first step of a sourced session, whole', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  const { status, raw } = await conversation.send({});
  const address = '/ai/v1/search?session=TOKEN&field=brand_locked';
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(raw.replaceAll(conversation.token, 'TOKEN')), {
    api_version: '2026-11-01',
    status: 200,
    endpoint: '/ai/v1/search',
    method: 'POST',
    session: 'TOKEN',
    error: 'incomplete_payload',
    message: 'Missing required field: brand_locked',
    received: { source: 'acme' },
    missing_fields: ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'],
    allowed_values: {
      brand_locked: [
        {
          value: true,
          description: 'Only the brand of the entry: when the traveller came for this brand.',
        },
        {
          value: false,
          description: 'Every brand on the network: when the traveller wants to compare across brands.',
        },
      ],
      check_in_month: ['2027-03', '2027-04', '2027-05', '2027-06', '2027-07', '2027-08', '2027-09'],
      guests: ['1', '2', '3', '4'],
    },
    field_hints: { guests: 'Every person counts, children and infants too.' },
    field_order: ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'],
    depends_on: { destination: 'brand_locked', check_in_day: 'check_in_month', check_out: 'check_in_day' },
    url_template:
      '/ai/v1/search?session=TOKEN&brand_locked={brand_locked}&destination={destination}&check_in_day={check_in_day}&check_out={check_out}&guests={guests}',
    schema_url: '/ai/v1/schema',
    terms_url: '/ai/v1/terms',
    terms_notice:
      'Use of this interface is subject to its terms. The version published at /ai/v1/terms governs.',
    self_url: '/ai/v1/search?session=TOKEN',
    next_required: 'brand_locked',
    next_request: {
      field: 'brand_locked',
      value: 'true',
      url: `${address}&value=true&idempotency_key=sw.0.0`,
    },
    available_requests: [
      { field: 'brand_locked', value: 'true', url: `${address}&value=true&idempotency_key=sw.0.0` },
      { field: 'brand_locked', value: 'false', url: `${address}&value=false&idempotency_key=sw.0.1` },
    ],
  });
});

test('a direct session has received nothing and is asked for a destination first', async (t) => {
  const { open } = await setScene(t);
  const { body } = await (await open()).read();
  assert.deepEqual(body.received, {});
  assert.equal(body.next_required, 'destination');
  assert.equal(body.message, 'Missing required field: destination');
  assert.equal('object' in body, false);
});

test('every offered request is complete: session, key, field and value', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.read();
  assert.deepEqual(body.next_request, body.available_requests[0]);
  assert.deepEqual(
    body.available_requests.map(({ value }: { value: string }) => value),
    body.allowed_values.destination,
  );
  const keys = new Set<string>();
  for (const { field, value, url } of body.available_requests) {
    const parameters = new URL(url, 'http://service').searchParams;
    assert.equal(parameters.get('session'), conversation.token);
    assert.equal(parameters.get('field'), field);
    assert.equal(parameters.get('value'), value);
    keys.add(parameters.get('idempotency_key') ?? '');
  }
  assert.equal(keys.size, body.available_requests.length, 'every offer has a key of its own');
  const followed = await service.post(body.available_requests[1].url, {});
  assert.equal(followed.body.received.destination, 'lisbon-pt');
});

test('a long list of values comes whole, and the requests for it are cut to 60, which is marked', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.send({
    destination: 'lisbon-pt',
    check_in_month: '2027-04',
    check_in_day: '2027-04-10',
  });
  assert.equal(body.next_required, 'check_out');
  assert.equal(body.allowed_values.check_out[0], '2027-04-11');
  assert.equal(body.allowed_values.check_out.at(-1), '2027-09-17');
  assert.equal(body.allowed_values.check_out.length, 160);
  assert.equal(body.available_requests.length, 60);
  assert.deepEqual(body.available_requests_truncated, {
    shown: 60,
    total: 160,
    url_template: `/ai/v1/search?session=${conversation.token}&field=check_out&value={value}`,
  });
  const beyond = body.available_requests_truncated.url_template.replace('{value}', '2027-09-01');
  assert.equal((await service.get(beyond)).body.received.check_out, '2027-09-01');
});

test('200 of 230 destinations are listed, most stock first, and every one is acceptable', async (t) => {
  const cities = Array.from({ length: 230 }, (_, number) => ({
    id: `city-${String(number).padStart(3, '0')}`,
    name: `City ${number}`,
    kind: 'city' as const,
    time_zone: 'Europe/Lisbon',
    currency: 'EUR',
  }));
  const properties = cities.map(({ id }) => property(id, { place: id }));
  const { open } = await setScene(t, {
    brands: { acme: { properties: [...properties, property('second', { place: 'city-229' })] } },
    network: { places: cities },
  });
  const conversation = await open();
  const { body } = await conversation.read();
  assert.deepEqual(body.allowed_values_truncated, { destination: { shown: 200, total: 230 } });
  assert.equal(body.allowed_values.destination.length, 200);
  assert.equal(body.available_requests.length, 60);
  const { shown, total } = body.available_requests_truncated;
  assert.deepEqual([shown, total], [60, 230], 'of all, also of those that are not listed');
  assert.equal(Object.keys(body.places).length, 200);
  assert.deepEqual(body.allowed_values.destination.slice(0, 3), ['city-229', 'city-000', 'city-001']);
  assert.ok(!body.allowed_values.destination.includes('city-225'));
  const taken = await conversation.send({ destination: 'city-225' });
  assert.equal(taken.body.received.destination, 'city-225');
  assert.equal('allowed_values_truncated' in taken.body, false);
});

test('no dead ends: any choice of offered values, in any order, ends in a result', async (t) => {
  const closed = { from: '2027-03-20', to: '2027-03-27', available: false };
  const { open } = await setScene(t, {
    settings: { rateLimit: 1_000_000 },
    brands: {
      acme: {
        properties: [
          property('a', { max_guests: 2 }, [
            { from: '2027-03-02', to: '2027-03-20', available: true, minimum_stay: 3, price: '80.00' },
            closed,
            { from: '2027-03-27', to: '2027-04-02', available: true, closed_to_arrival: true },
          ]),
          property('b', { place: 'porto-pt', lead_days: 20 }, [
            { from: '2027-03-01', to: '2027-03-29', available: true, maximum_stay: 2 },
            { from: '2027-03-29', to: '2027-04-09', available: true, closed_to_departure: true },
            { from: '2027-04-09', to: '2027-04-12', available: true },
          ]),
        ],
      },
      bravo: { properties: [property('z', { place: 'evora-pt', max_guests: 7 }, alwaysFree().slice(0, 1))] },
    },
    network: { places: PLACES },
  });
  const choices = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), choices, async (sourced, path) => {
      const conversation = await open(sourced ? 'acme' : null);
      let { body } = await conversation.read();
      for (const [which, value] of path) {
        if (body.object === 'search_result') break;
        const fields = Object.keys(body.allowed_values);
        const field = fields[which % fields.length] ?? '';
        const values = body.allowed_values[field];
        assert.ok(values.length > 0, `${field} is open and has no values`);
        const chosen = values[value % values.length];
        ({ body } = await conversation.send({ [field]: chosen.value ?? chosen }));
        assert.ok(
          body.object === 'search_result' || body.error === 'incomplete_payload',
          `${field} = ${JSON.stringify(chosen)} was offered: ${body.error}`,
        );
      }
      assert.equal(body.object, 'search_result');
      assert.ok(body.comparison_set.options_count > 0);
    }),
    { numRuns: scaledCases(40) },
  );
});

test('a step names the places on offer: what they are called, what they are and what they lie in', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.read();
  assert.deepEqual(body.places, {
    portugal: { name: 'Portugal', kind: 'country', within: null },
    'lisbon-pt': { name: 'Lisbon', kind: 'city', within: 'portugal' },
    'porto-pt': { name: 'Porto', kind: 'city', within: 'portugal' },
  });
  assert.deepEqual(Object.keys(body.places), body.allowed_values.destination, 'in the order of the offer');
  const taken = await conversation.send({ destination: 'lisbon-pt' });
  assert.equal('places' in taken.body, false);
});

test('at most sixty amenities are offered, the most frequent ones, and every other one is still taken', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`extra_${n}`, `Extra ${n}`]));
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('a', { amenities: { ...many, pool: 'Pool' } }),
          property('b', { amenities: { pool: 'Pool' } }),
          property('c'),
        ],
      },
      bravo: { properties: [property('d', { amenities: many })] },
    },
  });
  const conversation = await open();
  const { body } = await conversation.search();
  const { options } = body.available_requests.refine;
  assert.equal(options.length, 60);
  assert.equal(options[0].value, 'pool');
  const offered: string[] = options.map(({ value }: { value: string }) => value);
  const other = Object.keys(many).find((key) => !offered.includes(key)) ?? '';
  const narrowed = await conversation.send({ amenities: other });
  assert.deepEqual(narrowed.body.applied_filters, { amenities: [other] });
});
