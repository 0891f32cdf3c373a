import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../random.ts';
import { keyFromSecret, seal, unseal } from './sealed-text.ts';

const key = keyFromSecret('secret', 'a test');

test('what is sealed is opened with the same key for the same purpose, and with no other', () => {
  const sealed = seal('clé 🔑', key, 'tokens', systemRandom);
  assert.equal(unseal(sealed, key, 'tokens'), 'clé 🔑');
  assert.equal(unseal(`${sealed}\n`, key, 'tokens'), 'clé 🔑');
  assert.equal(unseal(sealed, keyFromSecret('other', 'a test'), 'tokens'), undefined);
  assert.equal(unseal(sealed, keyFromSecret('secret', 'another test'), 'tokens'), undefined);
  assert.equal(unseal(sealed, key, 'credentials'), undefined);
});

test('what was changed in any place is not opened', () => {
  const sealed = seal('a text', key, 'tokens', systemRandom);
  for (let at = 0; at < sealed.length; at += 1) {
    // The last letter of each part may carry bits that stand for nothing.
    if (sealed[at] === '.' || sealed[at + 1] === '.' || at === sealed.length - 1) continue;
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    assert.equal(unseal(changed, key, 'tokens'), undefined, `letter ${at}`);
  }
  for (const text of ['', 'v1', 'v1...', 'v2.a.b.c', `${sealed}.x`])
    assert.equal(unseal(text, key, 'tokens'), undefined);
});
