import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServiceKey, readKey, revisionOfServiceKey, serviceKey } from './idempotency.ts';

const INVALID = { kind: 'invalid', faults: ['invalid_idempotency_key'] };

test('a request has one key of its own or none, and two that differ are refused', () => {
  for (const none of [[], [''], ['', '']]) assert.deepEqual(readKey(none), { kind: 'valid', value: null });
  assert.deepEqual(readKey(['', 'abc']), { kind: 'valid', value: 'abc' });
  assert.deepEqual(readKey(['abc']), { kind: 'valid', value: 'abc' });
  assert.deepEqual(readKey(['abc', 'abc']), { kind: 'valid', value: 'abc' });
  assert.deepEqual(readKey(['abc', 'abd']), INVALID);
  assert.deepEqual(readKey(['abc', 'abc', 'abd']), INVALID);
});

test('a key has 1 to 255 printable ASCII characters, and stays as it came', () => {
  for (const good of ['A-z0.9_:~', 'k'.repeat(255), 'a b', 'a/b', '"quoted"', '{}', 'a, b', "it's", '~']) {
    assert.deepEqual(readKey([good]), { kind: 'valid', value: good });
  }
  for (const bad of [' x', 'x ', ' ', 'k'.repeat(256), 'ä', 'a\nb', 'a\tb', '\u007f', '\u0000', '🗝']) {
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

test('a key that only begins like one of the service is the client’s own', () => {
  for (const key of [
    'swim',
    'sw.',
    'sw.1',
    'sw.1.',
    'sw..read',
    'sw.a.read',
    'sw.-1.read',
    'sw.1.Read',
    'sw.1.read.2',
    'sw.1.re ad',
    'SW.1.read',
    'sw.1234567890.read',
    `sw.1.${'a'.repeat(41)}`,
    'sw.booking-7f3a',
  ]) {
    assert.equal(isServiceKey(key), false, key);
    assert.equal(revisionOfServiceKey(key), undefined, key);
    assert.deepEqual(readKey(['sw.0.read', key]), { kind: 'valid', value: key }, 'so it takes precedence');
    assert.deepEqual(readKey([key, 'mine']), INVALID, 'and contradicts another one');
  }
});

test('a key of the service tells the revision that offered it', () => {
  for (const ordinal of [0, 59, 'read', 'refine', 'change-brand_locked']) {
    const key = serviceKey(999_999_999, ordinal);
    assert.ok(isServiceKey(key), key);
    assert.equal(revisionOfServiceKey(key), 999_999_999);
  }
});
