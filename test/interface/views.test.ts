import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { ACME, setScene } from '../support/scene.ts';

const COMPACT = { view: 'compact' };

/** Every path of members in a body; lists count as one. */
function pathsIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => pathsIn(entry, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${at}.${name}`,
    ...pathsIn(member, `${at}.${name}`),
  ]);
}

function addressesIn(body: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(body, (name, value) => {
    if (['url', 'href', 'url_template'].includes(name) && String(value).startsWith('/ai/')) found.push(value);
    return value;
  });
  return found;
}

test('the compact result leaves out pictures and additions that say nothing, and nothing else', async (t) => {
  const { service, open } = await setScene(t, {
    brands: { acme: { properties: [property('a', { cancellation: { summary: 'None.' } })] } },
  });
  const conversation = await open();
  const full = await conversation.search();
  const compact = await service.get(`/ai/v1/result?session=${conversation.token}&view=compact`);
  assert.equal(compact.body.view, 'compact');
  assert.equal(compact.headers['x-result-current'], full.headers['x-result-current']);
  const [kept, all] = [new Set(pathsIn(compact.body)), new Set(pathsIn(full.body))];
  assert.deepEqual([...all].filter((path) => !kept.has(path)).sort(), [
    '.comparison_set.unpublished_amenities',
    '.results[].availability.confirmation_hours',
    '.results[].cancellation.free_cancellation_until_local',
    '.results[].cancellation.refundable',
    '.results[].images.gallery[].alt',
    '.results[].images.gallery[].type',
    '.results[].images.gallery[].url',
    '.results[].quote.deposit',
    '.results[].quote.due_on_site',
  ]);
  assert.deepEqual(
    [...kept].filter((path) => !all.has(path)),
    ['.view'],
  );
  assert.deepEqual(compact.body.results[0].images, {
    primary: full.body.results[0].images.primary,
    gallery: [],
  });
  assert.deepEqual(compact.body.results[0].quote.signature, null, 'the base interface names it');
  assert.ok(compact.raw.length < full.raw.length);
});

test('additions that say something are in the compact view too', async (t) => {
  const { service, open, operator } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          ...ACME.properties,
          property('d', { amenities: null, booking_mode: 'request', confirmation_hours: 12 }),
        ],
      },
    },
  });
  operator.quote = (reference, { currency }) => ({
    property: reference,
    status: 'quoted',
    currency,
    total: '100.00',
    deposit: { amount: '50.00', refundable: true },
    due_on_site: '0.00',
  });
  const conversation = await open();
  const read = async () =>
    (await service.get(`/ai/v1/result?session=${conversation.token}&view=compact`)).body;
  await conversation.search();
  const wide = await read();
  const last = wide.results.find((option: { property_id: string }) => option.property_id === 'acme:d');
  assert.deepEqual(last.quote.deposit, { amount: 50, refundable: true });
  assert.equal(last.quote.due_on_site, 0, 'nothing is due, which is not the same as unknown');
  assert.equal(last.availability.confirmation_hours, 12);
  assert.equal(last.cancellation.refundable, true);
  await conversation.send({ amenities: 'pool' });
  assert.equal((await read()).comparison_set.unpublished_amenities, 1);
});

test('a compact step has at most 12 requests and names the places of those', async (t) => {
  const cities = Array.from({ length: 80 }, (_, number) => ({
    id: `city-${number}`,
    name: `City ${number}`,
    kind: 'city' as const,
    time_zone: 'Europe/Lisbon',
    currency: 'EUR',
  }));
  const { service, open } = await setScene(t, {
    network: { places: cities },
    brands: { acme: { properties: cities.map(({ id }) => property(id, { place: id })) } },
  });
  const conversation = await open();
  const { body } = await conversation.read(COMPACT);
  assert.equal(body.available_requests.length, 12);
  assert.deepEqual(
    Object.keys(body.places),
    body.available_requests.map(({ value }: { value: string }) => value),
  );
  assert.equal(body.allowed_values.destination.length, 60);
  assert.deepEqual(body.allowed_values_truncated, { destination: { shown: 60, total: 80 } });
  const { shown, total, url_template } = body.available_requests_truncated;
  assert.deepEqual([shown, total], [12, 80]);
  const taken = await service.get(url_template.replace('{value}', 'city-79'));
  assert.equal(taken.body.received.destination, 'city-79', 'one that is not listed');
});

test('every list of a compact step is cut to 60 values, by field, and the full one is whole', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  await conversation.send({ check_in_day: '2027-04-10' });
  const compact = (await conversation.read(COMPACT)).body;
  const full = (await conversation.read()).body;
  assert.equal('allowed_values_truncated' in full, false);
  const total = full.allowed_values.check_out.length;
  assert.ok(total > 60);
  assert.deepEqual(compact.allowed_values_truncated, { check_out: { shown: 60, total } });
  assert.deepEqual(compact.allowed_values.check_out, full.allowed_values.check_out.slice(0, 60));
  assert.deepEqual(compact.allowed_values.guests, full.allowed_values.guests, 'a short list stays');
  const last = full.allowed_values.check_out.at(-1);
  const taken = await conversation.read({ check_out: last, ...COMPACT });
  assert.equal(taken.body.received.check_out, last, 'every value on offer is acceptable');
});

test('the view is carried on by every address, from auth to the narrowed result and back from an error', async (t) => {
  const { service, open } = await setScene(t);
  const opened = await service.get('/ai/v1/auth?source=acme&view=compact');
  const token = opened.body.session;
  const search = `/ai/v1/search?session=${token}&view=compact`;
  const stay = new URLSearchParams({ brand_locked: 'true', ...STAY });
  for (const answer of [
    opened,
    await service.get(opened.body.next_request.url),
    await service.get(`${search}&guests=99`),
    await service.get(`/ai/v1/result?session=${token}&view=compact`),
    await service.post(search, '{'),
    await service.get(`${search}&${stay}`),
    await service.get(search),
    await service.get(`${search}&amenities=pool`),
  ]) {
    const addresses = addressesIn(answer.body);
    assert.ok(addresses.length > 0, answer.raw);
    for (const address of addresses) assert.match(address, /[?&]view=compact\b/, answer.raw.slice(0, 200));
  }
  const full = await open();
  for (const address of addressesIn((await full.read()).body)) assert.doesNotMatch(address, /view=/);
});
