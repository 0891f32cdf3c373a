import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatMonth, parseMonth } from './month.ts';
import { readWrittenMonth } from './written-month.ts';

const randomMonth = fc.integer({ min: 12_000, max: 119_999 });

function guessesFor(text: string): readonly string[] {
  const written = readWrittenMonth(text);
  assert.equal(written.kind, 'not_a_date', text);
  return written.kind === 'not_a_date' ? written.guesses.map(formatMonth) : [];
}

describe('a written month', () => {
  it('is accepted in the form of the interface, with or without a leading zero', () => {
    for (const text of ['2027-05', '2027-5', ' 2027-05 ']) {
      assert.deepEqual(readWrittenMonth(text), { kind: 'month', month: parseMonth('2027-05') }, text);
    }
  });

  it('that the calendar does not have is told from one that is written in another way', () => {
    for (const text of ['2027-13', '2027-00', '2027-0', '0999-05']) {
      assert.deepEqual(readWrittenMonth(text), { kind: 'no_such_date' }, text);
    }
  });

  const meant: readonly (readonly [text: string, ...months: readonly string[]])[] = [
    ['05/2027', '2027-05'],
    ['5.2027', '2027-05'],
    ['05-2027', '2027-05'],
    ['2027/05', '2027-05'],
    ['2027 5', '2027-05'],
    ['202705', '2027-05'],
    ['2027年5月', '2027-05'],
    ['2027–05', '2027-05'],
    ['May 2027', '2027-05'],
    ['dec, 2027', '2027-12'],
    ['2027 SEPTEMBER', '2027-09'],
    ['2027-05-08', '2027-05'],
    ['8 May 2027', '2027-05'],
    ['05/08/2027', '2027-05', '2027-08'],
    ['05/05/2027', '2027-05'],
    ['2027-05-08T15:00:00Z', '2027-05'],
  ];
  for (const [text, ...months] of meant) {
    it(`in the form ${text} is not accepted and suggests ${months.join(' or ')}`, () => {
      assert.deepEqual(guessesFor(text), months);
    });
  }

  it('suggests nothing where no month can be made out', () => {
    for (const text of [
      '',
      'May',
      '5',
      '05/27',
      '13/2027',
      '202713',
      '2027',
      '2027-02-30',
      'mai 2027',
      'summer',
    ]) {
      assert.deepEqual(guessesFor(text), [], text);
    }
  });

  it('comes back from its text, with and without the zero', () => {
    fc.assert(
      fc.property(randomMonth, fc.boolean(), (month, short) => {
        const text = short ? formatMonth(month).replace('-0', '-') : formatMonth(month);
        assert.deepEqual(readWrittenMonth(text), { kind: 'month', month });
        assert.deepEqual(guessesFor(text.split('-').reverse().join('/')), [formatMonth(month)]);
      }),
    );
  });

  it('takes any text without failing, and never a long one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const written = readWrittenMonth(text);
        assert.ok(written.kind !== 'month' || formatMonth(written.month).length === 7);
      }),
    );
    for (const text of [`${' '.repeat(10_000)}2027-05`, '2'.repeat(10_000)]) {
      assert.deepEqual(readWrittenMonth(text), { kind: 'not_a_date', guesses: [] });
    }
    assert.equal(readWrittenMonth('2027-05'.padEnd(40)).kind, 'month');
    assert.equal(readWrittenMonth('2027-05'.padEnd(41)).kind, 'not_a_date');
  });
});
