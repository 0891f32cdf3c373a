import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUsedSessions } from './used-sessions.ts';

test('a session is in use once it was added, and no other is', () => {
  const used = createUsedSessions();
  assert.equal(used.has('a'), false);
  used.add('a');
  used.add('a');
  assert.deepEqual([used.has('a'), used.has('b')], [true, false]);
  assert.equal(createUsedSessions().has('a'), false, 'each service has its own');
});

test('the latest ones are kept, so that memory is bounded', () => {
  const used = createUsedSessions();
  for (let number = 0; number < 20_001; number += 1) used.add(String(number));
  assert.deepEqual([used.has('0'), used.has('1'), used.has('20000')], [false, true, true]);
});
