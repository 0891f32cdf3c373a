import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nearestNumbers } from './field-rules.ts';

const numbers = (texts: readonly number[]) => texts.map(String);

test('the nearest come first, and of two equally near the smaller one', () => {
  assert.deepEqual(nearestNumbers(['4'], ['1', '3', '5', '9'], Number), ['3', '5', '1', '9']);
});

test('with several meant, the distance is to the nearest of them', () => {
  assert.deepEqual(nearestNumbers(['1', '9'], ['2', '5', '9'], Number), ['9', '2', '5']);
});

test('what cannot be read as a number was not meant', () => {
  const digit = (text: string) => (/^\d$/.test(text) ? Number(text) : undefined);
  assert.deepEqual(nearestNumbers(['soon'], ['2', '5'], digit), []);
  assert.deepEqual(nearestNumbers(['soon', '5'], ['2', '5'], digit), ['5', '2']);
});

test('the offered values are all there, nearest first', () => {
  const offers = fc
    .uniqueArray(fc.nat({ max: 50 }), { maxLength: 20 })
    .map((all) => all.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 3 }), offers, (meant, offered) => {
      const distance = (value: number) => Math.min(...meant.map((one) => Math.abs(one - value)));
      const listed = nearestNumbers(numbers(meant), numbers(offered), Number).map(Number);
      const ranked = offered.toSorted((a, b) => distance(a) - distance(b) || a - b);
      assert.deepEqual(listed, ranked);
    }),
  );
});
