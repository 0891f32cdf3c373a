import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldedPlaceName } from './place-name.ts';

describe('the name of a place that nobody knows', () => {
  const counted: readonly (readonly [string, string])[] = [
    ['Atlantis', 'atlantis'],
    ['  São  Tomé—and PRÍNCIPE ', 'sao tome and principe'],
    ['St. Moritz', 'st moritz'],
    ['St.Moritz', 'st moritz'],
    ['Saint-Jean-de-Luz', 'saint jean de luz'],
    ['Las Palmas de Gran Canaria', 'las palmas de gran canaria'],
    ['Rio de Janeiro', 'rio de janeiro'],
    ['Paris, Texas', 'paris texas'],
    ['Ko Samui (Surat Thani)', 'ko samui surat thani'],
    ['京都', '京都'],
    ['東京', '東京'],
    ['九十九里', '九十九里'],
    ['四日市', '四日市'],
    ['Ｋｙōｔｏ', 'kyoto'],
    ['K%C3%B8benhavn', 'kobenhavn'],
    ['Xi’an', 'xi an'],
    ['Dot Lake', 'dot lake'],
    ['Com', 'com'],
    ['Malmö, 2 guests', 'malmo guests'],
    ['Paris 07', 'paris'],
    ['a b', 'a b'],
  ];
  for (const [written, name] of counted) {
    it(`${written} is counted as ${name}`, () => assert.equal(foldedPlaceName(written), name));
  }

  it('is only what stands before a comma where all of it is longer than names are', () => {
    assert.equal(
      foldedPlaceName('San Miguel de Allende, Guanajuato, Mexico'),
      'san miguel de allende',
      'six words',
    );
    assert.equal(foldedPlaceName('Saint-Rémy-de-Provence (Bouches-du-Rhône)'), 'saint remy de provence');
  });

  const dropped: Readonly<Record<string, readonly unknown[]>> = {
    'no text': [7, ['Atlantis'], null, undefined],
    'not a name': ['', 'Ω', '—', '%', '%%%'],
    'an address of mail, however its sign is written': [
      'me@example.com',
      'maria silva＠gmail.com',
      'maria﹫gmail.com',
      'maria%40gmail.com',
      'maria%2540firma.example',
      'maria silva at gmail dot com',
      'maria at firma dot de',
      'maria (at) firma [dot] de',
      'maria at gmail',
      'Maria GMAIL.com',
      'maria@',
    ],
    'an address of the web': ['https://maria.example', 'www maria', 'maria-silva.com', 'firma．net'],
    'what has three digits or more, of any script': [
      '+49 170 1234567',
      'call 555 12',
      'Malmö 2027-05-03, 2 guests',
      'Biarritz 64200',
      'Rua Augusta 1 2 3',
      'room ①②③',
      'call ٠١٢',
      'x²³⁴',
      '1770 (Queensland)',
    ],
    'three digits in a row in Chinese': ['一二三四五六七八九零', '电话 一 三 五', '〇七〇'],
    'more words than a name has': ['call me on five five five one two three', 'lang '.repeat(6)],
    'longer than a name is': [`Llan${'fair'.repeat(10)}`],
  };
  for (const [what, texts] of Object.entries(dropped)) {
    it(`is not ${what}`, () => {
      for (const written of texts) assert.equal(foldedPlaceName(written), null, String(written));
    });
  }

  it('is letters and single spaces, at most 40 of them, and the same when it is folded again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom('Saint', 'dot', 'com', ', ', ' ', '%40', '%', '＠', '7', '一', 'é', '.', 'gmail'),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (written) => {
        const name = foldedPlaceName(written);
        if (name === null) return;
        assert.match(name, /^[\p{L}\p{M}]+( [\p{L}\p{M}]+)*$/u);
        assert.ok(Array.from(name).length <= 40);
        assert.equal(foldedPlaceName(name), name);
      }),
      { numRuns: 1000 },
    );
  });
});
