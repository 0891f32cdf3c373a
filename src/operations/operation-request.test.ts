import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleRequest } from '../../test/support/sample-request.ts';
import { valid } from '../reading/reading.ts';
import { operationRequest } from './operation-request.ts';

const { key: _key, ...request } = sampleRequest({ values: valid(new Map([['guests', '2']])) });

test('a valid key is that of the request, and everything else stays', () => {
  assert.deepEqual(operationRequest({ ...request, keys: ['k1', 'k1'] }), { ...request, key: 'k1' });
  assert.deepEqual(operationRequest({ ...request, keys: [] }), { ...request, key: null });
});

test('with an invalid key nothing of the request is carried out', () => {
  for (const keys of [['not a key'], [''], ['k1', 'k2'], ['x'.repeat(256)]]) {
    const read = operationRequest({ ...request, keys });
    assert.equal(read.key, null);
    assert.deepEqual(read.values, { kind: 'invalid', faults: ['invalid_idempotency_key'] });
  }
});

test('an invalid key outweighs a body that cannot be read', () => {
  const values = { kind: 'invalid', faults: ['invalid_request'] } as const;
  const read = operationRequest({ ...request, values, keys: ['not a key'] });
  assert.deepEqual(read.values, { kind: 'invalid', faults: ['invalid_idempotency_key'] });
});
