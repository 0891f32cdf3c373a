import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bodiesOfSessionWrite } from './session-writes.ts';

const row = { id: 's', revision: 1, state: '{}' };
const commit = {
  ...row,
  kind: 'commit',
  expectedRevision: 0,
  expectedNotes: null,
  usedKey: null,
  quotes: null,
} as const;

it('lists every body of a write, so that all of them are moved and counted', () => {
  const body = Uint8Array.of(2);
  const open = { ...row, kind: 'open', assistant: 'a', quota: null, openedAt: 0, expiresAt: 1 } as const;
  assert.deepEqual(bodiesOfSessionWrite(open), []);
  assert.deepEqual(bodiesOfSessionWrite({ ...commit, result: body }), [body]);
  assert.deepEqual(bodiesOfSessionWrite({ ...commit, result: null }), []);
});
