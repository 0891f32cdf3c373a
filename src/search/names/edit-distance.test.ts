import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainEditDistance } from '../../../test/support/plain-edit-distance.ts';
import { editDistance, typosAllowed } from './edit-distance.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '京'), maxLength: 9 });

test('an inserted, dropped, wrong or swapped letter is one typo each', () => {
  for (const [one, other, typos] of [
    ['lisbon', 'lisbon', 0],
    ['lisbn', 'lisbon', 1],
    ['lissbon', 'lisbon', 1],
    ['lizbon', 'lisbon', 1],
    ['lisobn', 'lisbon', 1],
    ['ilsbno', 'lisbon', 2],
    ['ca', 'abc', 3],
    ['', 'abc', 3],
    ['東京', '京東', 1],
  ] as const) {
    assert.equal(editDistance(one, other, 3), typos, one);
    assert.equal(editDistance(other, one, typos), typos, one);
    assert.equal(editDistance(one, other, typos - 1), undefined, one);
  }
});

test('the distance is that of the plain recursion, within every bound', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: -1, max: 9 }), (one, other, atMost) => {
      const distance = plainEditDistance(Array.from(one), Array.from(other));
      assert.equal(editDistance(one, other, atMost), distance <= atMost ? distance : undefined);
    }),
  );
});

test('longer words may hold more typos, up to three', () => {
  assert.deepEqual(
    [0, 3, 4, 7, 8, 12, 40].map((length) => typosAllowed('x'.repeat(length), '')),
    [0, 0, 1, 1, 2, 3, 3],
  );
  assert.equal(typosAllowed('rom', 'rome'), 1);
});
