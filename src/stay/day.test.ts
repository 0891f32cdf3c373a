import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDay, formatMonth, parseDay, parseMonth, weekdayOf } from './day.ts';

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

  it('comes back from its text unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12_000, max: 119_999 }), (month) => {
        assert.equal(parseMonth(formatMonth(month)), month);
      }),
    );
  });
});
