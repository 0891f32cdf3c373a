import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { breakdownFault } from './reconcile.ts';

const line = (amount: number) => ({ label: 'Nights', amount });

test('lines are kept exactly when they add up and none is out of proportion', () => {
  const amounts = fc.array(fc.integer({ min: -1_000, max: 10_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: -2, max: 2 }), (parts, error) => {
      const lines = parts.map(line);
      const total = parts.reduce((sum, part) => sum + part, 0) + error;
      const areInProportion = parts.every((part) => Math.abs(part) <= 20 * total);
      const fault = error === 0 ? (areInProportion ? undefined : 'out_of_proportion') : 'does_not_add_up';
      assert.equal(breakdownFault(lines, total), fault);
    }),
  );
});

test('broken amounts and sums beyond exact arithmetic do not add up, and no lines have no fault', () => {
  assert.equal(breakdownFault([], 100), undefined);
  const huge = Number.MAX_SAFE_INTEGER;
  assert.equal(breakdownFault([line(Number.NaN)], Number.NaN), 'does_not_add_up');
  assert.equal(breakdownFault([line(50.5), line(49.5)], 100), 'does_not_add_up');
  assert.equal(breakdownFault([line(huge), line(1), line(1)], huge + 1), 'does_not_add_up');
});

test('a discount of nine tenths is shown, a phone number that another line takes back is not', () => {
  assert.equal(breakdownFault([line(100_000), line(-90_000)], 10_000), undefined);
  const number = [line(35_191_234_567_800), line(-35_191_234_537_200)];
  assert.equal(breakdownFault(number, 30_600), 'out_of_proportion');
  assert.equal(breakdownFault([line(612_000), line(-581_400)], 30_600), undefined);
  assert.equal(breakdownFault([line(612_001), line(-581_401)], 30_600), 'out_of_proportion');
});
