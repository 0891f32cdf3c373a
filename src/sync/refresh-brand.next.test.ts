import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oldCalendarMs, pauseBeforeNextRefresh, pauseWhenRateLimited } from './refresh-brand.ts';

const FIFTEEN_MINUTES = 900_000;
const LOWEST = { bytes: (count: number) => Buffer.alloc(count, 0) };
const HIGHEST = { bytes: (count: number) => Buffer.alloc(count, 0xff) };

function pausesAfter(failuresInARow: number, refreshMs = FIFTEEN_MINUTES) {
  return [LOWEST, HIGHEST].map((random) =>
    Math.round(pauseBeforeNextRefresh({ failuresInARow, refreshMs, random })),
  );
}

test('after a success: the refresh interval, plus or minus a tenth', () => {
  assert.deepEqual(pausesAfter(0), [810_000, 990_000]);
});

test('after failures: doubled each time, up to five minutes, of which half is random', () => {
  assert.deepEqual(pausesAfter(1), [500, 1000]);
  assert.deepEqual(pausesAfter(2), [1000, 2000]);
  assert.deepEqual(pausesAfter(5), [8000, 16_000]);
  assert.deepEqual(pausesAfter(9), [128_000, 256_000]);
  assert.deepEqual(pausesAfter(10), [150_000, 300_000]);
  assert.deepEqual(pausesAfter(5000), [150_000, 300_000]);
});

test('a failed brand never waits longer than the refresh interval', () => {
  assert.deepEqual(pausesAfter(20, 10_000), [5000, 10_000]);
});

test('what one refresh has read is old at the next one, however short the pause was', () => {
  assert.ok(
    oldCalendarMs(FIFTEEN_MINUTES) <=
      pauseBeforeNextRefresh({ failuresInARow: 0, refreshMs: FIFTEEN_MINUTES, random: LOWEST }),
  );
  assert.equal(oldCalendarMs(FIFTEEN_MINUTES), 810_000);
});

test('a pause that a booking system asks for is doubled each time, up to five minutes, of which half is random', () => {
  const pauses = (pausesInARow: number) =>
    [LOWEST, HIGHEST].map((random) => Math.round(pauseWhenRateLimited({ pausesInARow, random })));
  assert.deepEqual(pauses(1), [5000, 10_000]);
  assert.deepEqual(pauses(2), [10_000, 20_000]);
  assert.deepEqual(pauses(6), [150_000, 300_000]);
  assert.deepEqual(pauses(60), [150_000, 300_000]);
});
