import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostawayConnector } from './connector.ts';

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
