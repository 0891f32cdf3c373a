import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { beds24Conventions, readBeds24Token } from './auth.ts';

const { readBudget, authorization } = beds24Conventions('harbour', createFakeClock(0));
const budgetIn = (headers: Readonly<Record<string, string>>, status = 200) =>
  readBudget((name) => headers[name], status);

describe('the headers of Beds24', () => {
  it('prove who calls', () => {
    assert.deepEqual(authorization('abc'), { token: 'abc', organization: 'harbour' });
    assert.deepEqual(beds24Conventions(null, createFakeClock(0)).authorization('abc'), { token: 'abc' });
  });

  it('say what a call has cost and what is left, in both spellings', () => {
    const expected = { left: 40, leftEndsInMs: 120_000, cost: 2.5 };
    assert.deepEqual(
      budgetIn({
        'x-five-min-limit-remaining': '40',
        'x-five-min-limit-resets-in': '120',
        'x-request-cost': '2.5',
      }),
      expected,
    );
    assert.deepEqual(
      budgetIn({
        'x-fivemincreditlimit-remaining': '40',
        'x-fivemincreditlimit-resetsin': '120',
        'x-requestcost': '2.5',
      }),
      expected,
    );
  });

  it('leave nothing when another call like this would not fit', () => {
    const left = (remaining: string, cost: string) =>
      budgetIn({
        'x-five-min-limit-remaining': remaining,
        'x-five-min-limit-resets-in': '9',
        'x-request-cost': cost,
      }).left;
    assert.deepEqual([left('3', '3'), left('2.9', '3'), left('0', '1')], [3, 0, 0]);
  });

  it('say how long to wait after a refusal', () => {
    assert.equal(budgetIn({ 'x-five-min-limit-resets-in': '77' }, 429).pauseMs, 77_000);
    assert.equal(budgetIn({ 'retry-after': '5' }, 429).pauseMs, 5000);
    assert.equal(budgetIn({}, 429).pauseMs, 60_000);
    assert.equal(budgetIn({ 'x-five-min-limit-resets-in': '999999' }, 429).pauseMs, 600_000);
  });

  it('are not believed when they are no numbers', () => {
    assert.deepEqual(budgetIn({ 'x-five-min-limit-remaining': 'many', 'x-request-cost': '-4' }), {});
  });
});

const read = (answer: unknown) => [
  ...readBeds24Token(new TextEncoder().encode(JSON.stringify(answer)), null),
];

describe('a token of Beds24', () => {
  it('comes with its life in seconds', () => {
    assert.deepEqual(read({ token: 'abc', expiresIn: 86_400 }), [{ token: 'abc', lifetimeMs: 86_400_000 }]);
  });

  for (const [answer, kind] of [
    [{ success: false, type: 'error', code: 400, error: 'Refresh token not valid' }, 'rejected'],
    [{ expiresIn: 86_400 }, 'garbled'],
    [{ token: 'a b', expiresIn: 86_400 }, 'garbled'],
    [{ token: 'abc' }, 'garbled'],
    [{ token: 'abc', expiresIn: 0 }, 'garbled'],
    [[], 'garbled'],
  ] as const) {
    it(`is ${kind} in ${JSON.stringify(answer)}`, () => {
      assert.throws(
        () => read(answer),
        (error) => error instanceof BookingSystemFailure && error.kind === kind,
      );
    });
  }
});
