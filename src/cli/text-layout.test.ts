import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { displayWidth, padToWidth, paragraph, table } from './terminal.ts';

const word = fc.stringMatching(/^[a-z]{1,20}$/);
const text = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));
const wordsIn = (shown: string) => shown.split(/\s+/).filter((one) => one !== '');

describe('text on a terminal', () => {
  it('in a table is at most 80 columns wide, aligned, and loses no word', () => {
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
    const red = '\u001b[31m✖\u001b[39m';
    const rows = [
      [red, 'x'],
      ['ab', 'y'],
    ];
    assert.equal(table(rows), `${red}   x\nab  y`, 'colours take no columns');
    assert.equal(
      table([['r'.repeat(60), 'images/0/url', 'is too long']], '  '),
      `  ${'r'.repeat(60)}  images/0/url\n    is too long`,
    );
  });

  it('in a paragraph is at most 80 columns wide, loses no word, and keeps a longer word whole', () => {
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

  it('is filled by the columns that it takes', () => {
    const widths = {
      Casa: 4,
      'Sa\u0303o': 3,
      京都の家: 8,
      '🏠 Home': 7,
      '👨‍👩‍👧': 2,
      '\u001b[1mbold\u001b[22m': 4,
    };
    for (const [text, width] of Object.entries(widths)) assert.equal(displayWidth(text), width, text);
    assert.equal(padToWidth('12', 4, 'right'), '  12');
  });
});
