import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimitsOf, type LimitedAssistant } from './assistant-limits.ts';

test('the limits of an assistant are those of the list as it is now', () => {
  let assistants: readonly LimitedAssistant[] = [{ id: 'plain' }, { id: 'busy', limits: { requests: 5 } }];
  const limitsOf = createLimitsOf(() => assistants);
  assert.deepEqual([limitsOf('plain'), limitsOf('busy'), limitsOf('unlisted')], [{}, { requests: 5 }, {}]);
  assistants = [{ id: 'plain', limits: { searches: 2 } }, { id: 'busy' }];
  assert.deepEqual([limitsOf('plain'), limitsOf('busy')], [{ searches: 2 }, {}]);
});
