import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weightOf } from '../../parsing/owned-memory.ts';
import { createKeptDetails } from './cached-details.ts';

const details = { room: undefined, settings: undefined, updatedAt: 'x'.repeat(100), readAt: 0 };
const policy = { text: 'x'.repeat(100), readAt: 0 };

test('what is kept of homes has a weight that it does not pass, policies included', () => {
  const kept = createKeptDetails(2000);
  for (let id = 0; id < 100; id += 1) {
    kept.keepPolicy(String(id), policy);
    kept.keepDetails(String(id), details);
  }
  const weight = [...kept.details, ...kept.policies].reduce(
    (sum, [id, value]) => sum + id.length + weightOf(value),
    0,
  );
  assert.ok(weight <= 2000 && weight > 1700, String(weight));
  assert.ok(kept.details.size > 0 && kept.policies.size > 0);
});

test('a home is kept once, as it was first', () => {
  const kept = createKeptDetails(2000);
  kept.keepDetails('1', details);
  for (let time = 0; time < 100; time += 1) kept.keepDetails('1', { ...details, readAt: 1 });
  kept.keepDetails('2', details);
  assert.deepEqual([...kept.details.values()], [details, details]);
});
