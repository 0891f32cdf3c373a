import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasScore, isNotYetRated, isRatingUnpublished } from './rating.ts';

const factsOf = (score: number, reviewCount: number | null) => {
  const rating = { score, scale: 5, reviewCount };
  return [hasScore(rating), isNotYetRated(rating), isRatingUnpublished(rating)];
};

test('a score of 0 is one only when somebody gave it', () => {
  assert.deepEqual(factsOf(4, 12), [true, false, false]);
  assert.deepEqual(factsOf(4, null), [true, false, false]);
  assert.deepEqual(factsOf(0, 3), [true, false, false]);
  assert.deepEqual(factsOf(0, 0), [false, true, false]);
  assert.deepEqual(factsOf(0, null), [false, false, true]);
});
