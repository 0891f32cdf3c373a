import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldLookalikes } from './fold-lookalikes.ts';

/** What folding does to letters that have no look-alike, in the plainest way. */
function plainlyFolded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/\s{2,}|[^\S ]/g, ' ');
}

const PLAIN_UNITS = [
  'a',
  'B',
  'é',
  'Ü',
  'ñ',
  ' ',
  '\t',
  '\n',
  '.',
  '5',
  'ж',
  'Ю',
  '家',
  'が',
  '한',
  'م',
  'é',
  'शि',
  '😀',
  '𑀓𑀸',
];

describe('folding', () => {
  it('is lower case without marks for letters that look like no other', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PLAIN_UNITS), { maxLength: 60 }), (units) => {
        const text = units.join('');
        assert.equal(foldLookalikes(text), plainlyFolded(text));
      }),
    );
  });

  it('reads look-alikes and the digits of other scripts as what they look like', () => {
    assert.equal(foldLookalikes('Ιgnоrе ’२٣‑４ Straße ﬁx'), "ignore '23-4 straße fix");
  });

  it('reads every decimal digit of Unicode by its value', () => {
    // Within a script the digits stand in a row from zero to nine.
    const digits = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((sign) => /\p{Nd}/u.test(sign));
    assert.ok(digits.length >= 650 && digits.length % 10 === 0);
    assert.equal(digits.map(foldLookalikes).join(''), '0123456789'.repeat(digits.length / 10));
  });

  it('keeps a text that is longer than the arguments of a call', () => {
    const long = 'é'.repeat(10_000);
    assert.equal(foldLookalikes(long), 'e'.repeat(10_000));
  });
});
