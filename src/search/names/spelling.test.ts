import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { plainEditDistance } from '../../../test/support/plain-edit-distance.ts';
import { editDistance, foldIntoOneWord, foldText, nearestWord, typosAllowed } from './spelling.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('ß', 'İ', 'ı', 'Σ', 'σ', 'e', '\u0301', 'が', '\u3099', 'ﾞ', 'か', ' ', 'ŉ', '각'),
  }),
);

describe('folded text', () => {
  const folded: readonly (readonly [text: string, words: string])[] = [
    ['  ÉVORA  ', 'evora'],
    ['E\u0301vora', 'evora'],
    ['São-Brás_de  Alportel!', 'sao bras de alportel'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['København', 'kobenhavn'],
    ['Ærø', 'aero'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['Diyarbakır', 'diyarbakir'],
    ['Reykjavík, Þingvellir', 'reykjavik thingvellir'],
    ['Hawaiʻi', 'hawai i'],
    ['Lis\u00adb\u200bon', 'lisbon'],
    ['ＴＯＫＹＯ', 'tokyo'],
    ['ΑΘΗΝΑ', 'αθηνα'],
    ['Αθήνα', 'αθηνα'],
    ['Πάτρας', 'πατρασ'],
    ['МОСКВА', 'москва'],
    ['東京', '東京'],
    ['ガーナ', 'ガーナ'],
    ['がか', 'がか'],
    ['서울', '서울'],
    ['กรุงเทพ', 'กรุงเทพ'],
    ['दिल्ली', 'दिल्ली'],
    ['יְרוּשָׁלַיִם', 'ירושלים'],
    ['الرِّيَاض', 'الرياض'],
    ['–…!', ''],
  ];
  it('is the text without case, accents and punctuation', () => {
    for (const [text, words] of folded) {
      assert.equal(foldText(text), words, `of ${JSON.stringify(text)} is ${JSON.stringify(words)}`);
    }
  });

  it('does not change when it is folded again', () => {
    fc.assert(fc.property(anyText, (text) => assert.equal(foldText(foldText(text)), foldText(text))));
  });

  it('has single spaces between words only, and none at all as one word', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.doesNotMatch(foldText(text), /^ | {2}| $/);
        assert.equal(foldIntoOneWord(text), foldText(text).split(' ').join(''));
      }),
    );
    assert.equal(foldIntoOneWord('N.Y.C.'), foldIntoOneWord('nyc'));
  });
});

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
