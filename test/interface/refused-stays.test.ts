import assert from 'node:assert/strict';
import { test } from 'node:test';
import { property } from '../support/network.ts';
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

test('when all was refused a moment ago, the set is empty and nobody is asked', async (t) => {
  const { operator, open } = await setScene(t, { brands: ONE_HOME });
  operator.quote = sleepsTwo;
  const stay = { guests: 4 };
  await (await open()).search(stay);
  operator.asked.splice(0);
  const { body } = await (await open()).search(stay);
  assert.deepEqual([body.results, body.comparison_set.total_matches, operator.asked], [[], 0, []]);
  assert.match(body.notes, /^No operator could offer this stay/);
});
