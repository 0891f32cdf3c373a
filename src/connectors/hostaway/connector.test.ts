import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { hostawayConnector, hostawayConventions } from './connector.ts';

const surroundings = {
  directory: '.',
  env: { STAYWIRE_SECRET_HARBOUR_ACCOUNT_ID: '61148', STAYWIRE_SECRET_HARBOUR_API_KEY: 'key' },
};
const entry = { kind: 'hostaway', account: 'harbour' };
const faultsOf = (changes: object, env: Record<string, string> = surroundings.env) => {
  const reading = hostawayConnector.readEntry({ ...entry, ...changes }, { ...surroundings, env });
  return reading.kind === 'valid' ? [] : reading.faults.map(({ pointer }) => pointer);
};

test('an entry needs no more than the name of its account', () => {
  assert.deepEqual(faultsOf({}), []);
  const full = {
    url: 'https://api.hostaway.com/v1',
    rate_limits: [{ requests: 200, seconds: 10 }],
    timeout_ms: 3000,
    concurrency: 2,
    website_listings_only: true,
    direct_policy_id: 11,
    cancellation_text: 'Half is kept.',
  };
  assert.deepEqual(faultsOf(full), []);
});

test('what is wrong with an entry is reported at its place', () => {
  assert.deepEqual(faultsOf({ url: 'ftp://api.hostaway.com' }), ['/url']);
  assert.deepEqual(faultsOf({ direct_policy_id: 'strict' }), ['/direct_policy_id']);
  assert.deepEqual(faultsOf({ concurrency: 0 }), ['/concurrency']);
  assert.deepEqual(faultsOf({}, { STAYWIRE_SECRET_HARBOUR_ACCOUNT_ID: '61148' }), ['/account']);
});

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
