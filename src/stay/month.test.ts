import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDay } from './day.ts';
import { firstDayOf, formatMonth, monthOf, parseMonth } from './month.ts';

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
