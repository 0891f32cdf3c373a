import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainEditDistance } from '../../../test/support/plain-edit-distance.ts';
import { nearestWord } from './nearest-word.ts';

const FIELDS = [
  'brand_locked',
  'destination',
  'check_in_month',
  'check_in_day',
  'check_out',
  'guests',
  'amenities',
];

test('a misspelt word leads to the one that was meant', () => {
  for (const [written, meant] of [
    ['destnation', 'destination'],
    ['Destination', 'destination'],
    ['guest', 'guests'],
    ['geusts', 'guests'],
    ['checkout', 'check_out'],
    ['check-out', 'check_out'],
    ['checkInDay', 'check_in_day'],
    ['check_in_dya', 'check_in_day'],
    ['amenitees', 'amenities'],
    ['brandlockd', 'brand_locked'],
  ] as const) {
    assert.equal(nearestWord(written, FIELDS), meant, written);
  }
});

test('a word that is like none leads nowhere', () => {
  for (const word of ['', '-', 'price', 'checkin', 'pets', 'city', 'g', '__proto__', 'x'.repeat(10_000)]) {
    assert.equal(nearestWord(word, FIELDS), undefined, word.slice(0, 20));
  }
  assert.equal(nearestWord('guests', []), undefined);
  assert.equal(nearestWord('-', ['_', '']), undefined);
});

test('of equally near words it is the first', () => {
  assert.equal(nearestWord('bart', ['bars', 'barn', 'bar']), 'bars');
  assert.equal(nearestWord('barn', ['bars', 'barn', 'bar']), 'barn');
});

test('it is the word with the fewest typos by the plain recursion, if those are at most a quarter of it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 13 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 8 }), (written, among) => {
      const ranked = among
        .map((one) => ({ one, typos: plainEditDistance([...written], [...one]) }))
        .filter(
          ({ one, typos }) => typos <= Math.min(3, Math.floor(Math.max(written.length, one.length) / 4)),
        )
        .toSorted((a, b) => a.typos - b.typos);
      assert.equal(nearestWord(written, among), ranked[0]?.one);
    }),
  );
});
