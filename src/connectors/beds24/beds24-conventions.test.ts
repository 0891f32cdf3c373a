import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { beds24Conventions } from './beds24-conventions.ts';

const { readBudget, authorization } = beds24Conventions('harbour', createFakeClock(0));
const news = (headers: Readonly<Record<string, string>>, status = 200) =>
  readBudget((name) => headers[name], status);

describe('the headers of Beds24', () => {
  it('prove who calls', () => {
    assert.deepEqual(authorization('abc'), { token: 'abc', organization: 'harbour' });
    assert.deepEqual(beds24Conventions(null, createFakeClock(0)).authorization('abc'), { token: 'abc' });
  });

  it('say what a call has cost and what is left, in both spellings', () => {
    const expected = { left: 40, leftEndsInMs: 120_000, cost: 2.5 };
    assert.deepEqual(
      news({
        'x-five-min-limit-remaining': '40',
        'x-five-min-limit-resets-in': '120',
        'x-request-cost': '2.5',
      }),
      expected,
    );
    assert.deepEqual(
      news({
        'x-fivemincreditlimit-remaining': '40',
        'x-fivemincreditlimit-resetsin': '120',
        'x-requestcost': '2.5',
      }),
      expected,
    );
  });

  it('leave nothing when another call like this would not fit', () => {
    const left = (remaining: string, cost: string) =>
      news({
        'x-five-min-limit-remaining': remaining,
        'x-five-min-limit-resets-in': '9',
        'x-request-cost': cost,
      }).left;
    assert.deepEqual([left('3', '3'), left('2.9', '3'), left('0', '1')], [3, 0, 0]);
  });

  it('say how long to wait after a refusal', () => {
    assert.equal(news({ 'x-five-min-limit-resets-in': '77' }, 429).pauseMs, 77_000);
    assert.equal(news({ 'retry-after': '5' }, 429).pauseMs, 5000);
    assert.equal(news({}, 429).pauseMs, 60_000);
    assert.equal(news({ 'x-five-min-limit-resets-in': '999999' }, 429).pauseMs, 600_000);
  });

  it('are not believed when they are no numbers', () => {
    assert.deepEqual(news({ 'x-five-min-limit-remaining': 'many', 'x-request-cost': '-4' }), {});
  });
});
