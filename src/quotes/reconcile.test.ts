import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reconciledLines } from './reconcile.ts';

const line = (amount: number) => ({ label: 'Nights', amount });

test('lines are kept exactly when they add up', () => {
  const amounts = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: -2, max: 2 }), (parts, error) => {
      const lines = parts.map(line);
      const total = parts.reduce((sum, part) => sum + part, 0) + error;
      assert.deepEqual(reconciledLines(lines, total), error === 0 ? lines : []);
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
