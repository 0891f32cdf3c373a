import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

describe('the width of a text on a terminal', () => {
  for (const [text, width] of [
    ['', 0],
    ['Casa', 4],
    ['São Bento', 9],
    ['Sa\u0303o', 3],
    ['京都の家', 8],
    ['한옥', 4],
    ['🏠 Home', 7],
    ['👨‍👩‍👧', 2],
    ['€12', 3],
    ['\u001b[1mbold\u001b[22m', 4],
  ] as const) {
    it(`of “${text}” is ${width}`, () => assert.equal(displayWidth(text), width));
  }

  it('is cut with an ellipsis, and never in the middle of a sign', () => {
    assert.equal(cutToWidth('Casa da Ribeira', 15), 'Casa da Ribeira');
    assert.equal(cutToWidth('Casa da Ribeira', 9), 'Casa da…');
    assert.equal(cutToWidth('京都の家', 6), '京都…');
    assert.equal(cutToWidth('京都の家', 5), '京都…');
    assert.equal(cutToWidth('a👨‍👩‍👧b', 3), 'a…');
  });

  it('fills a column from either side, and is never more than the column', () => {
    assert.equal(padToWidth('家', 4), '家  ');
    assert.equal(padToWidth('12', 4, 'right'), '  12');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
        assert.ok(displayWidth(cutToWidth(text, columns)) <= columns);
        assert.equal(displayWidth(padToWidth(cutToWidth(text, columns), columns)), columns);
      }),
    );
  });
});
