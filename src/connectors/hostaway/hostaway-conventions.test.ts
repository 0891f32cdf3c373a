import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { hostawayConventions } from './hostaway-booking-system.ts';

const NOW = Date.parse('2027-03-10T12:00:00Z');
const { readBudget, tokenRefusals } = hostawayConventions(createFakeClock(NOW));
const news = (headers: Record<string, string>, status = 200) => readBudget((name) => headers[name], status);

test('a pause ends at the moment that Hostaway names', () => {
  const at = String(NOW / 1000 + 4);
  assert.deepEqual(news({ 'x-ratelimit-retry-after': at }, 429), { pauseMs: 4000 });
  assert.deepEqual(news({ 'x-ratelimit-retry-after': String(NOW / 1000 - 9) }, 429), { pauseMs: 0 });
  assert.deepEqual(news({ 'retry-after': '3' }, 429), { pauseMs: 3000 });
  assert.deepEqual(news({ 'x-ratelimit-retry-after': '3' }, 429), { pauseMs: 10_000 }, 'not a moment');
  assert.deepEqual(news({}, 429), { pauseMs: 10_000 });
});

test('what is left is learned from any answer', () => {
  assert.deepEqual(news({ 'x-ratelimit-remaining': '0' }), { left: 0, leftEndsInMs: 10_000 });
  assert.deepEqual(news({ 'x-ratelimit-remaining': '12' }), { left: 12, leftEndsInMs: 10_000 });
  assert.deepEqual(news({}), {});
});

test('a token that has ended is answered with 403', () => {
  assert.ok(tokenRefusals.includes(403));
});
