import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { setScene } from '../support/scene.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';

type Envelope = { results: { property_id: string }[] };
const idsOf = (body: Envelope) => body.results.map(({ property_id: id }) => id);

const ONE_HOME = { acme: { properties: [property('home', { max_guests: 4 })] } };

/** Its catalogue says four guests, its booking system takes two. */
const sleepsTwo: ScriptedOperator['quote'] = (reference, { guests, currency }) =>
  guests > 2
    ? { property: reference, status: 'unavailable', reason: 'too_many_guests' }
    : { property: reference, status: 'quoted', currency, total: '100.00' };

test('a stay that is refused to one party is as free for another as it was', async (t) => {
  const { operator, open } = await setScene(t, { brands: ONE_HOME });
  operator.quote = sleepsTwo;
  const large = await (await open()).search({ guests: 4 });
  assert.deepEqual(large.body.results, []);
  const small = await (await open()).search({ guests: 2 });
  assert.deepEqual(idsOf(small.body), ['acme:home']);
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
