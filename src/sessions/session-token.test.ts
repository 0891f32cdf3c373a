import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemRandom } from '../random.ts';
import {
  newSessionToken,
  openingIdOf,
  sessionIdOf,
  usedKeyIdOf,
  withoutToken,
  withToken,
} from './session-token.ts';

test('what cannot be a token has no session id, so it never reaches the store', () => {
  const token = newSessionToken(systemRandom);
  assert.match(sessionIdOf(token) ?? '', /^[A-Za-z0-9_-]{43}$/);
  for (const nonsense of [
    '',
    'ses_',
    `${token}x`,
    token.slice(0, -1),
    token.replace('ses_', 'SES_'),
    ` ${token}`,
    `${token}\n`,
  ]) {
    assert.equal(sessionIdOf(nonsense), undefined, JSON.stringify(nonsense));
  }
});

test('the same key of two assistants, or from two addresses, opens different sessions', () => {
  const caller = { assistant: 'one', address: '192.0.2.7' };
  const id = openingIdOf(caller, 'a-key');
  assert.equal(openingIdOf({ ...caller }, 'a-key'), id);
  assert.notEqual(openingIdOf({ ...caller, assistant: 'two' }, 'a-key'), id);
  assert.notEqual(openingIdOf({ ...caller, address: '192.0.2.8' }, 'a-key'), id);
  assert.notEqual(openingIdOf(caller, 'another'), id);
});

test('a used key is recognised in its session only, and is not readable', () => {
  const id = usedKeyIdOf('session', 'a-key-of-the-client');
  assert.equal(id, 'uRa8j31oYhpDU5XvvKwNeL', 'keys stored by an earlier release are still known');
  assert.notEqual(usedKeyIdOf('another', 'a-key-of-the-client'), id);
  assert.notEqual(usedKeyIdOf('session', 'a-key-of-the-clienT'), id);
});

const TOKEN = `ses_${'Aa0_-'.repeat(8)}xyz`;

test('a stored body holds no token, and the request’s token restores its bytes', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(TOKEN), fc.constant(`/x?session=${TOKEN}`)),
      ),
      (values) => {
        const body = JSON.stringify(values);
        const stored = withoutToken(body, TOKEN);
        assert.ok(!stored.includes(TOKEN));
        assert.equal(withToken(stored, TOKEN).toString(), body);
      },
    ),
  );
});
