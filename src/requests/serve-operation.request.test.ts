import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleRequest } from '../../test/support/sample-request.ts';
import { valid } from '../parsing/reading.ts';
import { operationRequest } from './serve-operation.ts';

const { key: _key, ...request } = sampleRequest({ values: valid(new Map([['guests', '2']])) });

test('a valid key is that of the request, and everything else stays', () => {
  assert.deepEqual(operationRequest({ ...request, keys: ['k1', 'k1'] }), { ...request, key: 'k1' });
  assert.deepEqual(operationRequest({ ...request, keys: [] }), { ...request, key: null });
});

test('with an invalid key nothing of the request is carried out', () => {
  for (const keys of [['schlüssel'], ['k1', 'k2'], ['x'.repeat(256)]]) {
    const read = operationRequest({ ...request, keys });
    assert.equal(read.key, null);
    assert.deepEqual(read.values, { kind: 'invalid', faults: ['invalid_idempotency_key'] });
  }
});

test('the view is full unless another one is asked for, and no third one exists', () => {
  const read = (view?: string) => operationRequest({ ...request, keys: [], view });
  assert.deepEqual([read().view, read('full').view, read('compact').view], ['full', 'full', 'compact']);
  for (const view of ['', 'Compact', 'tiny']) {
    assert.deepEqual(read(view).values, { kind: 'invalid', faults: ['unknown_view'] }, view);
  }
});

test('a parameter that cannot be read is named, and comes before a key that is wrong too', () => {
  const values = { kind: 'invalid', faults: ['invalid_request'] } as const;
  const read = (keys: readonly string[], facts: { view?: string; faultyParameter?: string | null }) => {
    const { values: reading, faultyParameter } = operationRequest({ ...request, ...facts, values, keys });
    return [reading.kind === 'invalid' && reading.faults[0], faultyParameter];
  };
  assert.deepEqual(read([], { faultyParameter: 'session' }), ['invalid_request', 'session']);
  assert.deepEqual(read([], { view: 'tiny' }), ['unknown_view', 'view']);
  assert.deepEqual(read([], {}), ['invalid_request', null]);
  assert.deepEqual(read(['schlüssel'], { faultyParameter: 'session' }), ['invalid_request', 'session']);
  assert.deepEqual(
    read([], { view: 'tiny', faultyParameter: 'session' }),
    ['invalid_request', 'session'],
    'the first one that is wrong',
  );
});
