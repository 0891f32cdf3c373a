import assert from 'node:assert/strict';
import { it } from 'node:test';
import { adviceFor } from './faults.ts';

it('an answer that is too large is not always a matter of the budget', () => {
  assert.match(adviceFor('too_large') ?? '', /^the answer is larger than is read: ask the operator/);
  assert.match(adviceFor('too_large') ?? '', /where the message names the budget, raise `budget`/);
});
