import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BookingSystemFailure } from '../quotes/booking-system.ts';
import { createBudgetMeter } from './budget-meter.ts';

const tooLarge = (about: RegExp) => (error: unknown) =>
  error instanceof BookingSystemFailure && error.kind === 'too_large' && about.test(error.message);

test('a brand may be as large as its budget, and not larger', () => {
  const budget = { listings: 10, bytes: 1000 };
  const byListings = createBudgetMeter(budget);
  byListings.kept(4, 10);
  byListings.kept(6, 10);
  assert.throws(() => byListings.kept(1, 10), tooLarge(/more than 10 listings/));
  const byBytes = createBudgetMeter(budget);
  byBytes.kept(1, 1000);
  assert.throws(() => byBytes.kept(1, 1), tooLarge(/more than 1000 bytes/));
});

test('it may send four times as much as is kept', () => {
  const meter = createBudgetMeter({ listings: 10, bytes: 1000 });
  meter.sent(4000);
  assert.throws(() => meter.sent(1), tooLarge(/sends more than 4000 bytes/));
  meter.listed(40);
  assert.throws(() => meter.listed(1), tooLarge(/sends more than 40 listings/));
});
