import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  calendarDay,
  firstDayOf,
  formatDay,
  formatMonth,
  monthOf,
  parseDay,
  parseMonth,
  weekdayOf,
} from './day.ts';

describe('a day', () => {
  it('is the number of days since 1970-01-01', () => {
    assert.equal(parseDay('1970-01-01'), 0);
    assert.equal(parseDay('1969-12-31'), -1);
    assert.equal(parseDay('2027-05-10'), 20_948);
    assert.equal(formatDay(20_948), '2027-05-10');
  });

  it('exists on a calendar with leap years', () => {
    assert.equal(parseDay('2028-02-29'), 21_243);
    assert.equal(parseDay('2000-02-29'), 11_016);
    for (const text of ['2027-02-29', '2027-02-30', '2100-02-29', '2027-04-31', '2027-01-32']) {
      assert.equal(parseDay(text), undefined, text);
    }
  });

  it('is one of its own month', () => {
    assert.equal(calendarDay(2027, 5, 10), 20_948);
    for (const date of [0, 32, 366]) assert.equal(calendarDay(2027, 1, date), undefined, String(date));
    assert.equal(calendarDay(2027, 13, 1), undefined);
    assert.equal(calendarDay(10_000, 1, 1), undefined);
  });

  it('has a year of four digits, from 1000 on', () => {
    assert.equal(formatDay(parseDay('1000-01-01') ?? Number.NaN), '1000-01-01');
    assert.equal(formatDay(parseDay('9999-12-31') ?? Number.NaN), '9999-12-31');
    for (const text of ['0000-01-01', '0099-01-01', '0999-12-31', '275760-09-13', '-271821-04-20']) {
      assert.equal(parseDay(text), undefined, text);
    }
  });

  it('is written in one way only', () => {
    const others = ['', '2027-5-10', '2027-05-10T00:00:00Z', ' 2027-05-10', '2027-05-10\n', '2027-00-10'];
    for (const text of [...others, '2027-13-01', '2027-05-00', '20270510', '2027/05/10', '２０２７-05-10']) {
      assert.equal(parseDay(text), undefined, JSON.stringify(text));
    }
  });

  it('comes back from its text unchanged', () => {
    const [first, last] = [-354_285, 2_932_896];
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (day) => {
        assert.equal(parseDay(formatDay(day)), day);
      }),
    );
  });

  it('takes no text for a day that reads otherwise', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
    fc.assert(
      fc.property(digits(4), digits(2), digits(2), (year, month, date) => {
        const text = `${year}-${month}-${date}`;
        const day = parseDay(text);
        assert.ok(day === undefined || formatDay(day) === text);
      }),
    );
  });

  it('falls on a weekday, Monday being 0', () => {
    assert.equal(weekdayOf(0), 3);
    assert.equal(weekdayOf(parseDay('2027-05-10') ?? 0), 0);
    assert.equal(weekdayOf(parseDay('2027-05-16') ?? 0), 6);
    assert.equal(weekdayOf(parseDay('1969-12-28') ?? 0), 6);
    assert.equal(weekdayOf(parseDay('1969-12-29') ?? 0), 0);
  });
});

describe('a month', () => {
  it('counts twelve to the year', () => {
    assert.equal(parseMonth('2027-01'), 24_324);
    assert.equal(parseMonth('2027-12'), 24_335);
    assert.equal(formatMonth(24_324), '2027-01');
    assert.equal(formatMonth(24_335), '2027-12');
  });

  it('is written in one way only', () => {
    for (const text of [
      '',
      '2027-00',
      '2027-13',
      '2027-1',
      '2027-01-01',
      '0999-01',
      '12027-01',
      '2027-01\n',
    ]) {
      assert.equal(parseMonth(text), undefined, JSON.stringify(text));
    }
  });

  it('begins on its first day', () => {
    assert.equal(formatDay(firstDayOf(24_324)), '2027-01-01');
    assert.equal(formatDay(firstDayOf(24_335)), '2027-12-01');
    assert.equal(formatDay(firstDayOf(1969 * 12 + 11)), '1969-12-01');
    assert.equal(formatDay(firstDayOf(50 * 12)), '0050-01-01');
  });

  it('comes back from its text unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12_000, max: 119_999 }), (month) => {
        assert.equal(parseMonth(formatMonth(month)), month);
      }),
    );
  });

  it('holds the days from its first to the day before the next one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 119_999 }), (month) => {
        assert.equal(monthOf(firstDayOf(month)), month);
        assert.equal(monthOf(firstDayOf(month + 1) - 1), month);
      }),
    );
  });

  it('is the one that a day is written with', () => {
    fc.assert(
      fc.property(fc.integer({ min: -300_000, max: 2_000_000 }), (day) => {
        assert.equal(formatMonth(monthOf(day)), formatDay(day).slice(0, 7));
      }),
    );
  });
});
