import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { setScene } from '../support/scene.ts';

const WIFI = { wifi: 'Wi-Fi' };
const POOL = { pool: 'Pool' };
const PARKING = { parking: 'Parking' };
const SAUNA = { sauna: 'Sauna' };
const IN_PORTO = { place: 'porto-pt' };
const BRANDS = {
  acme: {
    properties: [
      property('a', { amenities: { ...WIFI } }),
      property('b', { amenities: { ...WIFI, ...POOL } }),
      property('c', { amenities: { ...WIFI, ...POOL, ...PARKING } }),
      property('d', { amenities: { ...WIFI, ...SAUNA } }),
      property('e', { ...IN_PORTO, amenities: { ...WIFI, ...POOL } }),
      property('f', { ...IN_PORTO, amenities: WIFI }),
      property('g', { ...IN_PORTO, amenities: { ...WIFI, ...PARKING } }),
    ],
  },
};
const { check_in_month: _month, ...WHOLE } = STAY;
const PORTO = { ...WHOLE, destination: 'porto-pt', check_in_day: '2027-04-20', check_out: '2027-04-24' };

const idsOf = (body: { results: { property_id: string }[] }) => body.results.map(({ property_id: id }) => id);
const reasonsIn = (body: { refusals: { reason: unknown }[] }) => body.refusals.map(({ reason }) => reason);
const oneOf = (amenity: string) => ({ code: 'one_amenity_per_request', amenity });

test('a request that names a whole stay begins without the filters of the search before, and says so', async (t) => {
  const { open } = await setScene(t, { brands: BRANDS });
  const conversation = await open();
  await conversation.search({ amenities: 'pool' });
  const { body, raw } = await conversation.send(PORTO);
  assert.deepEqual(idsOf(body), ['acme:e', 'acme:f', 'acme:g']);
  assert.deepEqual(body.applied_filters, { amenities: [] });
  assert.deepEqual([body.cleared_fields, body.cleared_amenities], [['amenities'], ['pool']]);
  assert.match(body.notes, /^This is a new search, so filters of the one before were taken off: pool\. /);
  assert.equal((await conversation.result()).raw, raw);
  const next = await conversation.send({ guests: 3 });
  assert.equal('cleared_fields' in next.body, false, 'said once');
});

test('a part of a stay keeps the filters, and the notes begin with them', async (t) => {
  const { service, open } = await setScene(t, { brands: BRANDS });
  const conversation = await open();
  const { body: first } = await conversation.search({ amenities: 'pool' });
  const link = first.available_requests.change.destination.url_template.replace('{destination}', 'porto-pt');
  for (const { body } of [
    await conversation.send({ guests: 3 }),
    await conversation.send({ check_in_day: PORTO.check_in_day, check_out: PORTO.check_out, guests: 2 }),
    await service.get(link),
  ]) {
    assert.deepEqual(body.applied_filters, { amenities: ['pool'] });
    assert.match(body.notes, /^Filters that are on: pool\. /);
    assert.equal('cleared_fields' in body, false);
  }
  const off = await conversation.send({ amenities: [] });
  assert.doesNotMatch(off.body.notes, /Filters that are on/);
});

test('of several amenities the first that narrows the set is applied, and next_request applies the next', async (t) => {
  const { service, open, operator } = await setScene(t, { brands: BRANDS });
  const query = new URLSearchParams(WHOLE);
  for (const ask of [
    async () => (await open()).send({ ...STAY, amenities: ['wifi', 'pool', 'parking'] }),
    async () => (await open()).read({ ...STAY, amenities: 'wifi, pool,Parking' }),
    async () =>
      service.get(`${(await open()).address()}&${query}&amenities=wifi&amenities=pool&amenities=parking`),
    async () => {
      const conversation = await open();
      await conversation.search();
      return conversation.send({ amenities: ['wifi', 'pool', 'parking'] });
    },
  ]) {
    const { body } = await ask();
    assert.deepEqual([body.applied_filters.amenities, idsOf(body)], [['pool'], ['acme:b', 'acme:c']]);
    assert.deepEqual(body.fulfilled_amenities, ['wifi']);
    assert.deepEqual([body.refused_fields, reasonsIn(body)], [['amenities'], [oneOf('parking')]]);
    assert.equal(body.refusals[0].position, 3);
    assert.match(body.refusals[0].message, /Only one amenity can be applied in a request.*parking/);
    const { field, value, url } = body.next_request;
    assert.deepEqual([field, value], ['amenities', 'parking']);
    const { body: next } = await service.get(url);
    assert.deepEqual([next.applied_filters.amenities, idsOf(next)], [['pool', 'parking'], ['acme:c']]);
    assert.equal('refusals' in next || 'next_request' in next || 'from_earlier_step' in next, false);
  }
  const before = operator.asked.length;
  const compact = await (await open()).read({ ...STAY, amenities: 'pool,parking', view: 'compact' });
  assert.match(compact.body.next_request.url, /&view=compact$/);
  assert.equal(operator.asked.length, before + 1, 'one round of prices');
});

test('an amenity that every match has is fulfilled, not refused', async (t) => {
  const { service, open, operator } = await setScene(t, { brands: BRANDS });
  const together = await (await open()).send({ ...STAY, amenities: 'Wi-Fi' });
  assert.deepEqual(
    [together.body.fulfilled_amenities, together.body.applied_filters.amenities],
    [['wifi'], []],
  );
  assert.match(together.body.notes, /Every match has wifi, so no filter was needed;/);
  assert.equal('refusals' in together.body, false);

  const conversation = await open();
  const { raw } = await conversation.search();
  const asked = operator.asked.length;
  const key = { 'idempotency-key': 'own' };
  const after = await conversation.send({ amenities: 'wifi' }, key);
  assert.equal(after.body.object, 'search_result');
  assert.deepEqual(after.body.fulfilled_amenities, ['wifi']);
  assert.match(after.body.notes, /Every match has wifi, so no filter was needed;/);
  assert.equal((await conversation.send({ amenities: 'wifi' }, key)).raw, after.raw);
  assert.equal((await conversation.result()).raw, raw, 'the stored result keeps its bytes');
  const compact = await service.get(conversation.address({ amenities: 'wifi', view: 'compact' }));
  assert.deepEqual([compact.body.view, compact.body.fulfilled_amenities], ['compact', ['wifi']]);
  assert.equal(operator.asked.length, asked, 'nobody was asked');
  const other = await open();
  const refused = await other.search({ amenities: 'helipad' });
  const said = await other.send({ amenities: 'wifi' });
  assert.equal('refusals' in said.body || 'refused_fields' in said.body, false, 'it was another request');
  assert.doesNotMatch(said.body.notes, /Not everything in the request was taken/);
  assert.equal((await other.result()).raw, refused.raw);
  const beside = await conversation.send({ amenities: 'wifi', guests: 99 });
  assert.deepEqual([beside.body.invalid_field, beside.body.fulfilled_amenities], ['guests', ['wifi']]);
});

test('a narrowed set has no link to all results, because that page would ignore the filter', async (t) => {
  const { open } = await setScene(t, { brands: BRANDS });
  const conversation = await open('acme');
  const whole = await conversation.search();
  assert.match(whole.body.all_results_url, /^https:\/\/stay\.example\/acme\/stays\?/);
  const narrowed = await conversation.send({ amenities: 'pool' });
  assert.equal(narrowed.body.all_results_url, null);
  const off = await conversation.send({ amenities: [] });
  assert.equal(off.body.all_results_url, whole.body.all_results_url);
});

test('notes begin with what was not taken, and name no key that only an operator uses', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('a', { amenities: { ...WIFI, grandmas_cellar: 'Cellar' } }),
          property('b', { amenities: WIFI }),
          property('c', { ...IN_PORTO, amenities: WIFI }),
        ],
      },
    },
  });
  const conversation = await open();
  const { body: refused } = await conversation.search({ amenities: 'helipad' });
  assert.match(refused.notes, /^Not everything in the request was taken/);
  const { body: own } = await conversation.send({ amenities: 'grandmas_cellar' });
  assert.match(own.notes, /^Filters that are on: 1 that only applied_filters names\. /);
  const { body: lost } = await conversation.send({ destination: 'porto-pt' });
  assert.deepEqual(lost.cleared_amenities, ['grandmas_cellar']);
  assert.match(
    lost.notes,
    /^Filters that no match has any more were taken off, .* only cleared_amenities names\./,
  );
});
