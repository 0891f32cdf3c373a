import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryAfterIn, retryDelayMs } from './retry-delay.ts';

const LOWEST = () => 0;
const HIGHEST = () => 1 - Number.EPSILON;

describe('the wait before a repeat', () => {
  it('doubles, at random in the upper half, up to eight seconds', () => {
    const delays = (random: () => number) =>
      [0, 1, 2, 3, 4, 5, 60].map((attempt) =>
        Math.round(retryDelayMs(attempt, { retryAfterSeconds: null, maxWaitMs: 60_000, random }) ?? -1),
      );
    assert.deepEqual(delays(LOWEST), [250, 500, 1000, 2000, 4000, 4000, 4000]);
    assert.deepEqual(delays(HIGHEST), [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it('is what the service asks for, never less, and a little more so that clients do not return together', () => {
    const asked = (random: () => number) =>
      Math.round(retryDelayMs(0, { retryAfterSeconds: 7, maxWaitMs: 60_000, random }) ?? -1);
    assert.equal(asked(LOWEST), 7000);
    assert.equal(asked(HIGHEST), 7250);
  });

  it('is no wait at all where the service asks for more than the caller would wait', () => {
    assert.equal(retryDelayMs(0, { retryAfterSeconds: 61, maxWaitMs: 60_000, random: LOWEST }), null);
    assert.equal(retryDelayMs(0, { retryAfterSeconds: 60, maxWaitMs: 60_000, random: LOWEST }), 60_000);
  });

  it('stays within what the caller would wait', () => {
    assert.equal(retryDelayMs(9, { retryAfterSeconds: null, maxWaitMs: 100, random: LOWEST }), 50);
  });
});

describe('Retry-After', () => {
  const read = (headers: Record<string, string>) => retryAfterIn(new Headers(headers));

  it('is a number of seconds', () => {
    assert.equal(read({ 'retry-after': '30' }), 30);
    assert.equal(read({ 'retry-after': ' 0 ' }), 0);
  });

  it('or a date, measured from the date of the answer', () => {
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
    assert.equal(read({ 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT', date }), 30);
    assert.equal(read({ 'retry-after': 'Sun, 06 Nov 1994 08:49:00 GMT', date }), 0);
    assert.equal(read({ 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' }), null);
  });

  it('is ignored where it says nothing', () => {
    assert.equal(read({}), null);
    assert.equal(read({ 'retry-after': 'soon' }), null);
    assert.equal(read({ 'retry-after': '-5' }), null);
    assert.equal(read({ 'retry-after': '99999999999' }), null);
  });
});
