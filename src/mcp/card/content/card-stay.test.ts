import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleCardPayload } from '../../../../test/support/sample-card-payload.ts';
import { type CardStay, isWebLink, NATURAL_ORDERS, reversed, sortStays, stayOfOption } from './card-stay.ts';

const [option] = sampleCardPayload().results;
assert.ok(option);
const base = stayOfOption(option);
const stay = (rank: number, facts: Partial<CardStay>): CardStay => ({
  ...base,
  rank,
  id: `${rank}`,
  ...facts,
});
const rated = (score: number, scale = 5, reviews: number | null = 3) => ({
  rating: { score, scale, review_count: reviews },
});
const ids = (stays: readonly CardStay[]) => stays.map(({ id }) => id);

test('ratings on different scales are compared by their share of the scale, and missing ones come last both ways', () => {
  const stays = [
    stay(1, rated(0, 5, 0)),
    stay(2, rated(4)),
    stay(3, rated(9, 10)),
    stay(4, rated(0, 5, null)),
    stay(5, { rating: null }),
  ];
  assert.deepEqual(ids(sortStays(stays, NATURAL_ORDERS.rating)), ['3', '2', '1', '4', '5']);
  assert.deepEqual(ids(sortStays(stays, reversed(NATURAL_ORDERS.rating))), ['2', '3', '1', '4', '5']);
});

test('totals begin with the lowest, guests with the most', () => {
  const stays = [stay(1, { total: 90, maxGuests: 2 }), stay(2, { total: 100, maxGuests: 6 })];
  assert.deepEqual(ids(sortStays(stays, NATURAL_ORDERS.price)), ['1', '2']);
  assert.deepEqual(ids(sortStays(stays, NATURAL_ORDERS.capacity)), ['2', '1']);
  assert.deepEqual(ids(sortStays(stays, reversed(NATURAL_ORDERS.price))), ['2', '1']);
});

test('every order keeps all stays, and equal ones in the order of the set', () => {
  const facts = fc.record({
    total: fc.integer({ min: 1, max: 4 }),
    maxGuests: fc.integer({ min: 1, max: 3 }),
    rating: fc.option(fc.constantFrom(rated(0).rating, rated(3).rating, rated(6, 10).rating)),
  });
  fc.assert(
    fc.property(
      fc.array(facts),
      fc.constantFrom(...Object.values(NATURAL_ORDERS)),
      fc.boolean(),
      (all, order, back) => {
        const stays = all.map((one, index) => stay(index + 1, one));
        const sorted = sortStays(stays.toReversed(), back ? reversed(order) : order);
        assert.deepEqual(ids(sorted).toSorted(), ids(stays).toSorted());
        const keyOf = (one: CardStay) =>
          ({
            price: one.total,
            capacity: one.maxGuests,
            rating: (one.rating?.score ?? 0) / (one.rating?.scale ?? 1),
          })[order.by];
        for (const [index, one] of sorted.entries()) {
          const next = sorted[index + 1];
          if (next && keyOf(one) === keyOf(next)) assert.ok(one.rank < next.rank);
        }
      },
    ),
  );
});

test('only addresses of the web become links or pictures', () => {
  assert.ok(isWebLink('https://casas.example/1?from=2027-04-10'));
  assert.ok(isWebLink('http://127.0.0.1:4000/1'));
  for (const other of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    '/ai/v1/search',
    '',
  ]) {
    assert.ok(!isWebLink(other), other);
  }
});
