import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Day, formatDay, formatMonth, parseDay, parseMonth } from './day.ts';
import { type DateOrder, readWrittenDay, readWrittenMonth } from './written-dates.ts';

const randomDay = fc.integer({ min: parseDay('1000-01-01') ?? 0, max: parseDay('9999-12-31') ?? 0 });

function guessesFor(text: string): readonly string[] {
  const written = readWrittenDay(text);
  assert.equal(written.kind, 'not_a_date', text);
  return written.kind === 'not_a_date' ? written.guesses.map(formatDay) : [];
}

describe('a written day', () => {
  it('is accepted in the form of the interface, with or without leading zeros', () => {
    const day = parseDay('2027-05-08');
    for (const text of [
      '2027-05-08',
      '2027-5-8',
      '2027-05-8',
      '2027-5-08',
      ' 2027-05-08\n',
      '\u00a02027-5-8 ',
    ]) {
      assert.deepEqual(readWrittenDay(text), { kind: 'day', day }, JSON.stringify(text));
    }
  });

  const meant: readonly (readonly [text: string, ...days: readonly string[]])[] = [
    ['05/08/2027', '2027-05-08', '2027-08-05'],
    ['05-08-2027', '2027-05-08', '2027-08-05'],
    ['5 / 8 / 2027', '2027-05-08', '2027-08-05'],
    ['05/08/27', '2027-05-08', '2027-08-05'],
    ['08/08/2027', '2027-08-08'],
    ['13/08/2027', '2027-08-13'],
    ['08/13/2027', '2027-08-13'],
    ['8.5.2027', '2027-05-08'],
    ['8.5.27', '2027-05-08'],
    ['8. 5. 2027', '2027-05-08'],
    ['5.13.2027', '2027-05-13'],
    ['2027/05/08', '2027-05-08'],
    ['2027.5.8', '2027-05-08'],
    ['2027 05 08', '2027-05-08'],
    ['20270508', '2027-05-08'],
    ['2027年5月8日', '2027-05-08'],
    ['２０２７-05-08', '2027-05-08'],
    ['2027–05–08', '2027-05-08'],
    ['8 May 2027', '2027-05-08'],
    ['May 8, 2027', '2027-05-08'],
    ['the 8th of May, 2027', '2027-05-08'],
    ['Saturday, 8 May 2027', '2027-05-08'],
    ['SEPT 8 2027', '2027-09-08'],
    ['8-Jun-2027', '2027-06-08'],
    ['2027 Mar 8', '2027-03-08'],
    ['2027-05-08T15:00:00Z', '2027-05-08'],
    ['2027-05-08T15:00:00.000+02:00', '2027-05-08'],
    ['2027-05-08 15:00', '2027-05-08'],
  ];
  it('in another form is not accepted and suggests the days that it may mean', () => {
    for (const [text, ...days] of meant) {
      assert.deepEqual(guessesFor(text), days, text);
    }
  });

  it('is read in one order of its numbers where that is known', () => {
    const readIn = (text: string, order: DateOrder) => {
      const written = readWrittenDay(text, order);
      return written.kind === 'not_a_date' ? written.guesses.map(formatDay) : written.kind;
    };
    assert.deepEqual(readIn('05/08/2027', 'month_first'), ['2027-05-08']);
    assert.deepEqual(readIn('05/08/2027', 'day_first'), ['2027-08-05']);
    assert.deepEqual(readIn('13/08/2027', 'month_first'), []);
    assert.deepEqual(readIn('8.5.2027', 'month_first'), []);
    assert.deepEqual(readIn('8 May 2027', 'month_first'), ['2027-05-08']);
    assert.deepEqual(readIn('2027-05-08', 'day_first'), 'day');
  });

  it('suggests nothing where no day can be made out', () => {
    for (const text of [
      '',
      ' ',
      '8',
      'two',
      'tomorrow',
      '8 May',
      'May 2027',
      '30/30/2027',
      '2027/02/30',
      '31 June 2027',
    ]) {
      assert.deepEqual(guessesFor(text), [], text);
    }
    for (const text of [
      '8 mayo 2027',
      '8 May 9 2027',
      '8 May 2027 2028',
      '8 May June 2027',
      '2027-05-08 to 2027-05-09',
    ]) {
      assert.deepEqual(guessesFor(text), [], text);
    }
    for (const text of [
      '2027-05-08x',
      '+2027-05-08',
      '2027-05',
      '12027-05-08',
      '2027-005-08',
      '123 May 2027',
      'ma 8 2027',
    ]) {
      assert.deepEqual(guessesFor(text), [], text);
    }
  });

  it('is among the guesses for each way to write it, and those are never more than two', () => {
    const ways: readonly ((day: Day) => string)[] = [
      (day) => formatDay(day).replaceAll('-', ''),
      (day) => formatDay(day).split('-').reverse().join('/'),
      (day) => formatDay(day).split('-').reverse().join('.'),
      (day) => formatDay(day).replace(/(....)-(..)-(..)/, '$2/$3/$1'),
      (day) => new Date(day * 86_400_000).toUTCString().slice(0, 16),
      (day) => new Date(day * 86_400_000).toISOString(),
    ];
    fc.assert(
      fc.property(randomDay, fc.constantFrom(...ways), (day, way) => {
        const guesses = guessesFor(way(day));
        assert.ok(guesses.includes(formatDay(day)), way(day));
        assert.ok(guesses.length <= 2);
      }),
    );
  });

  it('takes any text without failing, and never a long one', () => {
    const digits = fc.stringMatching(/^[0-9 ./tz年月日a-y-]{0,60}$/);
    fc.assert(
      fc.property(fc.oneof(digits, fc.string({ unit: 'binary', maxLength: 60 })), (text) => {
        const written = readWrittenDay(text);
        if (written.kind === 'not_a_date') {
          for (const day of written.guesses) assert.equal(parseDay(formatDay(day)), day);
        }
      }),
    );
    for (const text of [
      `${' '.repeat(10_000)}2027-05-08`,
      '2'.repeat(10_000),
      'may '.repeat(2500),
      '\u{1f1f5}'.repeat(5000),
    ]) {
      assert.deepEqual(readWrittenDay(text), { kind: 'not_a_date', guesses: [] });
    }
    assert.equal(readWrittenDay('2027-05-08'.padEnd(40)).kind, 'day');
    assert.equal(readWrittenDay('2027-05-08'.padEnd(41)).kind, 'not_a_date');
  });
});

function monthGuessesFor(text: string): readonly string[] {
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
      assert.deepEqual(monthGuessesFor(text), months);
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
      assert.deepEqual(monthGuessesFor(text), [], text);
    }
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
