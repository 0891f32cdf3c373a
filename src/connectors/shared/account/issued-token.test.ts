import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { readIssuedToken } from './issued-token.ts';

const read = (answer: unknown) => [
  ...readIssuedToken(new TextEncoder().encode(JSON.stringify(answer)), null),
];

test('a token comes with its lifetime', () => {
  assert.deepEqual(read({ token_type: 'Bearer', expires_in: 86_400, access_token: 'a.b-c' }), [
    { token: 'a.b-c', lifetimeMs: 86_400_000 },
  ]);
  assert.deepEqual(read({ expires_in: '60', access_token: 'a' }), [{ token: 'a', lifetimeMs: 60_000 }]);
});

test('anything else is no token', () => {
  for (const answer of [
    {},
    [],
    { expires_in: 60 },
    { access_token: 'a' },
    { access_token: 'a', expires_in: 0 },
    { access_token: 'two words', expires_in: 60 },
    { access_token: 'line\nbreak', expires_in: 60 },
    { access_token: 7, expires_in: 60 },
  ]) {
    assert.throws(
      () => read(answer),
      (error) => error instanceof BookingSystemFailure && error.kind === 'garbled',
    );
  }
});
