import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cutToWidth, displayWidth, padToWidth, paragraph, table } from './terminal.ts';

const word = fc.stringMatching(/^[a-z]{1,20}$/);
const text = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));
const wordsIn = (shown: string) => shown.split(/\s+/).filter((one) => one !== '');

describe('a table', () => {
  it('aligns its columns, and wraps the last one under itself', () => {
    const long = 'word '.repeat(20).trim();
    assert.deepEqual(
      table([
        ['a', 'short', 'x'],
        ['bbb', 's', long],
      ]).split('\n'),
      [
        'a    short  x',
        'bbb  s      word word word word word word word word word word word word word',
        '            word word word word word word word',
      ],
    );
  });

  it('puts the last column below the others where they leave no room', () => {
    const reference = 'r'.repeat(60);
    assert.deepEqual(table([[reference, 'images/0/url', 'is too long']], '  ').split('\n'), [
      `  ${reference}  images/0/url`,
      '    is too long',
    ]);
  });

  it('counts colours as nothing', () => {
    const red = '\u001b[31m✖\u001b[39m';
    assert.equal(
      table([
        [red, 'x'],
        ['ab', 'y'],
      ]),
      `${red}   x\nab  y`,
    );
  });

  it('is at most 80 columns wide and loses no word', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word, text), { minLength: 1, maxLength: 5 }), (rows) => {
        const shown = table(rows, '    ');
        for (const line of shown.split('\n')) assert.ok(line.length <= 80, line);
        assert.deepEqual(
          wordsIn(shown),
          rows.flatMap((row) => wordsIn(row.join(' '))),
        );
      }),
    );
  });
});

describe('a paragraph', () => {
  it('is at most 80 columns wide, loses no word, and keeps a longer word whole', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('', '  ', '    '), (words, indent) => {
        const shown = paragraph(words, indent);
        for (const [index, line] of shown.split('\n').entries()) {
          assert.ok(line.length <= 80, line);
          if (index > 0) assert.ok(line.startsWith(indent));
        }
        assert.deepEqual(wordsIn(shown), wordsIn(words));
      }),
    );
    const address = `https://example.com/${'a'.repeat(90)}`;
    assert.equal(paragraph(`open ${address} now`), `open\n${address}\nnow`);
  });
});

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
