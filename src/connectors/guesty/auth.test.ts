import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { guestyConventions } from './auth.ts';

const { readBudget, authorization, tokenRefusals } = guestyConventions(
  createFakeClock(Date.parse('2027-03-10T12:00:00Z')),
);
const news = (headers: Record<string, string>, status = 200) => readBudget((name) => headers[name], status);

test('a pause is as long as Guesty says', () => {
  assert.deepEqual(news({ 'retry-after': '7' }, 429), { pauseMs: 7000 });
  assert.deepEqual(news({}, 429), {});
});

test('nothing is sent when nothing is left of a window', () => {
  assert.deepEqual(news({ 'x-ratelimit-remaining-second': '3', 'x-ratelimit-remaining-minute': '1' }), {});
  assert.deepEqual(news({ 'x-ratelimit-remaining-second': '0' }), { left: 0, leftEndsInMs: 1000 });
  const both = { 'x-ratelimit-remaining-second': '0', 'x-ratelimit-remaining-minute': '0' };
  assert.deepEqual(news(both), { left: 0, leftEndsInMs: 60_000 });
  assert.deepEqual(news({ 'x-ratelimit-remaining-hour': '0' }), { left: 0, leftEndsInMs: 60_000 });
  assert.deepEqual(news({ 'x-ratelimit-remaining-second': 'none' }), {});
});

test('a token is a bearer token, and 403 says nothing of it', () => {
  assert.deepEqual(authorization('abc'), { authorization: 'Bearer abc' });
  assert.deepEqual(tokenRefusals, [401]);
});
