import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestyConnector } from './connector.ts';

const surroundings = {
  directory: '.',
  env: { STAYWIRE_SECRET_HARBOUR_CLIENT_ID: 'id', STAYWIRE_SECRET_HARBOUR_CLIENT_SECRET: 'secret' },
};
const entry = { kind: 'guesty', account: 'harbour' };
const faultsOf = (changes: object, env: Record<string, string> = surroundings.env) => {
  const reading = guestyConnector.readEntry({ ...entry, ...changes }, { ...surroundings, env });
  return reading.kind === 'valid' ? [] : reading.faults.map(({ pointer }) => pointer);
};

test('an entry needs no more than the name of its account', () => {
  assert.deepEqual(faultsOf({}), []);
  const full = {
    url: 'https://booking.guesty.com',
    rate_limits: [{ requests: 15, seconds: 1 }],
    timeout_ms: 3000,
    concurrency: 2,
    booking_mode: 'instant',
    cancellation_text: 'Half is kept.',
  };
  assert.deepEqual(faultsOf(full), []);
});

test('what is wrong with an entry is reported at its place', () => {
  assert.deepEqual(faultsOf({ url: 'http://booking.guesty.com' }), ['/url']);
  assert.deepEqual(faultsOf({ account: 'Harbour House' }), ['/account']);
  assert.deepEqual(faultsOf({ booking_mode: 'perhaps' }), ['/booking_mode']);
  assert.deepEqual(faultsOf({ rate_limits: [] }), ['/rate_limits']);
  assert.deepEqual(faultsOf({ rate_limits: [{ requests: 0, seconds: 1 }] }), ['/rate_limits/0/requests']);
  assert.deepEqual(faultsOf({}, {}), ['/account', '/account'], 'one for each missing secret');
});

test('its totals cannot be called final', () => {
  assert.equal(guestyConnector.canStateAllInTotals, false);
});
