import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMostlyPaidElsewhere, paidBesides } from './paid-besides.ts';

const price = { total: 10_000, dueOnSite: null, deposit: null };

test('what is due on site is paid besides the total, and a deposit that is given back is not', () => {
  assert.equal(paidBesides(price), 0);
  assert.equal(paidBesides({ ...price, dueOnSite: 700 }), 700);
  assert.equal(paidBesides({ ...price, deposit: { amount: 90_000, refundable: true } }), 0);
});

test('a deposit that is kept is a part of the total, up to the total', () => {
  assert.equal(paidBesides({ ...price, deposit: { amount: 3_000, refundable: false } }), 0);
  assert.equal(
    paidBesides({ ...price, deposit: { amount: 12_000, refundable: false }, dueOnSite: 5 }),
    2_005,
  );
});

test('a total that leaves more than half as much again to be paid elsewhere is no price', () => {
  assert.equal(isMostlyPaidElsewhere({ ...price, dueOnSite: 5_000 }), false);
  assert.equal(isMostlyPaidElsewhere({ ...price, dueOnSite: 5_001 }), true);
  assert.equal(isMostlyPaidElsewhere({ ...price, deposit: { amount: 99_000, refundable: false } }), true);
});
