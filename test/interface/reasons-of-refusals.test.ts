import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import { STAY } from '../support/conversation.ts';
import { property, TODAY } from '../support/network.ts';
import { setScene } from '../support/scene.ts';
import type { TestAnswer } from '../support/test-service.ts';

type Periods = Parameters<typeof property>[2];

const SPRING = { from: '2027-03-01', to: '2027-06-01', available: true, price: '50.00' };

/** One home with this calendar. */
const homeWith = (t: TestContext, periods: Periods, changes: Parameters<typeof property>[1] = {}) =>
  setScene(t, { brands: { acme: { properties: [property('home', changes, periods)] } } });

function isRefused({ body }: TestAnswer, field: string, reason: object): void {
  assert.deepEqual([body.error, body.invalid_field], ['invalid_value', field]);
  assert.deepEqual(body.reason, reason);
  assert.match(body.message, new RegExp(`^Invalid value for field: ${field}\\. [A-Z].*\\.$`));
}

test('a stay that is too long is refused with the maximum and the longest departures', async (t) => {
  const { open } = await homeWith(t, [{ ...SPRING, maximum_stay: 4 }]);
  const answer = await (await open()).send({ ...STAY, check_out: '2027-04-20' });
  isRefused(answer, 'check_out', { code: 'maximum_stay', nights: 4 });
  assert.deepEqual(answer.body.suggestions.slice(0, 2), ['2027-04-14', '2027-04-13']);
});

test('a day on which nobody may arrive, or leave, is refused as such', async (t) => {
  const { open } = await homeWith(t, [
    { ...SPRING, to: '2027-04-10' },
    { ...SPRING, from: '2027-04-10', to: '2027-04-11', closed_to_arrival: true },
    { ...SPRING, from: '2027-04-11', to: '2027-04-13' },
    { ...SPRING, from: '2027-04-13', to: '2027-04-14', closed_to_departure: true },
    { ...SPRING, from: '2027-04-14' },
  ]);
  const arrival = await (await open()).send({ check_in_day: '2027-04-10' });
  isRefused(arrival, 'check_in_day', { code: 'closed_to_arrival' });
  assert.deepEqual(arrival.body.suggestions.slice(0, 2), ['2027-04-09', '2027-04-11']);
  const departure = await (await open()).send({ check_in_day: '2027-04-11', check_out: '2027-04-13' });
  isRefused(departure, 'check_out', { code: 'closed_to_departure' });
  assert.deepEqual(departure.body.suggestions.slice(0, 2), ['2027-04-12', '2027-04-14']);
});

test('a limit that only some homes have is not stated as one of all', async (t) => {
  const strict = { ...SPRING, minimum_stay: 3, maximum_stay: 7 };
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('free', {}, [strict]),
          property('booked', {}, [
            { ...SPRING, to: '2027-04-11' },
            { ...SPRING, from: '2027-04-11', to: '2027-04-20', available: false },
          ]),
          property('north', { place: 'porto-pt' }, [strict]),
          property('longer', { place: 'porto-pt' }, [{ ...SPRING, to: '2027-04-30' }]),
        ],
      },
    },
  });
  const short = await (await open()).send({ ...STAY, check_out: '2027-04-12' });
  isRefused(short, 'check_out', { code: 'minimum_stay' });
  assert.match(short.body.message, /Some homes that are free for that stay take longer ones only,/);
  assert.equal(short.body.allowed_values.check_out[0], '2027-04-11', 'one night is on offer');
  const long = await (await open()).send({ ...STAY, destination: 'porto-pt', check_out: '2027-05-10' });
  isRefused(long, 'check_out', { code: 'maximum_stay' });
  assert.match(long.body.message, /Some homes that are free for that stay take shorter ones only,/);
  assert.ok(long.body.allowed_values.check_out.includes('2027-04-30'), 'twenty nights are on offer');
});

test('the past and what is beyond the horizon are told apart from what is booked', async (t) => {
  const { open } = await homeWith(t, [
    SPRING,
    { from: '2027-06-01', to: '2027-07-01', available: false },
    { from: '2027-07-01', to: '2027-08-01', available: true, price: '50.00' },
  ]);
  const conversation = await open();
  const lastDay = '2028-08-22';
  for (const [field, value, reason] of [
    ['check_in_day', '2027-02-28', { code: 'in_the_past' }],
    ['check_in_month', '2027-02', { code: 'in_the_past' }],
    ['check_in_day', '2029-01-01', { code: 'beyond_horizon', last_day: lastDay }],
    ['check_in_month', '2029-01', { code: 'beyond_horizon', last_day: lastDay }],
    ['check_in_day', '2027-06-10', { code: 'nothing_free' }],
    ['check_in_month', '2027-06', { code: 'nothing_free' }],
  ] as const) {
    isRefused(await conversation.send({ [field]: value }), field, reason);
  }
  const near = await conversation.send({ check_in_day: '2027-06-10' });
  assert.deepEqual(near.body.suggestions.slice(0, 2), ['2027-05-31', '2027-05-30'], 'across the month');
  const month = await conversation.send({ check_in_month: '2027-06' });
  assert.deepEqual(month.body.suggestions.slice(0, 2), ['2027-07', '2027-05']);
});

test('what is not written as a date is refused with the form, and what may have been meant is proposed', async (t) => {
  const { open } = await setScene(t);
  const conversation = await open();
  for (const [written, meant] of [
    ['05/08/2027', ['2027-05-08', '2027-08-05']],
    ['8 May 2027', ['2027-05-08']],
    ['2027/05/08', ['2027-05-08']],
    ['2027-05-08T15:00:00Z', ['2027-05-08']],
  ] as const) {
    const answer = await conversation.send({ check_in_day: written });
    isRefused(answer, 'check_in_day', { code: 'not_a_date', format: 'YYYY-MM-DD' });
    for (const [position, day] of meant.entries())
      assert.equal(answer.body.suggestions[position], day, written);
    assert.deepEqual(
      [answer.body.next_request.field, answer.body.next_request.value],
      ['check_in_day', meant[0]],
    );
    assert.ok(!answer.raw.includes(written), 'what was sent is not repeated');
  }
  for (const [field, written, format] of [
    ['check_in_day', '8', 'YYYY-MM-DD'],
    ['check_in_day', 'tomorrow', 'YYYY-MM-DD'],
    ['check_in_month', 'May', 'YYYY-MM'],
  ] as const) {
    const answer = await conversation.send({ [field]: written });
    isRefused(answer, field, { code: 'not_a_date', format });
    assert.equal('suggestions' in answer.body, false, 'nothing tells what was meant');
    assert.equal('value' in answer.body.next_request, false);
  }
  const month = await conversation.send({ check_in_month: 'May 2027' });
  assert.equal(month.body.suggestions[0], '2027-05');
});

test('a party that is too large is refused with the largest that fits everything else', async (t) => {
  const { open } = await setScene(t, {
    brands: { acme: { properties: [property('a', { max_guests: 9, place: 'porto-pt' }), property('b')] } },
  });
  const conversation = await open();
  isRefused(await conversation.send({ guests: 10 }), 'guests', { code: 'party_too_large', largest: 9 });
  await conversation.send({ destination: 'lisbon-pt' });
  const answer = await conversation.send({ guests: 9 });
  isRefused(answer, 'guests', { code: 'party_too_large', largest: 4 });
  assert.deepEqual(answer.body.suggestions, ['4', '3', '2', '1']);
});

test('a value that does not fit the other answers names those that stand in its way, as few as possible', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('small', { max_guests: 2 }),
          property('large', { max_guests: 6, place: 'porto-pt' }, [SPRING]),
        ],
      },
    },
  });
  const conversation = await open();
  await conversation.send({ check_in_month: '2027-04', guests: 6 });
  const answer = await conversation.send({ destination: 'lisbon-pt' });
  isRefused(answer, 'destination', { code: 'conflicts_with', fields: ['guests'] });
  assert.deepEqual(answer.body.suggestions, ['porto-pt', 'portugal'], 'what lies nearest and fits');
  const backwards = await (await open()).send({ check_in_day: '2027-04-10', check_out: '2027-04-09' });
  assert.deepEqual(backwards.body.reason.code, 'conflicts_with');
  assert.ok(backwards.body.reason.fields.includes('check_in_day'));
  assert.equal(backwards.body.suggestions[0], '2027-04-11');
});

test('suggestions are at most five, on offer, and the next request is the first of them', async (t) => {
  const { service, open } = await setScene(t);
  for (const [sent, field] of [
    [{ check_in_day: '2027-04-31' }, 'check_in_day'],
    [{ check_in_month: '2026-01' }, 'check_in_month'],
    [{ guests: 40 }, 'guests'],
    [{ guests: '2.4' }, 'guests'],
    [{ destination: 'Lisbn' }, 'destination'],
    [{ check_in_day: '2027-04-10', check_out: '2027-04-10' }, 'check_out'],
  ] as const) {
    const conversation = await open();
    const { body } = await conversation.send(sent);
    assert.equal(body.invalid_field, field);
    assert.ok(body.suggestions.length > 0 && body.suggestions.length <= 5, JSON.stringify(sent));
    assert.deepEqual([body.next_request.field, body.next_request.value], [field, body.suggestions[0]]);
    const followed = await service.get(body.next_request.url);
    assert.equal(followed.body.error, 'incomplete_payload', JSON.stringify(sent));
    assert.equal(followed.body.received[field], body.suggestions[0]);
    for (const value of body.suggestions) {
      assert.equal((await conversation.send({ [field]: value })).body.error, 'incomplete_payload', value);
    }
  }
});

test('a known place with nothing to offer is not an unknown one, and its neighbours are proposed', async (t) => {
  const { open } = await setScene(t);
  const answer = await (await open()).send({ destination: 'Évora' });
  isRefused(answer, 'destination', { code: 'nothing_free' });
  assert.deepEqual(answer.body.suggestions, ['lisbon-pt', 'porto-pt', 'portugal'], 'then what they lie in');
});

const available = { from: formatDay(TODAY), to: formatDay(TODAY + 200), available: true, price: '50.00' };

test('a limit beyond the horizon is no fault: a long maximum does not bind, a long minimum lets no stay arrive', async (t) => {
  const { service, open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('long', {}, [{ ...available, minimum_stay: 1, maximum_stay: 1125 }]),
          property('longer', {}, [{ ...available, maximum_stay: 2_147_483_647 }]),
          property('never', {}, [{ ...available, minimum_stay: 1125 }]),
          property('wraps', {}, [{ ...available, minimum_stay: 65_537 }]),
        ],
      },
    },
  });
  const { body } = await (await open()).search();
  assert.deepEqual(body.results.map(({ property_id: id }: { property_id: string }) => id).sort(), [
    'acme:long',
    'acme:longer',
  ]);
  assert.ok(!service.logLines.some((line) => line.includes('held back')));
});

test('a stay below the minimum is refused with the minimum and the nearest departures', async (t) => {
  const { open } = await setScene(t, {
    brands: {
      acme: {
        properties: [
          property('a', {}, [{ from: '2027-03-01', to: '2027-06-01', available: true, minimum_stay: 5 }]),
        ],
      },
    },
  });
  const conversation = await open();
  const { body } = await conversation.send(STAY);
  assert.equal(body.error, 'invalid_value');
  assert.equal(body.invalid_field, 'check_out');
  assert.deepEqual(body.reason, { code: 'minimum_stay', nights: 5 });
  assert.equal(
    body.message,
    'Invalid value for field: check_out. The stay is too short: at least 5 nights are needed. Ask the traveller before you follow next_request: it changes check_out.',
  );
  assert.deepEqual(body.suggestions.slice(0, 2), ['2027-04-15', '2027-04-16']);
  assert.deepEqual([body.next_request.field, body.next_request.value], ['check_out', '2027-04-15']);
  assert.deepEqual(body.accepted_fields, ['destination', 'check_in_month', 'check_in_day', 'guests']);
  assert.deepEqual(body.refused_fields, ['check_out']);
});
