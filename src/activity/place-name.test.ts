import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldedPlaceName } from './place-name.ts';

describe('the name of a place that nobody knows', () => {
  const cases: readonly (readonly [unknown, string | null])[] = [
    ['Atlantis', 'atlantis'],
    ['  São  Tomé—and PRÍNCIPE ', 'sao tome and principe'],
    ['Malmö 2027-05-03, 2 guests', 'malmo guests'],
    ['+49 170 1234567', null],
    ['me@example.com', null],
    ['東京', '東京'],
    ['Ω', null],
    ['', null],
    [7, null],
    [['Atlantis'], null],
    ['a b', 'a b'],
    [`${'lang '.repeat(20)}`, 'lang lang lang lang lang lang lang lang'],
  ];
  for (const [written, name] of cases) {
    it(`${JSON.stringify(written).slice(0, 40)} is counted as ${name}`, () =>
      assert.equal(foldedPlaceName(written), name));
  }

  it('is letters and single spaces, at most 40 of them, and the same when it is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (written) => {
        const name = foldedPlaceName(written);
        if (name === null) return;
        assert.match(name, /^[\p{L}\p{M}]+( [\p{L}\p{M}]+)*$/u);
        assert.ok(Array.from(name).length <= 40);
        assert.equal(foldedPlaceName(name), name);
      }),
    );
  });
});
