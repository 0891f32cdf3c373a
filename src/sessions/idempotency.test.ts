import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServiceKey, readKey, serviceKey } from './idempotency.ts';

const INVALID = { kind: 'invalid', faults: ['invalid_idempotency_key'] };

test('a request has one key of its own or none, and two that differ are refused', () => {
  assert.deepEqual(readKey([]), { kind: 'valid', value: null });
  assert.deepEqual(readKey(['abc']), { kind: 'valid', value: 'abc' });
  assert.deepEqual(readKey(['abc', 'abc']), { kind: 'valid', value: 'abc' });
  assert.deepEqual(readKey(['abc', 'abd']), INVALID);
  assert.deepEqual(readKey(['abc', 'abc', 'abd']), INVALID);
});

test('an empty key counts as none', () => {
  assert.deepEqual(readKey(['']), { kind: 'valid', value: null });
  assert.deepEqual(readKey(['', '']), { kind: 'valid', value: null });
  assert.deepEqual(readKey(['', 'abc']), { kind: 'valid', value: 'abc' });
});

test('a key has 1 to 255 printable ASCII characters, and stays as it came', () => {
  for (const good of [
    'A-z0.9_:~',
    'k'.repeat(255),
    'a b',
    'a/b',
    '"quoted"',
    '{}',
    'a, b',
    "it's",
    '~',
    ' x ',
  ]) {
    assert.deepEqual(readKey([good]), { kind: 'valid', value: good });
  }
  for (const bad of ['k'.repeat(256), 'ä', 'a\nb', 'a\tb', '\u007f', '\u0000', '🗝']) {
    assert.deepEqual(readKey([bad]), INVALID, JSON.stringify(bad));
    assert.deepEqual(readKey(['sw.0.read', bad]), INVALID, JSON.stringify(bad));
  }
});

test('a key of the client takes precedence over one that the service made', () => {
  assert.deepEqual(readKey(['sw.0.read', 'mine']), { kind: 'valid', value: 'mine' });
  assert.deepEqual(readKey(['mine', 'sw.0.read']), { kind: 'valid', value: 'mine' });
  assert.deepEqual(readKey(['sw.0.read', 'sw.1.read']), { kind: 'valid', value: 'sw.1.read' });
  assert.deepEqual(readKey(['sw.0.read', 'mine', 'other']), INVALID);
});

test('keys of the service are distinguished from keys of clients', () => {
  assert.equal(serviceKey(3, 14), 'sw.3.14');
  assert.ok(isServiceKey(serviceKey(0, 'read')));
  assert.ok(!isServiceKey('swim'));
  assert.equal(readKey([serviceKey(12, 'refine')]).kind, 'valid');
});
