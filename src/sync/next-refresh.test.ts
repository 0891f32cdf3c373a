import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restBeforeNextRefresh } from './next-refresh.ts';

const FIFTEEN_MINUTES = 900_000;
const LOWEST = { bytes: (count: number) => Buffer.alloc(count, 0) };
const HIGHEST = { bytes: (count: number) => Buffer.alloc(count, 0xff) };

function restsFrom(failuresInARow: number, refreshMs = FIFTEEN_MINUTES) {
  return [LOWEST, HIGHEST].map((random) =>
    Math.round(restBeforeNextRefresh({ failuresInARow, refreshMs, random })),
  );
}

test('after a success: the refresh time, give or take a tenth', () => {
  assert.deepEqual(restsFrom(0), [810_000, 990_000]);
});

test('after failures: doubled each time, at least half of it, at most five minutes', () => {
  assert.deepEqual(restsFrom(1), [500, 1000]);
  assert.deepEqual(restsFrom(2), [1000, 2000]);
  assert.deepEqual(restsFrom(5), [8000, 16_000]);
  assert.deepEqual(restsFrom(9), [128_000, 256_000]);
  assert.deepEqual(restsFrom(10), [150_000, 300_000]);
  assert.deepEqual(restsFrom(5000), [150_000, 300_000]);
});

test('a failed brand never waits longer than a well one', () => {
  assert.deepEqual(restsFrom(20, 10_000), [5000, 10_000]);
});
