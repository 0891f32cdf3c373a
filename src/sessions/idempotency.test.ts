import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServiceKey, isUsableAtAuth, readKey, serviceKey } from './idempotency.ts';

test('a request has one key or none, and two that differ are refused', () => {
  assert.deepEqual(readKey([]), { kind: 'valid', value: null });
  assert.deepEqual(readKey(['abc']), { kind: 'valid', value: 'abc' });
  assert.deepEqual(readKey(['abc', 'abc']), { kind: 'valid', value: 'abc' });
  assert.deepEqual(readKey(['abc', 'abd']), { kind: 'invalid', faults: ['invalid_idempotency_key'] });
});

test('a key has 1 to 255 of the safe characters', () => {
  assert.equal(readKey(['A-z0.9_:~']).kind, 'valid');
  assert.equal(readKey(['k'.repeat(255)]).kind, 'valid');
  for (const bad of ['', 'k'.repeat(256), 'a b', 'a/b', 'ä', 'a\nb', 'a"b']) {
    assert.equal(readKey([bad]).kind, 'invalid', JSON.stringify(bad));
  }
});

test('keys of the service are distinguished from keys of clients', () => {
  assert.equal(serviceKey(3, 14), 'sw.3.14');
  assert.ok(isServiceKey(serviceKey(0, 'read')));
  assert.ok(!isServiceKey('swim'));
  assert.equal(readKey([serviceKey(12, 'refine')]).kind, 'valid');
});

test('at auth a short key is not used', () => {
  assert.equal(isUsableAtAuth('k'.repeat(15)), false);
  assert.equal(isUsableAtAuth('k'.repeat(16)), true);
});
