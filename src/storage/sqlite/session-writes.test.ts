import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bodiesOfSessionWrite } from './session-writes.ts';

const row = { id: 's', revision: 1, expiresAt: 1, state: '{}' };
const answer = { key: 'key', fingerprint: 'f', body: Uint8Array.of(1) };
const commit = { ...row, kind: 'commit', expectedRevision: 0, quotes: [] } as const;

it('lists every body of a write, so that all of them are moved and counted', () => {
  const body = Uint8Array.of(2);
  const opening = { id: 'o', fingerprint: 'f', body, sealedToken: Uint8Array.of(3) };
  assert.deepEqual(bodiesOfSessionWrite({ ...row, kind: 'open', opening }), [body, opening.sealedToken]);
  assert.deepEqual(bodiesOfSessionWrite({ ...commit, answer, result: { kind: 'bytes', body } }), [
    answer.body,
    body,
  ]);
  const sameAsAnswer = { ...commit, answer, result: { kind: 'same_as_answer' } } as const;
  assert.deepEqual(bodiesOfSessionWrite(sameAsAnswer), [answer.body]);
  assert.deepEqual(bodiesOfSessionWrite({ ...commit, answer: null, result: null }), []);
});
