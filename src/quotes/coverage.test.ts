import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCoverage } from './coverage.ts';

test('what was asked is the sum of what became of it, brand by brand', () => {
  const coverage = createCoverage();
  coverage.add('sol', 'quoted');
  coverage.add('mar', 'failed');
  coverage.add('sol', 'unavailable');
  coverage.add('sol', 'quoted');
  assert.deepEqual(coverage.list(), [
    { brand: 'mar', asked: 1, quoted: 0, unavailable: 0, failed: 1 },
    { brand: 'sol', asked: 3, quoted: 2, unavailable: 1, failed: 0 },
  ]);
});
