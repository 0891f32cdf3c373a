import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { createBudgetMeter } from './budget-meter.ts';

const tooLarge = (about: RegExp) => (error: unknown) =>
  error instanceof BookingSystemFailure && error.kind === 'too_large' && about.test(error.message);

test('a brand may be as large as its budget, and not larger', () => {
  const budget = { listings: 10, bytes: 2 ** 20 };
  const byListings = createBudgetMeter(budget);
  byListings.kept(4, 10);
  byListings.kept(6, 10);
  assert.throws(
    () => byListings.kept(3, 10),
    tooLarge(
      /^the brand has at least 13 listings, more than its budget\.listings of 10, so nothing of it is taken: write "budget": \{ "listings": 20 \} or more into its entry in the network file$/,
    ),
  );
  const byBytes = createBudgetMeter(budget);
  byBytes.kept(1, 2 ** 20);
  assert.throws(
    () => byBytes.kept(1, 2 ** 20),
    tooLarge(/at least 2 MiB of listings, more than its budget\.megabytes of 1, .*"megabytes": 2 \}/),
  );
});

test('it may send four times as much as is kept', () => {
  const meter = createBudgetMeter({ listings: 20_000, bytes: 64 * 2 ** 20 });
  meter.sent(4 * 64 * 2 ** 20);
  assert.throws(
    () => meter.sent(1),
    tooLarge(/sends 257 MiB, more than four times its budget\.megabytes of 64/),
  );
  meter.listed(80_000);
  assert.throws(
    () => meter.listed(1),
    tooLarge(
      /lists at least 80,001 homes, more than four times its budget\.listings of 20,000, .*"listings": 40000/,
    ),
  );
});
