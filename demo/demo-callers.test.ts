import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoCallers } from './demo-callers.ts';

test('the demo trusts this machine, unless somebody has said who may call', () => {
  for (const environment of [{}, { STAYWIRE_ASSISTANTS: ' ', STAYWIRE_TRUSTED_NETWORKS: '' }]) {
    assert.deepEqual(demoCallers(environment), { STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8,::1' });
  }
  assert.deepEqual(demoCallers({ STAYWIRE_ASSISTANTS: 'assistants.json' }), {});
  assert.deepEqual(demoCallers({ STAYWIRE_TRUSTED_NETWORKS: '10.0.0.0/8' }), {});
});
