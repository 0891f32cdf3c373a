import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServiceKey, isUsableAtAuth, readKey, serviceKey } from './idempotency.ts';

test('a key comes from the query or the header, quoted or not, and both must agree', () => {
  assert.deepEqual(readKey(undefined, undefined), { kind: 'none' });
  assert.deepEqual(readKey('abc', undefined), { kind: 'key', key: 'abc' });
  assert.deepEqual(readKey(undefined, '"abc"'), { kind: 'key', key: 'abc' });
  assert.deepEqual(readKey('abc', 'abc'), { kind: 'key', key: 'abc' });
  assert.deepEqual(readKey('abc', 'abd'), { kind: 'invalid' });
});

test('a key has 1 to 255 of the safe characters', () => {
  assert.equal(readKey('A-z0.9_:~', undefined).kind, 'key');
  assert.equal(readKey('k'.repeat(255), undefined).kind, 'key');
  for (const bad of ['', 'k'.repeat(256), 'a b', 'a/b', 'ä', 'a\nb', 'a"b']) {
    assert.equal(readKey(bad, undefined).kind, 'invalid', JSON.stringify(bad));
  }
});

test('keys of the service are told from keys of clients', () => {
  assert.equal(serviceKey(3, 14), 'sw.3.14');
  assert.ok(isServiceKey(serviceKey(0, 'read')));
  assert.ok(!isServiceKey('swim'));
  assert.equal(readKey(serviceKey(12, 'refine'), undefined).kind, 'key');
});

test('at auth a short key is not used', () => {
  assert.equal(isUsableAtAuth('k'.repeat(15)), false);
  assert.equal(isUsableAtAuth('k'.repeat(16)), true);
});
