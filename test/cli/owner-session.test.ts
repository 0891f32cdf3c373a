import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { recordOwnerSession } from './owner-session.ts';

const FILE = new URL('../../docs/examples/owner-session.txt', import.meta.url);
const MAX_LINES = 65;

it('the session in the documents is what an owner sees; RECORD_SESSION=1 writes it anew', async (t) => {
  const session = await recordOwnerSession(t);
  if (process.env.RECORD_SESSION === '1') writeFileSync(FILE, session);
  assert.equal(readFileSync(FILE, 'utf8'), session);
  assert.ok(session.split('\n').length <= MAX_LINES, `${session.split('\n').length} lines`);
  assert.doesNotMatch(session, /emulated|127\.0\.0\.1:(?!8080)/);
});
