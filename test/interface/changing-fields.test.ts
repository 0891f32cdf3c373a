import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { PLACES, property } from '../support/network.ts';
import { ACME, setScene } from '../support/scene.ts';

test('what no longer fits a changed field is cleared, and what is still on offer stays', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  const { guests, ...rest } = STAY;
  await conversation.send(rest);
  const month = await conversation.send({ check_in_month: '2027-05' });
  assert.equal(month.body.error, 'incomplete_payload');
  assert.deepEqual(month.body.cleared_fields, ['check_in_day', 'check_out']);
  assert.deepEqual(month.body.received, { destination: 'lisbon-pt', check_in_month: '2027-05' });
  assert.deepEqual(month.body.missing_fields, ['check_in_day', 'check_out', 'guests']);
  await conversation.send({ check_in_day: '2027-05-02', check_out: '2027-05-05' });
  const day = await conversation.send({ check_in_day: '2027-05-03' });
  assert.equal('cleared_fields' in day.body, false, 'the departure is still possible');
  assert.equal(day.body.received.check_out, '2027-05-05');
  const late = await conversation.send({ check_in_day: '2027-05-05' });
  assert.deepEqual(late.body.cleared_fields, ['check_out'], 'nobody leaves on the day of arrival');
  assert.equal('cleared_fields' in (await conversation.read()).body, false, 'said once, with the change');
  assert.equal((await conversation.send({ guests })).body.next_required, 'check_out');
});

test('widening from one brand to all keeps the destination and everything else', async (t) => {
  const { open } = await setScene(t, { brands: { acme: ACME, bravo: { properties: [property('z')] } } });
  const conversation = await open('acme');
  const before = { brand_locked: true, destination: 'lisbon-pt', check_in_month: '2027-04', guests: '2' };
  await conversation.send(before);
  const { body } = await conversation.send({ brand_locked: false });
  assert.equal('cleared_fields' in body, false);
  assert.deepEqual(body.received, { source: 'acme', ...before, brand_locked: false });
  await conversation.send({ check_in_day: '2027-04-10', check_out: '2027-04-13' });
  await conversation.send({ brand_locked: true });
  const widened = await conversation.send({ brand_locked: false });
  assert.equal(widened.body.object, 'search_result', 'a complete search is quoted anew at once');
  assert.equal(widened.body.comparison_set.options_count, 3);
});

test('narrowing to a brand keeps what the brand has, and names what it has not', async (t) => {
  const { open } = await setScene(t, {
    brands: { acme: ACME, bravo: { properties: [property('z', { place: 'evora-pt', max_guests: 9 })] } },
  });
  const conversation = await open('acme');
  await conversation.send({
    brand_locked: false,
    destination: 'evora-pt',
    check_in_day: '2027-04-10',
    guests: 8,
  });
  const { body } = await conversation.send({ brand_locked: true });
  assert.deepEqual(body.cleared_fields, ['destination', 'guests']);
  assert.deepEqual(body.received, {
    source: 'acme',
    brand_locked: true,
    check_in_month: '2027-04',
    check_in_day: '2027-04-10',
  });
  assert.deepEqual(body.missing_fields, ['destination', 'check_out', 'guests']);
});

test('after a result: a change keeps the filters, and the last envelope stays until a new one', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  const narrowed = await conversation.send({ amenities: 'pool' });
  const changed = await conversation.send({ check_in_month: '2027-05' });
  assert.equal(changed.body.error, 'incomplete_payload');
  assert.deepEqual(changed.body.cleared_fields, ['check_in_day', 'check_out']);
  assert.equal(changed.body.result_ready, true, 'the last result can still be read');
  assert.deepEqual(changed.body.received, {
    destination: 'lisbon-pt',
    check_in_month: '2027-05',
    guests: '2',
    amenities: ['pool'],
  });
  const kept = await conversation.result();
  assert.equal(kept.status, 200);
  assert.equal(kept.raw, narrowed.raw);
  assert.equal(kept.headers['x-result-current'], 'false');
  assert.equal((await conversation.send({ amenities: 'wifi' })).body.error, 'refine_not_available');
  const anew = await conversation.send({ check_in_day: '2027-05-10', check_out: '2027-05-12' });
  assert.equal(anew.body.object, 'search_result');
  assert.deepEqual(anew.body.applied_filters, { amenities: ['pool'] });
  const read = await conversation.result();
  assert.equal(read.raw, anew.raw);
  assert.notEqual(read.headers['x-result-current'], 'false');
});

test('after a result: filters that no match has any more go one by one, and the step names them', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('a', { amenities: { pool: 'Pool', sauna: 'Sauna' } }),
          property('b', { amenities: { pool: 'Pool' } }),
          property('c', { amenities: { sauna: 'Sauna' } }),
          property('d', { amenities: { pool: 'Pool' }, max_guests: 6 }),
        ],
      },
    },
  });
  const conversation = await open();
  await conversation.search();
  await conversation.send({ amenities: 'pool' });
  await conversation.send({ amenities: 'sauna' });
  const { body } = await conversation.send({ check_in_month: '2027-05', guests: 6 });
  assert.equal(body.error, 'incomplete_payload');
  assert.deepEqual(body.cleared_fields, ['check_in_day', 'check_out', 'amenities']);
  assert.deepEqual(body.cleared_amenities, ['sauna'], 'a home for six has a pool');
  assert.deepEqual(body.received.amenities, ['pool']);
  const anew = await conversation.send({ check_in_day: '2027-05-10', check_out: '2027-05-12' });
  assert.deepEqual(anew.body.applied_filters, { amenities: ['pool'] });
  assert.equal('cleared_fields' in anew.body, false, 'said once, with the change');
});

test('after a result: the same value again is no change, and asks nobody', async (t) => {
  const { open, operator } = await setScene(t);
  const conversation = await open();
  await conversation.search();
  const { raw } = await conversation.send({ amenities: 'pool' });
  const asked = operator.asked.length;
  for (const same of [
    { guests: 2 },
    { destination: 'lisbon-pt' },
    { destination: 'LISBON' },
    { ...STAY, amenities: 'pool' },
  ]) {
    assert.equal((await conversation.send(same)).raw, raw, JSON.stringify(same));
  }
  assert.equal(operator.asked.length, asked);
});

test('values that arrive at the same moment are all taken, one after the other', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open('acme');
  const answers = await Promise.all([
    conversation.send({ guests: 2 }),
    conversation.send({ brand_locked: true }),
    conversation.send({ check_in_month: '2027-04' }),
  ]);
  for (const { body } of answers) assert.equal(body.error, 'incomplete_payload');
  const { body } = await conversation.read();
  assert.deepEqual(body.received, {
    source: 'acme',
    brand_locked: true,
    check_in_month: '2027-04',
    guests: '2',
  });
});

test('a name that several places share is refused with the candidates', async (t) => {
  const zone = { time_zone: 'Europe/Lisbon', currency: 'EUR' };
  const places = [
    ...PLACES,
    { id: 'porto-it', name: 'Porto', kind: 'city' as const, ...zone },
    { id: 'porto-novo', name: 'Porto Novo', kind: 'city' as const, ...zone },
  ];
  const { open } = await setScene(t, {
    network: { places },
    brands: {
      acme: {
        properties: [
          ...ACME.properties,
          property('i1', { place: 'porto-it' }),
          property('i2', { place: 'porto-it' }),
          property('n', { place: 'porto-novo' }),
        ],
      },
    },
  });
  const conversation = await open();
  const { body } = await conversation.send({ destination: 'porto' });
  assert.equal(body.error, 'invalid_value');
  assert.equal(body.invalid_field, 'destination');
  assert.deepEqual(body.reason, { code: 'ambiguous' });
  assert.deepEqual(body.candidates, ['porto-it', 'porto-pt'], 'most stock first');
  assert.deepEqual(body.suggestions, ['porto-it', 'porto-pt']);
  assert.deepEqual(body.received, {});
  const part = await conversation.send({ destination: 'novo' });
  assert.deepEqual(part.body.reason, { code: 'not_on_network' });
  assert.equal(part.body.candidates, undefined);
  assert.deepEqual(part.body.suggestions, ['porto-novo'], 'a part of a name is a hint, not a choice');
  assert.deepEqual(
    [part.body.next_request.field, part.body.next_request.value],
    ['destination', 'porto-novo'],
  );
  const nowhere = await conversation.send({ destination: 'nowhere' });
  assert.equal(nowhere.body.candidates, undefined);
  assert.equal(nowhere.body.suggestions, undefined);
  assert.deepEqual((await conversation.send({ destination: 'porto-it' })).body.received, {
    destination: 'porto-it',
  });
});

test('an answer that a change clears is asked for with the value nearest to it', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('house', { max_guests: 10 }, [{ from: '2027-03-01', to: '2027-05-01', available: true }]),
          property('hut', { max_guests: 2 }, [{ from: '2027-03-01', to: '2027-06-01', available: true }]),
        ],
      },
    },
  });
  const conversation = await open();
  await conversation.send({ ...STAY, guests: '10' });
  const { body } = await conversation.send({ check_out: '2027-05-20' });
  assert.deepEqual([body.error, body.cleared_fields], ['incomplete_payload', ['guests']]);
  assert.deepEqual([body.next_request.field, body.next_request.value], ['guests', '2']);
});
