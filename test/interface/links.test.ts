import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { ACME, setScene } from '../support/scene.ts';

const TWO_BRANDS = { acme: ACME, bravo: { properties: [property('z')] } };

const filled = (template: string, value: string) => template.replace(/\{\w+\}/, encodeURIComponent(value));

test('each field of a result can be changed by its address, whatever its place in the order', async (t) => {
  const { service, open } = await setScene(t, { brands: TWO_BRANDS });
  const values = {
    destination: 'porto-pt',
    check_in_day: '2027-05-04',
    check_out: '2027-04-15',
    guests: '3',
  };
  for (const [field, value] of Object.entries(values)) {
    const { body } = await (await open('acme')).search();
    const { url_template } = body.available_requests.change[field];
    const changed = await service.get(filled(url_template, value));
    const received = changed.body.received ?? changed.body.query;
    assert.ok(Object.values(received).map(String).includes(value), `${field}: ${changed.raw.slice(0, 200)}`);
    assert.notEqual(changed.body.error, 'invalid_value', field);
  }
  const { body } = await (await open('acme')).search();
  assert.deepEqual(Object.keys(body.available_requests.change.brand_locked), ['url']);
  const widened = await service.get(body.available_requests.change.brand_locked.url);
  assert.equal(widened.body.query.brand_locked, false);
  assert.equal(widened.body.query.destination, 'lisbon-pt');
  assert.equal(widened.body.comparison_set.options_count, 3);
  const back = await service.get(widened.body.available_requests.change.brand_locked.url);
  assert.equal(back.body.query.brand_locked, true, 'its other value');
});

test('clear_filters is there while filters are on, and takes them off with GET and with POST', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const wide = await conversation.search();
  assert.equal('clear_filters' in wide.body.available_requests, false);
  for (const follow of [service.get, (url: string) => service.post(url, {})]) {
    const { body } = await conversation.send({ amenities: 'pool' });
    const cleared = await follow(body.available_requests.clear_filters.href);
    assert.deepEqual(cleared.body.applied_filters, { amenities: [] });
    assert.equal(cleared.body.comparison_set.options_count, 2);
    assert.equal('clear_filters' in cleared.body.available_requests, false);
  }
});

test('the result says by its header when the search has moved on since', async (t) => {
  const { open, operator } = await setScene(t);
  const conversation = await open();
  const { raw } = await conversation.search();
  const current = async () => {
    const { headers, ...result } = await conversation.result();
    return { current: headers['x-result-current'], isSame: result.raw === raw };
  };
  assert.deepEqual(await current(), { current: undefined, isSame: true });
  await conversation.send({ guests: 99 });
  assert.deepEqual(await current(), { current: undefined, isSame: true }, 'a refusal moves nothing');
  await conversation.send({ check_in_month: '2027-05' });
  assert.deepEqual(await current(), { current: 'false', isSame: true });
  operator.misbehave = (_path, response) => {
    response.writeHead(503).end();
    return true;
  };
  await conversation.send({ check_in_day: '2027-05-03', check_out: '2027-05-05' });
  assert.deepEqual(await current(), { current: 'false', isSame: true }, 'silence replaces nothing');
  operator.misbehave = () => false;
  await conversation.read();
  assert.deepEqual(await current(), { current: undefined, isSame: false });
});

test('an old address that is followed late changes the search as it stands, and the answer says so', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const early = (await conversation.read()).body.available_requests;
  const porto = early.find(({ value }: { value: string }) => value === 'porto-pt');
  await conversation.search();
  const { body } = await service.get(porto.url);
  assert.equal(body.object, 'search_result', 'quoted anew at once');
  assert.equal(body.query.destination, 'porto-pt');
  assert.equal(body.from_earlier_step, true);
  const fresh = await service.get(filled(body.available_requests.change.guests.url_template, '3'));
  assert.equal('from_earlier_step' in fresh.body, false, 'a template belongs to no step');
});

test('a caller that only follows links changes an answer of a result: its address opens the choices', async (t) => {
  const { service, open } = await setScene(t);
  for (const [field, value, others] of [
    ['destination', 'porto-pt', ['lisbon-pt', 'portugal']],
    ['check_in_month', '2027-05', ['2027-04']],
    ['check_in_day', '2027-04-11', ['2027-04-10', '2027-04-30']],
    ['check_out', '2027-04-12', ['2027-04-11', '2027-04-13']],
    ['guests', '4', ['1', '2', '3']],
  ] as const) {
    const conversation = await open();
    const result = await conversation.search();
    const { body } = await service.get(result.body.available_requests.change[field].url);
    assert.deepEqual([body.error, body.next_required], ['incomplete_payload', field]);
    assert.match(body.message, new RegExp(`^Missing required field: ${field}\\b`));
    assert.deepEqual(body.missing_fields, [field]);
    assert.deepEqual(body.received, { ...STAY }, 'nothing has changed');
    for (const one of [value, ...others]) assert.ok(body.allowed_values[field].includes(one), one);
    const stored = await service.get(`/ai/v1/result?session=${conversation.token}`);
    assert.deepEqual([stored.raw, stored.headers['x-result-current']], [result.raw, undefined]);
    const { url: unchanged, value: standing, changes } = body.next_request;
    assert.equal(changes, undefined);
    assert.doesNotMatch(body.message, /cleared|\.\./);
    assert.equal(standing, STAY[field], 'blindly followed it changes nothing');
    assert.deepEqual((await service.get(unchanged)).body.results, result.body.results);
    assert.deepEqual((await service.get(body.available_requests.at(-1).url)).raw, result.raw);
    const chosen = body.available_requests.find((one: { value?: string }) => one.value === value);
    const changed = await service.get(chosen.url);
    const { check_in, ...query } = changed.body.query ?? changed.body.received;
    const now = { ...query, check_in_day: check_in ?? query.check_in_day };
    assert.equal(String(now[field]), value, field);
    assert.notEqual(changed.body.error, 'invalid_value');
  }
});

test('choices keep to the other answers, and a field that is not asked for has none', async (t) => {
  const small = property('small', { max_guests: 2 });
  const { service, open } = await setScene(t, {
    brands: { acme: { properties: [small, property('large', { place: 'porto-pt', max_guests: 6 })] } },
  });
  const conversation = await open();
  await conversation.search({ guests: 2 });
  const choices = async (field: string) =>
    (await service.get(`${conversation.address()}&choices=${field}`)).body;
  assert.deepEqual((await choices('guests')).allowed_values.guests, ['1', '2']);
  await conversation.send({ destination: 'porto-pt', guests: 6 });
  assert.deepEqual((await choices('destination')).allowed_values.destination.toSorted(), [
    'porto-pt',
    'portugal',
  ]);
  for (const field of ['brand_locked', 'price', '']) {
    assert.equal((await choices(field)).error, 'unknown_field', field);
  }
  const fresh = await open();
  const { body } = await service.get(`${fresh.address()}&choices=check_out`);
  assert.equal(body.next_required, 'destination', 'its arrival is not known yet');
  const guests = await service.get(`${fresh.address()}&choices=guests`);
  assert.deepEqual([guests.body.next_required, guests.body.missing_fields.at(-1)], ['guests', 'guests']);
});
