import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendToMcp, toolMessage } from '../support/mcp-message.ts';
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

test('an offered request can be sent back whole as the body', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.read();
  const taken = await conversation.send(body.available_requests[1]);
  assert.deepEqual(taken.body.received, { destination: 'lisbon-pt' });
});

// What assistants that had never seen the interface stumbled over, one test each. What was untrue about prices is tested
// with the prices, in live-quotes.test.ts and comparison-set.test.ts.

const WHOLE_STAY = {
  destination: 'Lisbon',
  check_in_day: '2027-04-10',
  check_out: '2027-04-13',
  guests: '2',
};

test('every example of a whole stay gives a result as it stands, on any day', async (t) => {
  const { service, open } = await setScene(t, {
    brands: {
      acme: ACME,
      harbour: {
        properties: [property('h', { place: 'porto-pt' })],
        entry: { single_location: 'porto-pt' },
      },
    },
  });
  const givesOptions = async (url: string) => {
    const { body } = await service.get(url);
    assert.equal(body.object, 'search_result', `${url}: ${JSON.stringify(body.message)}`);
    assert.ok(body.comparison_set.options_count > 0);
    assert.equal('refusals' in body, false, url);
  };
  for (const days of [0, 40]) {
    service.time.now += days * 86_400_000;
    for (const source of [null, 'acme', 'harbour']) {
      const conversation = await open(source);
      const [, values] = /for example with (\S+)\. /.exec(conversation.opened.body.hint) ?? [];
      assert.ok(values, conversation.opened.body.hint);
      await givesOptions(`${conversation.address()}&${values}`);
      for (const accept of ['text/html', 'text/markdown', 'application/json']) {
        const { raw } = await service.get(source === null ? '/' : `/?source=${source}`, { accept });
        const addresses = raw.replaceAll('&amp;', '&').match(/\/ai\/v1\/search\?session=[^\s"'<`]*/g) ?? [];
        const examples = addresses.filter((address) => /check_in_day=\d/.test(address));
        assert.ok(examples.length > 0, `${accept} has an example`);
        for (const example of examples) {
          const { token } = await open(source);
          await givesOptions(example.replace(/session=\{?\w+\}?/, `session=${token}`));
        }
      }
    }
  }
});

test('the length of a stay stands for its departure, once the arrival is known', async (t) => {
  const { service, open } = await setScene(t);
  const { check_out: departure, ...arrival } = WHOLE_STAY;
  const departureOf = async (...requests: readonly Record<string, unknown>[]) => {
    const conversation = await open();
    let answer = await conversation.read({});
    for (const request of requests) answer = await conversation.send(request);
    return answer.body.query?.check_out ?? answer.body.received?.check_out;
  };
  for (const nights of [3, '3', '03']) {
    assert.equal(await departureOf({ ...arrival, nights }), departure);
    assert.equal(await departureOf(arrival, { nights }), departure);
    assert.equal(await departureOf({ ...WHOLE_STAY, nights }), departure, 'it may agree with the departure');
    assert.equal(await departureOf({ ...arrival, field: 'nights', value: nights }), departure);
  }
  const conversation = await open();
  const byGet = await conversation.read({ ...arrival, nights: '3' });
  assert.equal(byGet.body.query?.check_out, departure, byGet.raw);

  const { body: called } = await sendToMcp(
    await service.listen(),
    toolMessage('search_stays', { ...arrival, nights: 3 }),
  );
  assert.equal(called.result?.structuredContent.comparison?.check_out, departure, JSON.stringify(called));

  const changed = await conversation.send({ nights: 4 });
  assert.equal(changed.body.query?.check_out, '2027-04-14');
});

test('a length of stay that cannot be counted is refused with what it needs', async (t) => {
  const { open } = await setScene(t);
  const { check_in_day: _, check_out: __, ...without } = WHOLE_STAY;
  const said = /nights counts from check_in_day/;
  for (const request of [
    { ...without, nights: 3 },
    { ...WHOLE_STAY, nights: 5 },
    { check_in_day: 'soon', nights: 3 },
    { check_in_day: '2027-04-10', nights: 'a week' },
    { check_in_day: '2027-04-10', nights: 0 },
  ]) {
    const { body } = await (await open()).send(request);
    const refusals = body.refusals ?? [body, ...(body.other_refusals ?? [])];
    const messages = refusals.map((one: { message: string }) => one.message);
    assert.ok(
      messages.some((message: string) => said.test(message)),
      JSON.stringify(messages),
    );
  }
  // Under another name the arrival is refused, and both dates are offered at once.
  const { body } = await (await open()).send({ ...without, check_in: '2027-04-10', nights: 3 });
  assert.equal(body.did_you_mean ?? body.other_refusals?.[0].did_you_mean, 'check_in_day');
  assert.match(body.next_request.url, /check_in_day=2027-04-10.*check_out=2027-04-13/);
});
