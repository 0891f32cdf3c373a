import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { ACME, setScene } from '../support/scene.ts';

const TWO_BRANDS = { acme: ACME, bravo: { properties: [property('z')] } };
const filled = (template: string, value: string) => template.replace(/\{\w+\}/, encodeURIComponent(value));

test('a step says whether the session has a result, before, with and after it', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  assert.equal('result_ready' in (await conversation.read()).body, false);
  await conversation.search();
  assert.equal((await conversation.read()).body.result_ready, true, 'the refine step');
  assert.equal((await conversation.send({ guests: 99 })).body.result_ready, true, 'a refusal');
  assert.equal((await conversation.send({ check_in_month: '2027-05' })).body.result_ready, true, 'a change');
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

test('a step and the schema say that every person counts', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.read();
  assert.deepEqual(body.field_hints, { guests: 'Every person counts, children and infants too.' });
  const set = await conversation.send({ guests: 2 });
  assert.equal('field_hints' in set.body, false, 'it is not asked for any more');
  const { fields } = (await service.get('/ai/v1/schema')).body;
  const guests = fields.find(({ name }: { name: string }) => name === 'guests');
  assert.match(guests.meaning, /children and infants too/);
});

test('every step has the template for a whole stay, which can be filled in part', async (t) => {
  const { service, open } = await setScene(t);
  for (const source of [null, 'acme']) {
    const conversation = await open(source);
    const { url_template: template } = (await conversation.read()).body;
    assert.equal(`${template}&view=compact`, conversation.opened.body.url_template);
    const part = template.replace('{destination}', 'Porto').replaceAll(/&\w+=\{\w+\}/g, '');
    const step = await service.get(source === null ? part : `${part}&brand_locked=true`);
    assert.equal(step.body.received.destination, 'porto-pt');
    assert.equal(step.body.url_template, template);
  }
});

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

test('a session is offered changes of its own fields only', async (t) => {
  const { open } = await setScene(t, {
    brands: { ...TWO_BRANDS, solo: { properties: [property('s')], entry: { single_location: 'lisbon-pt' } } },
  });
  const changeable = async (source: string | null, changes = {}) =>
    Object.keys((await (await open(source)).search(changes)).body.available_requests.change);
  const dates = ['check_in_month', 'check_in_day', 'check_out', 'guests'];
  assert.deepEqual(await changeable('acme'), ['brand_locked', 'destination', ...dates]);
  assert.deepEqual(await changeable(null), ['destination', ...dates]);
  const { destination: _, ...withoutPlace } = STAY;
  const solo = await (await open('solo')).send({ brand_locked: true, ...withoutPlace });
  assert.deepEqual(Object.keys(solo.body.available_requests.change), ['brand_locked', ...dates]);
});

test('refine has its values with their counts, and each can be applied at once', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.search();
  const { options, url_template } = body.available_requests.refine;
  const step = await conversation.read();
  const offers = options.map(({ url: _, ...offer }: { url: string }) => offer);
  assert.deepEqual(offers, step.body.allowed_values.amenities, 'those of the refine step');
  for (const { value, match_count } of options) {
    const narrowed = await service.get(filled(url_template, value));
    assert.deepEqual(narrowed.body.applied_filters, { amenities: [value] });
    assert.equal(narrowed.body.comparison_set.total_matches, match_count);
  }
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

test('what is said about a set comes before its options, and the longest comes last', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open('acme');
  const full = await conversation.search();
  const compact = await service.get(`/ai/v1/result?session=${conversation.token}&view=compact`);
  for (const { raw } of [full, compact]) {
    const members = Object.keys(JSON.parse(raw));
    assert.equal(members.at(-1), 'results');
    for (const member of ['query', 'comparison_set', 'applied_filters', 'available_requests', 'notes']) {
      assert.ok(members.includes(member), member);
    }
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

test('after a change of mind the old refine address opens the step of the search as it stands', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const { body } = await conversation.search();
  await conversation.send({ check_in_month: '2027-05' });
  const step = await service.post(body.available_requests.refine.href, {});
  assert.equal(step.body.error, 'incomplete_payload');
  assert.deepEqual(step.body.missing_fields, ['check_in_day', 'check_out']);
  assert.equal(step.body.received.check_in_month, '2027-05');
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

test('whoever only follows links narrows a result by an amenity', async (t) => {
  const { service, open } = await setScene(t, { settings: { publicUrl: 'https://stay.example' } });
  for (const view of ['full', 'compact']) {
    const { token } = await open();
    const { body } = await service.get(
      `/ai/v1/search?${new URLSearchParams({ session: token, ...STAY, view })}`,
    );
    const [option] = body.available_requests.refine.options;
    const { url, ...offer } = option;
    assert.deepEqual(offer, { value: 'pool', match_count: 1, of: 2 });
    assert.ok(url.startsWith('https://stay.example/ai/v1/search?'), 'whole where the origin is known');
    const narrowed = await service.get(url.replace('https://stay.example', ''));
    assert.deepEqual(narrowed.body.applied_filters, { amenities: ['pool'] });
    assert.equal(narrowed.body.view, view === 'compact' ? 'compact' : undefined);
  }
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
