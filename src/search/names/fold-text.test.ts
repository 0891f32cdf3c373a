import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldIntoOneWord, foldText } from './fold-text.ts';

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
