import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { shownText, shownValue } from './rejected-value.ts';

describe('a value in a report', () => {
  it('is repeated when it is simple, and described when it is not', () => {
    const values = ['Casa', 7, 0.5, null, true, [1, 2], { secret: 'x' }, undefined];
    assert.deepEqual(values.map(shownValue), [
      'Casa',
      '7',
      '0.5',
      'null',
      'true',
      'a list of 2',
      'an object',
      undefined,
    ]);
  });

  it('has nothing that a terminal obeys or that nobody sees', () => {
    for (const [text, shown] of [
      ['a\u001b[31mb', 'a\\u{1b}[31mb'],
      ['one\r\ntwo\tthree', 'one\\r\\ntwo\\tthree'],
      ['a\u202eb\u200bc\u00ad\ufeff', 'a\\u{202e}b\\u{200b}c\\u{ad}\\u{feff}'],
      ['no\u00a0break', 'no\\u{a0}break'],
      ['C:\\new', 'C:\\\\new'],
      ['\u009b2J', '\\u{9b}2J'],
      ['\ud800', '\\u{fffd}'],
      ['tag \u{e0041}', 'tag \\u{e0041}'],
      ['São José 🏡', 'São José 🏡'],
    ] as const) {
      assert.equal(shownText(text), shown);
    }
  });

  it('is at most 80 characters long, and cut between characters', () => {
    assert.equal(shownText('x'.repeat(80)), 'x'.repeat(80));
    assert.equal(shownText('x'.repeat(81)), `${'x'.repeat(79)}…`);
    assert.equal(shownText(`${'x'.repeat(78)}🏡🏡`), `${'x'.repeat(78)}…`);
    assert.equal(shownText(`${'x'.repeat(76)}\u200b\u200b`), `${'x'.repeat(76)}…`);
    assert.equal(shownText(`${'x'.repeat(77)}\\\\\\`), `${'x'.repeat(77)}\\\\…`);
    assert.equal(shownText('x'.repeat(5_000_000)).length, 80);
  });

  it('tells no secret', () => {
    for (const [text, shown] of [
      ['https://me:pass@casas.example/a', 'https://[redacted]@casas.example/a'],
      ['https://a:b@c@casas.example/a', 'https://[redacted]@casas.example/a'],
      ['https://casas.example/a?api_key=abc&w=1', 'https://casas.example/a?api_key=[redacted]&w=1'],
      ['https://casas.example/a?X-Amz-Signature=abc', 'https://casas.example/a?X-Amz-Signature=[redacted]'],
      ['https://casas.example/a?key=abc', 'https://casas.example/a?key=[redacted]'],
      ['Authorization: Bearer abc.def', 'Authorization: [redacted] [redacted]'],
      ['bearer abc.def-ghi', 'bearer [redacted]'],
      ['{"password":"hunter2"}', '{"password":"[redacted]"}'],
      [`https://me:${'x'.repeat(400)}@casas.example/a`, 'https://…'],
      ['monkey=banana', 'monkey=banana'],
      ['Key features: a garden', 'Key features: a garden'],
      ['https://casas.example/img/3f2a9c.jpg?w=1200', 'https://casas.example/img/3f2a9c.jpg?w=1200'],
    ] as const) {
      assert.equal(shownText(text), shown);
    }
  });

  it('is safe whatever it was', () => {
    const odd = fc.string({
      unit: fc.constantFrom(...'\\u{1b}\u001b\n\u200b🏡x=:@ ', '\ud83c'),
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.oneof(odd, fc.string({ unit: 'binary' })), (text) => {
        const shown = shownText(text);
        assert.ok(shown.length <= 80);
        assert.ok(shown.isWellFormed());
        assert.doesNotMatch(shown, /[\p{C}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u);
        // Every backslash begins a whole escape, so nobody can write one that is not there.
        assert.match(shown, /^(?:[^\\]|\\[\\nrt]|\\u\{[\da-f]+\})*$/u);
      }),
    );
  });
});
