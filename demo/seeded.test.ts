import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededBy } from './seeded.ts';

test('the same words give the same sequence, other words another', () => {
  const sequence = (words: string) => {
    const seeded = seededBy(words);
    return Array.from({ length: 20 }, () => seeded.fraction());
  };
  assert.deepEqual(sequence('lisbon'), sequence('lisbon'));
  assert.notDeepEqual(sequence('lisbon'), sequence('porto'));
  // Pinned, because a change of the generator changes every property of the demo.
  assert.deepEqual(
    Array.from(
      { length: 5 },
      (
        (seeded) => () =>
          seeded.integer(0, 999)
      )(seededBy('lisbon')),
    ),
    [42, 517, 388, 31, 979],
  );
});

test('integers cover their range and stay inside it', () => {
  const seeded = seededBy('range');
  const seen = new Set(Array.from({ length: 500 }, () => seeded.integer(3, 7)));
  assert.deepEqual([...seen].sort(), [3, 4, 5, 6, 7]);
});

test('shuffling keeps every member', () => {
  const members = Array.from({ length: 50 }, (_, index) => index);
  const shuffled = seededBy('cards').shuffled(members);
  assert.notDeepEqual(shuffled, members);
  assert.deepEqual(
    shuffled.sort((one, other) => one - other),
    members,
  );
});
