import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { alwaysFree, property } from '../support/network.ts';
import { setScene } from '../support/scene.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';

type Envelope = { results: { property_id: string }[] };
const idsOf = (body: Envelope) => body.results.map(({ property_id: id }) => id);

const ONE_HOME = { acme: { properties: [property('home', { max_guests: 4 })] } };
const LONG = { check_in_day: '2027-04-10', check_out: '2027-09-10' };

/** Its catalogue says four guests, its booking system takes two. */
const sleepsTwo: ScriptedOperator['quote'] = (reference, { guests, currency }) =>
  guests > 2
    ? { property: reference, status: 'unavailable', reason: 'too_many_guests' }
    : { property: reference, status: 'quoted', currency, total: '100.00' };

const monthsIn = ({ body }: { body: { allowed_values: Record<string, unknown> } }) =>
  body.allowed_values.check_in_month;

test('a stay that is refused to one party is as free for another as it was', async (t) => {
  const { operator, open } = await setScene(t, { brands: ONE_HOME });
  operator.quote = sleepsTwo;
  const large = await (await open()).search({ guests: 4 });
  assert.deepEqual(large.body.results, []);
  const small = await (await open()).search({ guests: 2 });
  assert.deepEqual(idsOf(small.body), ['acme:home']);
});

test('a long stay that is refused, by a rule or as booked, takes no month from others', async (t) => {
  for (const reason of ['too_many_guests', 'maximum_stay', 'not_offered', 'booked'] as const) {
    const { operator, open } = await setScene(t, { brands: ONE_HOME });
    const months = monthsIn(await (await open()).send({ destination: 'lisbon-pt' }));
    operator.quote = (reference) => ({ property: reference, status: 'unavailable', reason });
    const refused = await (await open()).search(LONG);
    assert.deepEqual(refused.body.results, [], reason);
    assert.deepEqual(monthsIn(await (await open()).send({ destination: 'lisbon-pt' })), months, reason);
  }
});

test('a stay that a rule refused is not asked for again at once, and the set says that it cannot be had', async (t) => {
  const brands = { acme: { properties: [property('home'), property('other')] } };
  const { operator, service, open } = await setScene(t, { brands });
  operator.quote = (reference, request) =>
    reference === 'home'
      ? { property: reference, status: 'unavailable', reason: 'closed_to_arrival' }
      : sleepsTwo(reference, request);
  const askedFor = () => operator.asked.splice(0).flatMap(({ properties }) => properties);
  await (await open()).search();
  assert.deepEqual(askedFor().sort(), ['home', 'other']);

  const again = await (await open()).search();
  assert.deepEqual(askedFor(), ['other']);
  assert.deepEqual(idsOf(again.body), ['acme:other']);
  assert.equal(again.body.comparison_set.total_matches, 1);
  await (await open()).search({ check_out: '2027-04-16' });
  assert.deepEqual(askedFor().sort(), ['home', 'other'], 'another stay may well be had');

  operator.quote = sleepsTwo;
  await service.time.pass(600_000);
  await (await open()).search();
  assert.deepEqual(askedFor().sort(), ['home', 'other'], 'after ten minutes');
});

type Offered = {
  allowed_values: Record<string, string[]>;
  available_requests: { field?: string; value?: string }[];
};

/** What is said to be impossible is not offered beside it, but the rest is. */
function assertNotOffered(body: Offered, field: string, value: string): void {
  const values = body.allowed_values[field] ?? [];
  assert.ok(values.length > 0 && !values.includes(value), `${field} ${values}`);
  const requests = body.available_requests.filter((request) => request.field === field);
  assert.ok(requests.length > 0 && requests.every((request) => request.value !== value));
}

const noShorterThanFive: ScriptedOperator['quote'] = (reference, { check_in, check_out, currency }) =>
  Date.parse(check_out) - Date.parse(check_in) < 5 * 86_400_000
    ? { property: reference, status: 'unavailable', reason: 'minimum_stay' }
    : { property: reference, status: 'quoted', currency, total: '100.00' };

test('an empty set says why, speaks of no prices, and leads to what can be had', async (t) => {
  const { operator, service, open } = await setScene(t, { brands: ONE_HOME });
  operator.quote = noShorterThanFive;
  const { body } = await (await open()).search({ check_out: '2027-04-14' });
  assert.deepEqual(body.results, []);
  assert.match(body.notes, /^No operator could offer this stay.* fewer nights than the minimum stay \(1\)\./);
  assert.match(body.notes, /departures on 2027-04-15, 2027-04-16, /);
  assert.doesNotMatch(body.notes, /Prices are|held until|indicative/);
  const { change } = body.available_requests;
  const longer = await service.get(change.check_out.url);
  assert.deepEqual([longer.body.query.nights, idsOf(longer.body)], [5, ['acme:home']]);
  assert.match(change.check_in_day.url, /check_in_day=2027-04-11&check_out=2027-04-15/, 'as many nights');
  assert.match(change.guests.url, /choices=guests/, 'nothing near: its other values');
});

test('an empty set of homes that were just booked leads to other days', async (t) => {
  const { operator, service, open } = await setScene(t, { brands: ONE_HOME });
  // Which of the nights is taken nobody says; a stay that shares one of them would likely be refused too.
  operator.quote = (reference, { check_in, check_out, currency }) =>
    check_in < '2027-04-13' && check_out > '2027-04-12'
      ? { property: reference, status: 'unavailable', reason: 'booked' }
      : { property: reference, status: 'quoted', currency, total: '100.00' };
  const { body } = await (await open()).search();
  assert.match(
    body.notes,
    /no longer free \(1\)\. By the calendars still free nearby: as many nights from 2027-04-13 to/,
  );
  const moved = await service.get(body.available_requests.change.check_in_day.url);
  assert.deepEqual([moved.body.query.check_in, idsOf(moved.body)], ['2027-04-13', ['acme:home']]);
  const again = await (await open()).send({ ...STAY });
  assert.deepEqual([again.body.error, again.body.reason.code], ['invalid_value', 'nothing_free']);
  assert.ok(again.body.suggestions.length > 0);
});

test('when a rule refused all a moment ago, the stay is refused with what is near, and nobody is asked', async (t) => {
  const { operator, service, open } = await setScene(t, { brands: ONE_HOME });
  operator.quote = noShorterThanFive;
  await (await open()).search({ check_out: '2027-04-14' });
  operator.asked.splice(0);
  const conversation = await open();
  const { body } = await conversation.send({ ...STAY, check_out: '2027-04-14', amenities: 'wifi' });
  assert.deepEqual([body.error, body.invalid_field, operator.asked], ['invalid_value', 'check_out', []]);
  assert.match(
    body.message,
    /The operators refused what matched: fewer nights than the minimum stay \(1\)\.$/,
  );
  assert.deepEqual(body.suggestions.slice(0, 2), ['2027-04-15', '2027-04-16']);
  assert.deepEqual(body.accepted_fields, [
    'destination',
    'check_in_month',
    'check_in_day',
    'guests',
    'amenities',
  ]);
  assert.deepEqual(body.missing_fields, ['check_out']);
  assertNotOffered(body, 'check_out', '2027-04-14');
  const { body: found } = await service.get(body.next_request.url);
  assert.deepEqual([found.query.nights, idsOf(found)], [5, ['acme:home']]);
});

test('a party, or an arrival, that a rule refused a moment ago is asked for again, and not offered in the same answer', async (t) => {
  for (const [reason, field, refusedFor, value] of [
    ['too_many_guests', 'guests', { guests: 3 }, '3'],
    ['closed_to_arrival', 'check_in_day', {}, STAY.check_in_day],
  ] as const) {
    const { operator, service, open } = await setScene(t, { brands: ONE_HOME });
    operator.quote = (reference, { guests, check_in, currency }) =>
      guests > 2 || (reason === 'closed_to_arrival' && check_in === STAY.check_in_day)
        ? { property: reference, status: 'unavailable', reason }
        : { property: reference, status: 'quoted', currency, total: '100.00' };
    await (await open()).search(refusedFor);
    const { body } = await (await open()).send({ ...STAY, ...refusedFor });
    assert.deepEqual([body.error, body.invalid_field], ['invalid_value', field]);
    assertNotOffered(body, field, value);
    if (field === 'guests') assert.deepEqual(body.allowed_values.guests, ['1', '2'], 'nor a larger party');
    const { body: found } = await service.get(body.next_request.url);
    assert.deepEqual([found.query.nights, idsOf(found)], [3, ['acme:home']]);
  }
});

test('where the arrival has no other departure, the arrival is asked for again', async (t) => {
  const [period] = alwaysFree();
  assert.ok(period);
  const periods = [{ ...period, minimum_stay: 4, maximum_stay: 4 }];
  const brands = { acme: { properties: [property('home', {}, periods)] } };
  const { operator, open } = await setScene(t, { brands });
  operator.quote = noShorterThanFive;
  const stay = { ...STAY, check_out: '2027-04-14' };
  await (await open()).search(stay);
  const { body } = await (await open()).send(stay);
  assert.deepEqual([body.error, body.invalid_field], ['invalid_value', 'check_in_day']);
  assertNotOffered(body, 'check_in_day', STAY.check_in_day);
  assert.match(body.next_request.url, /check_in_day=2027-04-11&check_out=2027-04-15/);
});

test('where the month has no other arrival, the month is asked for again, and then the place', async (t) => {
  const only = { available: true, price: '50.00', minimum_stay: 4, maximum_stay: 4 };
  const oneStay = { ...only, from: '2027-04-10', to: '2027-04-14' };
  const inMay = { ...only, from: '2027-05-10', to: '2027-05-20' };
  const stay = { ...STAY, check_out: '2027-04-14' };
  for (const [periods, field, value] of [
    [[oneStay, inMay], 'check_in_month', '2027-04'],
    [[oneStay], 'destination', STAY.destination],
  ] as const) {
    const elsewhere = property('elsewhere', { place: 'porto-pt' }, [inMay]);
    const brands = { acme: { properties: [property('home', {}, periods), elsewhere] } };
    const { operator, open } = await setScene(t, { brands });
    operator.quote = noShorterThanFive;
    await (await open()).search(stay);
    const { body } = await (await open()).send(stay);
    assert.deepEqual([body.error, body.invalid_field], ['invalid_value', field]);
    assertNotOffered(body, field, value);
  }
});

test('a reading that is refused by what was learned since leads on from the state that it leaves', async (t) => {
  const { operator, open } = await setScene(t, { brands: ONE_HOME });
  const conversation = await open();
  operator.misbehave = (path, response) => {
    if (path !== '/quotes') return false;
    response.end('nonsense');
    return true;
  };
  const silent = await conversation.send({ ...STAY, guests: 4 });
  assert.equal(silent.body.error, 'upstream_unavailable');
  operator.misbehave = () => false;
  operator.quote = sleepsTwo;
  await (await open()).search({ guests: 4 });
  const revisionsIn = ({ raw }: { raw: string }) =>
    new Set(Array.from(raw.matchAll(/idempotency_key=sw\.(\d+)\./g), ([, revision]) => revision));
  const read = await conversation.read();
  assert.equal(read.body.error, 'invalid_value');
  assert.deepEqual(revisionsIn(read), revisionsIn(await conversation.read()));
});
