import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { readBeds24Token } from './read-beds24-token.ts';

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
