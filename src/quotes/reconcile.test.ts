import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reconciledLines } from './reconcile.ts';

const line = (amount: number) => ({ label: 'Nights', amount });

test('lines are kept exactly when they add up and none is out of proportion', () => {
  const amounts = fc.array(fc.integer({ min: -1_000, max: 10_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: -2, max: 2 }), (parts, error) => {
      const lines = parts.map(line);
      const total = parts.reduce((sum, part) => sum + part, 0) + error;
      const areInProportion = parts.every((part) => Math.abs(part) <= 20 * total);
      assert.deepEqual(reconciledLines(lines, total), error === 0 && areInProportion ? lines : []);
    }),
  );
});

test('no lines, broken amounts and sums beyond exact arithmetic give nothing', () => {
  assert.deepEqual(reconciledLines([], 100), []);
  assert.deepEqual(reconciledLines([line(Number.NaN)], Number.NaN), []);
  assert.deepEqual(reconciledLines([line(50.5), line(49.5)], 100), []);
  const huge = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(reconciledLines([line(huge), line(1), line(1)], huge + 1), []);
});

test('a discount of nine tenths is shown, a phone number that another line takes back is not', () => {
  const discounted = [line(100_000), line(-90_000)];
  assert.deepEqual(reconciledLines(discounted, 10_000), discounted);
  assert.deepEqual(reconciledLines([line(35_191_234_567_800), line(-35_191_234_537_200)], 30_600), []);
  assert.deepEqual(reconciledLines([line(612_001), line(-581_401)], 30_600), []);
});
